"""The file: brought up to date, shared, refused when newer, set aside when damaged."""

from __future__ import annotations

import random
import sqlite3
import stat
import sys
from pathlib import Path

import pytest

from conversation.store.kit import Shelf, integrity, typed_turn, whole
from s2s_desktop.conversation.store.database import Database
from s2s_desktop.conversation.store.schema import MIGRATIONS
from s2s_desktop.errors import AssistantError, ErrorKind

NOISE = random.Random(1)


def damaged_files(shelf: Shelf) -> list[str]:
    return sorted(path.name for path in shelf.folder.glob("*damaged*"))


def fill(shelf: Shelf, conversations: int = 40) -> None:
    for number in range(conversations):
        words = " ".join(f"w{number}x{place}" for place in range(300))
        shelf.library.add(whole(f"c{number}", (f"Question {number}", words), ("And?", words)))
    shelf.database.checkpoint(shorten=True)


def test_the_file_is_readable_by_the_user_alone(shelf: Shelf) -> None:
    shelf.library.conversations()
    if sys.platform != "win32":
        assert [stat.S_IMODE(path.stat().st_mode) for path in shelf.folder.iterdir()] == [0o600] * 3
        assert stat.S_IMODE(shelf.folder.stat().st_mode) == 0o700


def test_a_migration_brings_an_older_file_up_to_date(shelf: Shelf) -> None:
    shelf.library.add(whole("old", ("Hello", "Hi")))
    shelf.close()
    migrations = (*MIGRATIONS, lambda connection: connection.execute("ALTER TABLE turn ADD COLUMN mood TEXT"))
    newer = Database(shelf.path, migrations=migrations)
    with newer.reading() as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) + 1
        assert connection.execute("SELECT mood FROM turn").fetchone()[0] is None
        assert connection.execute("SELECT count(*) FROM message").fetchone()[0] == 2
    newer.close()


def test_a_migration_that_fails_changes_nothing(shelf: Shelf) -> None:
    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("DROP TABLE message")
        raise RuntimeError("a bug")

    shelf.library.add(whole("old", ("Hello", "Hi")))
    shelf.close()
    with (
        pytest.raises(RuntimeError, match="a bug"),
        Database(shelf.path, migrations=(*MIGRATIONS, fails)).reading(),
    ):
        pass
    assert len(shelf.library.turns("old")) == 1


def test_a_file_of_a_newer_version_is_refused_and_left_alone(shelf: Shelf) -> None:
    shelf.library.add(whole("new", ("Hello", "Hi")))
    shelf.database.close()
    raw = sqlite3.connect(shelf.path)
    raw.execute("PRAGMA user_version=99")
    raw.close()
    before = shelf.path.read_bytes()
    with pytest.raises(AssistantError, match="newer version of S2S Desktop") as caught:
        shelf.library.conversations()
    assert caught.value.kind is ErrorKind.INTERNAL
    shelf.feed(1, typed_turn("Hello?", "Hi."))
    assert not shelf.recorder.flush()
    assert len(shelf.problems) == 1
    assert "newer version" in shelf.problems[0]
    assert shelf.path.read_bytes() == before
    assert damaged_files(shelf) == []


@pytest.mark.parametrize(
    "content",
    [b"not a database at all" * 100, b"SQLite format 3\x00" + NOISE.randbytes(5000)],
    ids=["text", "noise"],
)
def test_a_file_that_is_no_database_is_set_aside_and_a_fresh_one_begun(shelf: Shelf, content: bytes) -> None:
    shelf.folder.mkdir()
    shelf.path.write_bytes(content)
    assert shelf.library.conversations() == []
    (notice,) = shelf.notices
    (aside,) = damaged_files(shelf)
    assert aside in notice
    assert (shelf.folder / aside).read_bytes() == content
    shelf.say(1, "Hello?", "Hi.")
    assert len(shelf.library.conversations()) == 1


def test_what_can_be_read_of_a_damaged_file_is_taken_over(shelf: Shelf) -> None:
    fill(shelf)
    shelf.close()
    raw = bytearray(shelf.path.read_bytes())
    page = 4096
    for number in (len(raw) // page // 3, len(raw) // page // 2):
        raw[number * page : (number + 1) * page] = NOISE.randbytes(page)
    shelf.path.write_bytes(raw)
    shelf.library.tidy()
    (notice,) = shelf.notices
    assert "could be read and are here again" in notice
    assert len(damaged_files(shelf)) == 1
    there = shelf.library.conversations()
    assert 10 <= len(there) <= 40
    assert all(len(shelf.library.turns(found.id)) == 2 for found in there)
    shelf.close()
    assert integrity(shelf.path) == "ok"


def test_damage_that_shows_while_recording_loses_no_turn_that_is_going_on(shelf: Shelf) -> None:
    fill(shelf, 5)
    shelf.say(1, "Before.", "Yes.")
    shelf.recorder.new_conversation()
    shelf.database.checkpoint(shorten=True)
    shelf.database.close()
    with shelf.path.open("r+b") as file:
        file.seek(4096)
        file.write(NOISE.randbytes(shelf.path.stat().st_size - 4096))
    shelf.feed(1, typed_turn("While it is broken.", "It goes on."))
    assert [turn.user_text for turn in shelf.turns()] == ["While it is broken."]
    assert shelf.problems == []
    assert len(shelf.notices) == 1


def test_a_damaged_index_is_made_anew_from_the_texts(shelf: Shelf) -> None:
    shelf.library.add(whole("c", ("Needle in the hay", "Found")))
    with shelf.database.writing() as connection:
        connection.execute("DELETE FROM search_data WHERE id > 10")
    with pytest.raises(AssistantError):
        shelf.library.search("needle")
    assert [hit.snippet.text for hit in shelf.library.search("needle")] == ["Needle in the hay"]
    assert damaged_files(shelf) == []


def test_two_that_find_the_same_damage_set_it_aside_once(shelf: Shelf) -> None:
    fill(shelf, 3)
    shelf.database.close()
    other = Shelf(shelf.folder)
    shelf.path.write_bytes(b"broken" * 1000)
    shelf.say(1, "Mine.", "Yes.")
    other.say(1, "Mine too.", "Yes.")
    assert len(damaged_files(shelf)) == 1
    assert sorted(found.title for found in shelf.library.conversations()) == ["Mine too.", "Mine."]
    other.close()


def test_a_file_that_another_process_replaced_is_opened_again(shelf: Shelf) -> None:
    shelf.say(1, "Into the old file.", "Yes.")
    shelf.path.rename(shelf.folder / "moved.db")
    (shelf.folder / "conversations.db-wal").unlink()
    shelf.say(2, "Into the new file.", "Yes.")
    assert [turn.user_text for turn in shelf.turns()] == ["Into the new file."]


def test_a_file_that_stays_locked_is_said_in_a_sentence(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "data", wait_s=0.0)
    shelf.library.add(whole("c", ("Hello", "Hi")))
    other = sqlite3.connect(shelf.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(AssistantError, match="busy"):
        shelf.library.pin("c", True)
    assert len(shelf.library.turns("c")) == 1
    other.execute("ROLLBACK")
    other.close()
    shelf.library.pin("c", True)
    shelf.close()


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    shelf = Shelf(tmp_path / "data")
    with pytest.raises(AssistantError, match="cannot be opened or written"):
        shelf.library.conversations()
    shelf.close()
