"""Conversations that last: recorded, opened again, exported and really gone."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from conversation.parts import answer
from s2s_desktop.conversation.events import (
    ConversationOpened,
    ConversationsChanged,
    State,
    StateChanged,
    SummaryChanged,
    TurnFinished,
)
from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.store.records import TitleSource
from s2s_desktop.engine.engine import Engine
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.items import AssistantText, TextPart, UserMessage
from s2s_desktop.settings import file as settings_file
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings
from saved_conversations_kit import SavingSession, bytes_below, long_conversation, whole

PARIS = whole("paris", ("Where is Paris?", "In France."), ("How big is it?", "Two million people."))


@pytest.fixture
async def saving() -> AsyncIterator[SavingSession]:
    saving = SavingSession()
    yield saving
    await saving.close()


class TestRecording:
    async def test_what_is_said_is_in_the_list_under_its_first_words(self, saving: SavingSession) -> None:
        saving.answers(answer("In France."))
        await saving.session.converse("Where is Paris?")
        await saving.flush()
        (conversation,) = await saving.saved.page(limit=10)
        assert (conversation.title, conversation.profile) == ("Where is Paris?", "built-in")
        assert conversation.id == saving.saved.conversation_id
        assert saving.seen.of(ConversationsChanged)

    async def test_with_saving_off_nothing_reaches_the_disk(self, home: Path) -> None:
        settings = Settings()
        settings.history.keep = False
        saving = SavingSession(settings)
        saving.answers(answer("The secret is xyzzy."))
        await saving.session.converse("Tell me the xyzzy secret.")
        assert await saving.titles() == []
        await saving.close()
        assert b"xyzzy" not in bytes_below(home)

    async def test_saving_is_switched_for_good(self, saving: SavingSession) -> None:
        saving.answers(answer("One."), answer("Two."))
        await saving.saved.keep(False)
        await saving.session.converse("Unheard")
        await saving.saved.keep(True)
        await saving.session.converse("Heard")
        await saving.flush()
        assert await saving.titles() == ["Heard"]
        assert settings_file.load(find_paths().settings_file).settings.history.keep is True
        await saving.saved.keep(False)
        assert settings_file.load(find_paths().settings_file).settings.history.keep is False

    async def test_saving_goes_on_in_the_conversation_that_is_shown(self, saving: SavingSession) -> None:
        await saving.add(PARIS)
        saving.answers(answer("One."), answer("Two."))
        await saving.saved.open("paris")
        await saving.saved.keep(False)
        await saving.session.converse("Unheard")
        await saving.saved.keep(True)
        await saving.session.converse("Heard")
        await saving.flush()
        turns = await saving.saved.earlier("paris", before=100, limit=10)
        assert [turn.user_text for turn in turns] == ["Where is Paris?", "How big is it?", "Heard"]

    async def test_only_the_window_records(self, home: Path) -> None:
        engine = Engine(Settings(), find_paths(), parts=())
        assert engine.conversations is None
        await engine.close()
        assert not (home / "data").exists()


class TestOpening:
    async def test_the_model_is_reminded_of_it_and_the_next_turn_goes_into_it(
        self, saving: SavingSession
    ) -> None:
        await saving.add(PARIS)
        backend = saving.answers(answer("Six hours by car."))
        await saving.saved.open("paris")
        await saving.session.converse("How far is Berlin?")
        await saving.flush()
        said = [item for item in backend.requests[0] if isinstance(item, UserMessage | AssistantText)]
        assert said == [
            UserMessage.of("Where is Paris?"),
            AssistantText("In France."),
            UserMessage.of("How big is it?"),
            AssistantText("Two million people."),
            UserMessage.of("How far is Berlin?"),
        ]
        assert await saving.titles() == ["paris"]
        turns = await saving.saved.earlier("paris", before=100, limit=10)
        assert [turn.user_text for turn in turns][-1] == "How far is Berlin?"

    async def test_only_as_much_as_the_settings_say_is_sent(self) -> None:
        settings = Settings()
        settings.assistant.chat_size = 3
        saving = SavingSession(settings)
        await saving.add(long_conversation("long", 40))
        backend = saving.answers(answer("Yes."))
        await saving.saved.open("long")
        await saving.session.converse("And now?")
        texts = [
            part.text
            for item in backend.requests[0]
            if isinstance(item, UserMessage)
            for part in item.parts
            if isinstance(part, TextPart)
        ]
        assert texts == ["Question 38", "Question 39", "Question 40", "And now?"]
        await saving.close()

    async def test_observers_get_the_newest_turns(self, saving: SavingSession) -> None:
        await saving.add(long_conversation("long", 120), PARIS)
        await saving.saved.open("long")
        await saving.saved.open("paris")
        long, paris = saving.seen.of(ConversationOpened)
        assert [turn.number for turn in long.turns] == list(range(71, 121))
        assert (long.more, paris.more) == (True, False)
        assert [turn.user_text for turn in paris.turns] == ["Where is Paris?", "How big is it?"]

    async def test_a_turn_that_search_found_is_among_them(self, saving: SavingSession) -> None:
        await saving.add(long_conversation("long", 120))
        await saving.saved.open("long", turn=30)
        (opened,) = saving.seen.of(ConversationOpened)
        assert opened.turn == 30
        assert opened.turns[0].number <= 30 < opened.turns[-1].number
        assert opened.more

    @pytest.mark.parametrize("turn", [1, 5, 250, 780])
    async def test_one_that_is_far_back_is_shown_with_its_surroundings(
        self, saving: SavingSession, turn: int
    ) -> None:
        await saving.add(long_conversation("long", 1000))
        await saving.saved.open("long", turn=turn)
        (opened,) = saving.seen.of(ConversationOpened)
        numbers = [saved.number for saved in opened.turns]
        assert turn in numbers
        assert turn + 8 in numbers
        assert len(numbers) <= 51
        assert (opened.later, opened.more) == (True, turn > 5)

    async def test_a_reply_that_runs_ends_first_and_stays_in_its_conversation(
        self, saving: SavingSession
    ) -> None:
        await saving.add(PARIS)
        backend = saving.answers(answer("It takes", pause_before_end=True), answer("Fine."))
        saving.session.send_text("Tell me a long story")
        await backend.waiting.wait()
        old = saving.saved.conversation_id
        await saving.saved.open("paris")
        await saving.seen.until(lambda: bool(saving.seen.of(TurnFinished)))
        assert backend.closed == 1
        assert saving.session.state is State.IDLE
        await saving.flush()
        (story,) = await saving.saved.earlier(old, before=100, limit=10)
        assert (story.user_text, story.reply_text, story.interrupted) == (
            "Tell me a long story",
            "It takes",
            True,
        )
        await saving.session.converse("How are you?")
        assert UserMessage.of("Tell me a long story") not in backend.requests[-1]

    async def test_one_that_is_gone_says_so_and_the_one_in_use_stays(self, saving: SavingSession) -> None:
        before = saving.saved.conversation_id
        with pytest.raises(AssistantError) as caught:
            await saving.saved.open("nowhere")
        assert caught.value.kind is ErrorKind.NOT_FOUND
        assert saving.saved.conversation_id == before
        assert not saving.seen.of(ConversationOpened)

    async def test_a_new_one_begins_with_nothing(self, saving: SavingSession) -> None:
        backend = saving.answers(answer("One."), answer("Two."))
        await saving.session.converse("First")
        await saving.saved.new()
        assert saving.seen.of(ConversationOpened) == [ConversationOpened(None)]
        await saving.session.converse("Second")
        assert [item for item in backend.requests[1] if isinstance(item, UserMessage)] == [
            UserMessage.of("Second")
        ]
        await saving.flush()
        assert sorted(await saving.titles()) == ["First", "Second"]


class TestChanging:
    async def test_rename_and_pin(self, saving: SavingSession) -> None:
        await saving.add(PARIS, whole("bread", ("How?", "Slowly."), at=PARIS.conversation.updated_at + 1))
        await saving.saved.rename("paris", "  City   of light ")
        await saving.saved.pin("paris", True)
        (first, _) = await saving.saved.page(limit=10)
        assert (first.title, first.title_source, first.pinned) == (
            "City of light",
            TitleSource.USER,
            True,
        )

    async def test_the_one_in_use_makes_way_when_it_is_deleted_and_comes_back(
        self, saving: SavingSession
    ) -> None:
        await saving.add(PARIS)
        await saving.saved.open("paris")
        await saving.saved.delete("paris")
        assert saving.seen.of(ConversationOpened)[-1] == ConversationOpened(None)
        assert len(saving.history) == 0
        assert await saving.titles() == []
        assert await saving.saved.current() is None
        await saving.saved.undo_delete("paris")
        assert await saving.titles() == ["paris"]

    async def test_another_one_is_deleted_beside_the_one_in_use(self, saving: SavingSession) -> None:
        await saving.add(PARIS, whole("bread", ("How?", "Slowly.")))
        await saving.saved.open("paris")
        await saving.saved.delete("bread")
        assert saving.saved.conversation_id == "paris"
        assert len(saving.history) == 2

    async def test_a_wipe_leaves_nothing_on_the_disk(self, saving: SavingSession, home: Path) -> None:
        saving.answers(answer("The word is xyzzy."))
        await saving.add(whole("old", ("Is it xyzzy?", "Yes, xyzzy.")))
        await saving.session.converse("Say xyzzy")
        await saving.saved.wipe()
        assert await saving.titles() == []
        assert len(saving.history) == 0
        assert saving.seen.of(ConversationOpened)[-1] == ConversationOpened(None)
        await saving.close()
        assert b"xyzzy" not in bytes_below(home)

    async def test_a_wipe_in_the_middle_of_a_reply_is_final(self, saving: SavingSession) -> None:
        backend = saving.answers(answer("It takes", pause_before_end=True))
        saving.session.send_text("Tell me a long story")
        await backend.waiting.wait()
        await saving.saved.wipe()
        await saving.session.settled()
        await saving.flush()
        assert await saving.titles() == []

    async def test_tokens_are_counted(self, saving: SavingSession) -> None:
        await saving.add(PARIS, whole("bread", ("How?", "Slowly.")))
        one, total = await saving.saved.usage("paris"), await saving.saved.usage()
        assert (one.input_tokens, one.output_tokens) == (200, 20)
        assert (total.input_tokens, total.output_tokens) == (300, 30)


class TestFiles:
    async def test_one_conversation_in_every_text_format(self, saving: SavingSession, tmp_path: Path) -> None:
        await saving.add(PARIS)
        for export_format in (ExportFormat.MARKDOWN, ExportFormat.TEXT, ExportFormat.JSON):
            target = tmp_path / f"paris.{export_format}"
            assert await saving.saved.export("paris", export_format, target) == 1
            assert "Two million people." in target.read_text(encoding="utf-8")

    async def test_subtitles_of_a_typed_conversation_are_refused_in_words(
        self, saving: SavingSession, tmp_path: Path
    ) -> None:
        await saving.add(PARIS)
        with pytest.raises(AssistantError, match="Nothing was spoken"):
            await saving.saved.export("paris", ExportFormat.SRT, tmp_path / "paris.srt")
        assert not (tmp_path / "paris.srt").exists()

    async def test_a_place_that_cannot_be_written_is_named(
        self, saving: SavingSession, tmp_path: Path
    ) -> None:
        await saving.add(PARIS)
        blocked = tmp_path / "file"
        blocked.write_text("in the way")
        with pytest.raises(AssistantError, match="could not be written"):
            await saving.saved.export("paris", ExportFormat.TEXT, blocked / "paris.txt")

    async def test_all_of_them_survive_an_export_and_an_import(
        self, saving: SavingSession, tmp_path: Path
    ) -> None:
        await saving.add(PARIS, whole("bread", ("How?", "Slowly.")))
        target = tmp_path / "all.json"
        assert await saving.saved.export(None, ExportFormat.JSON, target) == 2
        assert await saving.saved.import_file(target) == 0
        await saving.saved.wipe()
        assert await saving.saved.import_file(target) == 2
        assert sorted(await saving.titles()) == ["bread", "paris"]

    @pytest.mark.parametrize("content", [b"", b"\xff\xfe", b'{"format": "other"}', b"[1, 2"])
    async def test_a_file_that_is_no_export_is_refused_in_words(
        self, saving: SavingSession, tmp_path: Path, content: bytes
    ) -> None:
        source = tmp_path / "odd.json"
        source.write_bytes(content)
        with pytest.raises(AssistantError, match="Nothing was imported"):
            await saving.saved.import_file(source)
        with pytest.raises(AssistantError, match="cannot be read"):
            await saving.saved.import_file(tmp_path / "absent.json")


class TestSummaries:
    async def test_a_summary_takes_the_place_of_older_turns_until_it_is_undone(
        self, saving: SavingSession
    ) -> None:
        await saving.add(long_conversation("long", 6))
        await saving.saved.open("long")
        await saving.saved.summarized("asked 1 to 4", "answered them", keep=2)
        (told,) = saving.seen.of(SummaryChanged)
        assert told.summary is not None
        assert told.summary.through_turn == 4
        await saving.saved.open("long")
        assert len(saving.history) == 3
        assert saving.seen.of(ConversationOpened)[-1].summary == told.summary
        await saving.saved.undo_summary()
        assert saving.seen.of(SummaryChanged)[-1] == SummaryChanged(None)
        assert len(saving.history) == 6


async def test_closing_in_the_middle_of_a_reply_keeps_what_there_was(home: Path) -> None:
    saving = SavingSession()
    backend = saving.answers(answer("It takes", pause_before_end=True))
    saving.session.send_text("Tell me a long story")
    await backend.waiting.wait()
    await saving.close()
    connection = sqlite3.connect(home / "data" / "conversations.db")
    assert [row[0] for row in connection.execute("SELECT text FROM message ORDER BY part")] == [
        "Tell me a long story",
        "It takes",
    ]
    connection.close()


async def test_the_state_is_told_when_another_conversation_stops_a_reply(saving: SavingSession) -> None:
    backend = saving.answers(answer("It takes", pause_before_end=True))
    saving.session.send_text("Tell me a long story")
    await backend.waiting.wait()
    await saving.saved.new()
    states = [event.state for event in saving.seen.of(StateChanged)]
    assert states == [State.THINKING, State.INTERRUPTED, State.IDLE]
