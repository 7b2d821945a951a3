"""JSON: what is exported comes back as it was; what is something else is refused in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversation.export.kit import example, says, wholes
from conversation.store.kit import Shelf
from s2s_desktop.conversation.export.json_document import import_json, to_json
from s2s_desktop.conversation.store.records import WholeConversation
from s2s_desktop.errors import AssistantError, ErrorKind


@settings(max_examples=60, deadline=None)
@given(st.lists(wholes, max_size=3))
def test_a_document_read_again_is_the_same(conversations: list[WholeConversation]) -> None:
    assert import_json(to_json(conversations)) == tuple(conversations)


def test_a_conversation_survives_export_import_and_the_store(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "data")

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(wholes)
    def survives(conversation: WholeConversation) -> None:
        (read,) = import_json(to_json([conversation]))
        added = shelf.library.add(read)
        assert added is not None
        there = shelf.library.whole(added.id)
        assert there == replace(conversation, conversation=added)
        assert import_json(to_json([there])) == (there,)

    survives()
    shelf.close()


def test_an_import_of_what_is_here_already_adds_nothing(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "data")
    (read,) = import_json(to_json([example()]))
    assert shelf.library.add(read) == example().conversation
    assert shelf.library.add(read) is None
    shelf.library.rename("abc", "Renamed here")
    added = shelf.library.add(read)
    assert added is not None
    assert added.id != "abc"
    assert sorted(found.title for found in shelf.library.conversations()) == [
        "Renamed here",
        "Six times seven",
    ]
    shelf.close()


def document(**changes: object) -> bytes:
    value = json.loads(to_json([example()]))
    value.update(changes)
    return json.dumps(value).encode()


def with_turn(**changes: object) -> bytes:
    value = json.loads(to_json([example()]))
    value["conversations"][0]["turns"][0].update(changes)
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "no JSON document"),
        (b"\xff\xfe\x00", "no JSON document"),
        (b"# Markdown", "no JSON document"),
        (document()[:-20], "no JSON document"),
        (b"[" * 100_000, "no JSON document"),
        (b"[]", "no export of S2S Desktop"),
        (b'{"format": "chatgpt"}', "no export of S2S Desktop"),
        (b'{"mapping": {}, "title": "x"}', "no export of S2S Desktop"),
        (document(version=2), "newer version"),
        (document(version="1"), "damaged"),
        (document(conversations=None), "damaged"),
        (document(conversations=[{}]), "damaged"),
        (with_turn(number=0), "damaged"),
        (with_turn(number=99), "damaged"),
        (with_turn(created_at=10**30), "damaged"),
        (with_turn(created_at="yesterday"), "damaged"),
        (with_turn(usage={"input_tokens": 2**70, "output_tokens": 1}), "damaged"),
        (with_turn(messages=[{"role": "god", "text": ""}]), "damaged"),
        (with_turn(messages=[{"role": "tool", "text": ""}]), "damaged"),
        (with_turn(messages=[{"role": "user", "text": "\ud800"}]), "no JSON document"),
        (document().replace(b'"id": "abc"', b'"id": "../../etc"'), "damaged"),
    ],
)
def test_what_is_no_sound_export_is_refused_in_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(AssistantError, match=sentence) as caught:
        import_json(data)
    assert caught.value.kind is ErrorKind.BAD_REQUEST
    assert caught.value.message.endswith("Nothing was imported.")


def test_the_details_name_the_place_of_the_damage() -> None:
    with pytest.raises(AssistantError) as caught:
        import_json(with_turn(heard=5))
    assert caught.value.details.startswith("conversations → 0 → turns → 0 → heard")


def test_a_hostile_title_is_made_harmless() -> None:
    value = json.loads(to_json([says("Hi")]))
    value["conversations"][0]["conversation"]["title"] = "a\nb\u202ec\x1b[2J"
    (read,) = import_json(json.dumps(value))
    assert read.conversation.title == "a bc [2J"
