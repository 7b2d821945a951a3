"""What the decoder is told, and how its echo is known."""

from __future__ import annotations

import pytest

from s2s_desktop.stt.decoder_prompt import MAX_CHARACTERS, DecoderPrompt, parse_hotwords
from s2s_desktop.stt.decoding import Decoding


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ()),
        (" , ;, ", ()),
        ("Siobhan", ("Siobhan",)),
        (" Siobhan  Nguyen ,Kubernetes,, Siobhan Nguyen", ("Siobhan Nguyen", "Kubernetes")),
        ("北京大学、清华，OpenAI；C++\nNode.js", ("北京大学", "清华", "OpenAI", "C++", "Node.js")),
    ],
)
def test_a_list_as_people_write_it(text: str, terms: tuple[str, ...]) -> None:
    assert parse_hotwords(text) == terms


def test_what_the_decoder_is_told() -> None:
    assert DecoderPrompt().text == ""
    assert DecoderPrompt(("Siobhan", "Kubernetes")).text == "Siobhan, Kubernetes."


def test_a_list_that_is_too_long_is_cut_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    prompt = DecoderPrompt([f"Name{number}" for number in range(1000)])
    assert len(prompt.text) <= MAX_CHARACTERS + 1
    assert prompt.hotwords[:2] == ("Name0", "Name1")
    assert "of 1000 hotwords" in caplog.text


@pytest.mark.parametrize(
    ("transcript", "echo", "reading"),
    [
        ("Siobhan, Kubernetes.", True, True),
        ("kubernetes Siobhan Siobhan", True, True),
        ("Siobhan.", True, False),
        ("Call Siobhan about the Kubernetes cluster.", False, False),
        ("", False, False),
        ("Siobhan Nguyen", False, False),
    ],
)
def test_an_echo_of_the_list(transcript: str, echo: bool, reading: bool) -> None:
    prompt = DecoderPrompt(("Siobhan", "Kubernetes"))
    assert prompt.may_be_echo(transcript) is echo
    assert prompt.reads_the_list(transcript) is reading


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (Decoding("Turn it on.", avg_logprob=-0.2), True),
        (Decoding("Siobhan, Kubernetes.", avg_logprob=-0.2), False),
        (Decoding("Siobhan.", avg_logprob=-0.2), True),
        (Decoding("Siobhan.", avg_logprob=-0.9), False),
        (Decoding("you " * 40, avg_logprob=-0.2), False),
    ],
    ids=["speech", "the list", "a clear name", "a doubtful name", "a loop"],
)
def test_what_may_be_the_prompt_is_decoded_without_it(told: Decoding, kept: bool) -> None:
    prompt, untold = DecoderPrompt(("Siobhan", "Kubernetes")), Decoding("Turn it off.")
    text = prompt.text
    found = prompt.decode(lambda given: [Decoding("First."), told] if given else [untold], text)
    assert found == (([Decoding("First."), told], text) if kept else ([untold], ""))


def test_without_a_prompt_nothing_is_decoded_twice() -> None:
    asked: list[str] = []

    def decode(prompt: str) -> list[Decoding]:
        asked.append(prompt)
        return [Decoding("you " * 40)]

    DecoderPrompt().decode(decode, "")
    assert asked == [""]
