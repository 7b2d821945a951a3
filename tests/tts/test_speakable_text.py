"""What is said of a reply."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_desktop.tts import speakable_text
from s2s_desktop.tts.speakable_text import SpeakableText
from s2s_desktop.tts.speakable_words import LONGEST_WORD, clean_word


def spoken(text: str, cuts: list[int] | None = None) -> str:
    step = SpeakableText()
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts or [])})
    return "".join(step.feed(text[a:b]) for a, b in itertools.pairwise(edges)) + step.finish()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Plain words stay.", "Plain words stay."),
        ("You *shouldn't* panic", "You shouldn't panic"),
        ("**Hi**", "Hi"),
        ("**Bold, with a comma.** And on.", "Bold, with a comma. And on."),
        ("***both***", "both"),
        ("A _word_ and snake_case_name", "A word and snake_case_name"),
        ("# Title", "Title"),
        ("`x = 1`", "x = 1"),
        ("- one\n- two", "one\ntwo"),
        ("* one\n* **two**: three", "one\ntwo: three"),
        ("1. Boil water.\n2. Add tea.", "1. Boil water.\n2. Add tea."),
        ("***", ""),
        ("> quoted", "quoted"),
        ("[link](https://example.org)", "link"),
        ("See [the docs, part 1](https://example.org/a_b) now.", "See the docs, part 1 now."),
        ("![a cat](cat.png)", "a cat"),
        ("Go to https://www.example.com/path?q=1.", "Go to example.com."),
        ("<https://example.com>", "example.com"),
        ("See www.example.com/a for more.", "See example.com for more."),
        ("* * *", ""),
        ("- - -\nText", "Text"),
        ("- [ ] task one", "task one"),
        ("_all of it_ and __this one__ too", "all of it and this one too"),
        ("before\n```python\nprint('x')\n```\nafter", "before\nafter"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a, b\n1, 2"),
        ("Nice 😀👍🏽 work", "Nice work"),
        ("zero\u200bwidth", "zerowidth"),
        ("2 * 3 is 6", "2 * 3 is 6"),
        ("---\nTitle\n---", "Title\n"),
        ("a -> b", "a b"),
        ("==marked== text", "marked text"),
        ("<john@example.com>", "john@example.com"),
        ("Write to mailto:a@b.com.", "Write to a@b.com."),
        ("[mail](mailto:a@b.com)", "mail"),
        ("(see https://example.com/a_(b))", "(see example.com)"),
        ("ftp://example.com/a", "example.com"),
        ("<!-- not for you --> shown", "shown"),
        ("<!--x-->shown", "shown"),
        ("> [!NOTE]\n> Text", "Text"),
        ("A fact.[^1]\n\n[^1]: The source.", "A fact.\nThe source."),
        ("A fact¹ about 5 km².", "A fact about 5 km²."),
        ("The end.<|im_end|>", "The end."),
        ("Go 🇬🇧 👩‍👩‍👧 👍🏽 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f on", "Go on"),
        ("か\u3099き", "か\u3099き"),
        ("ประเทศไทย น้ำ", "ประเทศไทย น้ำ"),
        ("שלום, עולם", "שלום, עולם"),
        ("Que dire ? « Rien ! »", "Que dire ? « Rien ! »"),
        ("The square $x^2$ is.", "The square x^2 is."),
        ("So $a + b = c$, right?", "So a + b = c, right?"),
        (r"It is \(x^2 + 1\) now.", "It is x^2 + 1 now."),
        ("$$E = mc^2$$", "E = mc^2"),
        ("\\[\n\\frac{a}{b}\n\\]\nNext", "a/b\nNext"),
        (r"See $\begin{matrix}1&2\end{matrix}$ here", "See here"),
        ("$5 and $6", "$5 and $6"),
        ("It costs 5$, or US$5.", "It costs 5$, or US$5."),
        ("$5x + 3$ and $10$", "5x + 3 and 10"),
        ("$HOME is a path\nnext", "$HOME is a path\nnext"),
        ("the `$x` value", "the $x value"),
        ("| a | $x^2$ |\n|---|---|\n| 1 | 2 |", "a, x^2\n1, 2"),
        ("5 < 6 and 7 > 2", "5 < 6 and 7 > 2"),
        ("a<br>b", "a b"),
        ("नमस्ते, दुनिया।", "नमस्ते, दुनिया।"),
        ("สวัสดีครับ", "สวัสดีครับ"),
        ("¿Qué tal? ¡Bien! «Oui»", "¿Qué tal? ¡Bien! «Oui»"),
        ("你好，**世界**。", "你好，世界。"),
        ("مرحبا بالعالم", "مرحبا بالعالم"),
        ("It is sunny. What is", "It is sunny. What is"),
        ("3.14 and 1,000", "3.14 and 1,000"),
        (r"a \* b", "a b"),
        ("> quoted\n> more", "quoted\nmore"),
        ("- [x] done", "done"),
        ("Title\n=====\nText", "Title\nText"),
        ("~~~\ncode\n~~~\nafter", "after"),
        ("- item\n      ```sh\n      ls\n      ```\n- next", "item\nnext"),
        ("|a|b|\n|:-:|--|\n|c|**d**|\nnext", "a, b\nc, d\nnext"),
        ('[text](https://example.org "a title") next', "text next"),
        ('<a href="https://example.org">text</a> next', "text next"),
        ("[reference][1] next", "reference next"),
        ("A fact [1] and another[2].", "A fact and another."),
        ("Fish &amp; chips", "Fish & chips"),
        ("**kwargs and foo**bar**baz", "kwargs and foobarbaz"),
        ("2*3", "2*3"),
        ("`2**10`, **5** and **bold**", "2**10, 5 and bold"),
        ("Hi\U0001f468\u200d\U0001f469\u200d\U0001f467there", "Hi there"),
        ("1\ufe0f\u20e3 first", "1 first"),
        ("it is 20\u202f°C, no\xa0kidding", "it is 20 °C, no kidding"),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("வணக்கம், உலகம்!", "வணக்கம், உலகம்!"),
        ("a lone surrogate \ud800 here", "a lone surrogate here"),
        ("a\n\n\n\nb", "a\nb"),
        ("<think>\nsecret, *secret*\n</think>\n\nGood morning!", "Good morning!"),
        ("so it goes</thinking>Hi <thought>x</thought>there", "so it goes Hi there"),
        ("the tag `<think>` opens it", "the tag opens it"),
        ("[链接](https://example.org) 好", "链接 好"),
    ],
)
def test_said(written: str, said: str) -> None:
    assert spoken(written) == said


@given(
    text=st.text(alphabet="ab *_`#$[]()|-.,!\n\\<>😀é。1", max_size=80),
    cuts=st.lists(st.integers(0, 500), max_size=20),
)
def test_what_is_said_does_not_depend_on_the_chunks(text: str, cuts: list[int]) -> None:
    assert spoken(text, cuts) == spoken(text)


def test_a_lone_star_does_not_hold_up_the_voice() -> None:
    assert SpeakableText().feed("A *star that never closes, and ") == "A star that never closes, and "


def test_a_word_is_said_as_soon_as_it_has_ended() -> None:
    assert SpeakableText().feed("Well, yes I do. And") == "Well, yes I do. "


def test_a_script_without_spaces_is_said_letter_by_letter() -> None:
    assert SpeakableText().feed("今日は晴れ。はい") == "今日は晴れ。はい"


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        ("a **bold word", "a bold word "),
        ("some `code that", "some code that "),
        ("a [link that", "a link that "),
        ("a [link](https://example.org and", "a link "),
        ("<a href and", ""),
        ("<think>secret", ""),
    ],
)
def test_only_what_is_hidden_is_held_back(opening: str, said: str) -> None:
    assert SpeakableText().feed(f"{opening} ") == said


def test_an_address_that_never_closes_hides_no_more_than_its_line() -> None:
    assert spoken("See [this](https://example.org and\nthat.") == "See this \nthat."


def test_a_transformer_begins_anew_after_its_end() -> None:
    step = SpeakableText()
    step.feed("```\ncode")
    step.finish()
    assert step.feed("Hello there ") + step.finish() == "Hello there "


@pytest.mark.parametrize("unit", ["a", "1.", "<!--", "](", "†", "(a", "中†", "|a†", "mailto:", "\\(", "www."])
def test_the_work_on_a_word_without_end_has_an_end(monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    worked_on: list[int] = []
    monkeypatch.setattr(
        speakable_text, "clean_word", lambda word: worked_on.append(len(word)) or clean_word(word)
    )
    text = (unit * 20_000)[:20_000]
    assert len(spoken(text)) <= len(text)
    assert sum(worked_on) <= len(text)
    assert max(worked_on, default=0) <= LONGEST_WORD


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("See [this](data:image/png;base64,{junk}) now.", "See this now."),
        ("See https://example.org/{junk} now.", "See example.org now."),
        ("<think>{junk}</think>Hello there.", "Hello there."),
    ],
)
def test_a_long_word_still_ends_what_it_opens(written: str, said: str) -> None:
    assert spoken(written.format(junk="A1b2" * 5_000)) == said


@pytest.mark.parametrize("length", [LONGEST_WORD - 1, LONGEST_WORD, LONGEST_WORD + 1, 3 * LONGEST_WORD])
def test_a_long_word_does_not_depend_on_the_chunks_either(length: int) -> None:
    text = ("x(y1" * LONGEST_WORD)[:length] + " end"
    assert spoken(text, list(range(0, length, 7))) == spoken(text)
