"""A caption grows at its end and stands still before it."""

from __future__ import annotations

import random

import pytest

from s2s_desktop.stt.captions import CaptionStabilizer
from s2s_desktop.stt.words import words_of

SCRIPTS = {
    "a sentence grows": (
        ["Could", "Could you", "Could you tell me.", "Could you tell me the time?"],
        ["", "Could", "Could you", "Could you tell me"],
        "Could you tell me the time?",
    ),
    "the full stop of a draft is no end": (
        ["Turn on.", "Turn on.", "Turn on the lamp", "turn on, the lamp and"],
        ["", "Turn on", "Turn on", "Turn on, the lamp"],
        "Turn on, the lamp and",
    ),
    "punctuation that both drafts go on behind is stable": (
        ["Hello, my", "Hello, my friend"],
        ["", "Hello, my"],
        "Hello, my friend",
    ),
    "one draft that strays changes nothing": (
        ["go to the store", "go to the store and", "go to a shore and buy", "go to the store and buy milk"],
        ["", "go to the store", "go to the store", "go to the store"],
        "go to the store and buy milk",
    ),
    "two drafts that say the same other thing are believed": (
        ["Thank you.", "Thank you.", "What's the", "What's the weather like?"],
        ["", "Thank you", "Thank you", "What's the"],
        "What's the weather like?",
    ),
    "Chinese grows by characters": (
        ["今天天", "今天天气怎", "今天天气怎么样？"],
        ["", "今天天", "今天天气怎"],
        "今天天气怎么样？",
    ),
    "Chinese with Latin words keeps their spaces": (
        ["他说：「你好」", "他说：「你好」 OK 吗", "他说：「你好」OK 吗？"],
        ["", "他说：「你好", "他说：「你好」OK 吗"],
        "他说：「你好」OK 吗？",
    ),
    "a Thai letter keeps its marks": (
        ["สวัส", "สวัสดี", "สวัสดีครับ"],
        ["", "สวัส", "สวัสดี"],
        "สวัสดีครับ",
    ),
    "Hindi words keep their vowel signs": (
        ["नमस्ते", "नमस्ते दुनिया", "नमस्ते दुनिया।"],
        ["", "नमस्ते", "नमस्ते दुनिया"],
        "नमस्ते दुनिया।",
    ),
    "a repeated word is not lost": (
        ["no, no", "no, no, no", "no, no, no, stop"],
        ["", "no, no", "no, no, no"],
        "no, no, no, stop",
    ),
    "a draft without words is shown and not stable": (
        ["...", "... Hi", "Hi there"],
        ["", "", "Hi"],
        "Hi there",
    ),
}


@pytest.mark.parametrize(("drafts", "stable", "shown"), SCRIPTS.values(), ids=SCRIPTS.keys())
def test_scripted_drafts(drafts: list[str], stable: list[str], shown: str) -> None:
    captions = CaptionStabilizer()
    partials = [captions.update(draft) for draft in drafts]
    assert [partial.text[: partial.stable] for partial in partials] == stable
    assert partials[-1].text == shown


def test_an_empty_draft_changes_nothing() -> None:
    captions = CaptionStabilizer()
    assert captions.update("") == captions.update("  ")
    captions.update("Turn on the")
    before = captions.update("Turn on the lamp")
    assert captions.update("") == before
    assert (before.text, before.stable) == ("Turn on the lamp", len("Turn on the"))


def test_a_shorter_draft_takes_nothing_back() -> None:
    captions = CaptionStabilizer()
    for draft in ("one two three four", "one two three four five", "one two"):
        partial = captions.update(draft)
    assert partial.text[: partial.stable] == "one two three four"


def test_a_word_heard_differently_once_is_neither_lost_nor_doubled() -> None:
    captions = CaptionStabilizer()
    for draft in ("said Catherine the", "said Catherine the next", "said Kathrin the next morning"):
        partial = captions.update(draft)
    assert partial.text == "said Catherine the next morning"


def test_reset_begins_a_new_caption() -> None:
    captions = CaptionStabilizer()
    captions.update("Hello there")
    captions.update("Hello there")
    captions.reset()
    assert captions.update("Good morning").stable == 0
    assert captions.update("Good morning").text == "Good morning"


def test_agreeing_drafts_never_take_back_what_is_stable() -> None:
    """Any growth of one text, cut anywhere (also inside words), with or without a full stop at the cut."""
    text = "Turn on the lamp, please; 今天天气很好。 Then tell me what's new in São Paulo and สวัสดีครับ"
    for seed in range(50):
        chance = random.Random(seed)
        captions, before, end = CaptionStabilizer(), "", 0
        while end < len(text):
            end += chance.randint(2, 12)
            partial = captions.update(text[:end] + chance.choice(["", "."]))
            stable = partial.text[: partial.stable]
            keys = [word.key for word in words_of(stable)]
            assert keys == [word.key for word in words_of(text)][: len(keys)]
            assert stable.startswith(before), (seed, before, stable)
            before = stable
