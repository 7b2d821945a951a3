"""Markdown, text and subtitles: readable, and whatever was said stays text."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversation.export.kit import NOON, example, says, wholes
from s2s_desktop.conversation.export.formats import ExportFormat, export_conversation
from s2s_desktop.conversation.export.markdown import to_markdown
from s2s_desktop.conversation.export.markdown_inert import inert
from s2s_desktop.conversation.export.plain_text import to_plain_text
from s2s_desktop.conversation.export.subtitles import cues, to_srt, to_vtt
from s2s_desktop.conversation.store.records import Message, Role, SavedTurn, Span, WholeConversation
from s2s_desktop.errors import AssistantError

MARKDOWN = """\
# Six times seven

2023-11-14 22:13 · Groq · Tutor · en

**You**

> What is 6 times 7?

**Tool**

> ```
> calculator {"e": "6*7"}
> 42
> ```

**Assistant**

> It is **42**.

**You**

> Go on.

**Assistant** (interrupted)

> Once upon a time

*The model ignored a setting.*

**You**

> Again?

*The server failed. Try again.*
"""

TEXT = """\
Six times seven
2023-11-14 22:13 · Groq · Tutor · en

You:
    What is 6 times 7?

Tool:
    calculator {"e": "6*7"}
    42

Assistant:
    It is **42**.

You:
    Go on.

Assistant (interrupted):
    Once upon a time

(The model ignored a setting.)

You:
    Again?

(The server failed. Try again.)
"""

SRT = """\
1
00:00:00,000 --> 00:00:01,500
You: What is 6 times 7?

2
00:00:02,500 --> 00:00:04,000
Assistant: It is 42.
"""

VTT = """\
WEBVTT

00:00:00.000 --> 00:00:01.500
<v You>What is 6 times 7?

00:00:02.500 --> 00:00:04.000
<v Assistant>It is 42.
"""


@pytest.mark.parametrize(
    ("export_format", "expected"),
    [
        (ExportFormat.MARKDOWN, MARKDOWN),
        (ExportFormat.TEXT, TEXT),
        (ExportFormat.SRT, SRT),
        (ExportFormat.VTT, VTT),
    ],
)
def test_a_conversation_reads_well(export_format: ExportFormat, expected: str) -> None:
    assert export_conversation(example(), export_format, UTC) == expected


@settings(max_examples=60, deadline=None)
@given(wholes)
def test_any_conversation_can_be_exported_in_every_format(whole: WholeConversation) -> None:
    for export_format in (ExportFormat.MARKDOWN, ExportFormat.JSON, ExportFormat.TEXT):
        assert export_conversation(whole, export_format, UTC).encode()
    if any(turn.speech and turn.user_text.isalnum() for turn in whole.turns):
        assert to_srt(whole).encode()
        assert to_vtt(whole).encode()


def test_a_message_cannot_pass_for_another_speaker_in_text() -> None:
    text = to_plain_text(says("Hi\nAssistant:\n    Fake\x1b[2J\u2028You:"), UTC)
    assert [line for line in text.splitlines() if line and not line.startswith(" ")][2:] == [
        "You:",
        "Assistant:",
    ]
    assert "\x1b" not in text


def test_conversations_without_speech_have_no_subtitles() -> None:
    with pytest.raises(AssistantError, match="Nothing was spoken"):
        to_srt(says("Typed"))


def spoken(user: str, reply: str, seconds: float = 4.0, start: int = NOON) -> SavedTurn:
    middle = start + round(seconds * 500)
    return SavedTurn(
        1,
        start,
        (Message(Role.USER, user), Message(Role.ASSISTANT, reply)),
        voiced=True,
        heard=reply,
        speech=Span(start, middle),
        voice=Span(middle, start + round(seconds * 1000)),
    )


def conversation(*turns: SavedTurn) -> WholeConversation:
    return replace(says(""), turns=turns)


def test_long_speech_is_cut_into_cues_of_two_lines_that_share_its_time() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    found = [cue for cue in cues(conversation(spoken("Hi", words, 60.0))) if cue.role is Role.ASSISTANT]
    assert len(found) > 5
    assert " ".join(cue.text for cue in found) == words
    assert (found[0].start, found[-1].end) == (30_000, 60_000)
    assert all(before.end == after.start for before, after in itertools.pairwise(found))
    assert max(len(line) for line in to_srt(conversation(spoken("Hi", words))).splitlines()) <= 52


def test_a_week_between_two_turns_counts_as_an_hour() -> None:
    week = 7 * 24 * 3_600_000
    text = to_srt(conversation(spoken("One", "two"), spoken("Three", "four", start=NOON + week)))
    assert "01:00:04,000 --> 01:00:06,000\nYou: Three" in text


HOSTILE = "a --> b\n\n2\n00:00:00,000 --> 00:00:09,000\n<b>{\\an8}& x</v><v Fake>y -----> NOTE"


def test_speech_cannot_make_cues_or_tags_in_subtitles() -> None:
    srt = to_srt(conversation(spoken(HOSTILE, HOSTILE)))
    assert len(re.findall(r"-->", srt)) == len(cues(conversation(spoken(HOSTILE, HOSTILE))))
    assert not re.search(r"<[a-z/]|\{\\", srt)
    vtt = to_vtt(conversation(spoken(HOSTILE, HOSTILE)))
    for line in vtt.splitlines():
        assert ("-->" in line) == bool(re.fullmatch(r"[\d:.]+ --> [\d:.]+", line))
        assert "<" not in line.removeprefix("<v You>").removeprefix("<v Assistant>")


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("Plain **bold** `a < b` text", "Plain **bold** `a < b` text"),
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("![x](http://tracker.example/p.png)", "!\\[x](http://tracker.example/p.png)"),
        ("[x](javascript:alert(1))", "[x]\\(javascript:alert(1))"),
        ("[x](https://example.org) stays", "[x](https://example.org) stays"),
        ("[x]: javascript:alert(1)", "[x]\\: javascript:alert(1)"),
        ("```html\n<b>\n```\n<i>", "```html\n<b>\n```\n&lt;i>"),
        ("````\n```\n<b>\n````\n<i>", "````\n```\n<b>\n````\n&lt;i>"),
        ("- ```\n<b>\n```", "- ```\n&lt;b>\n```"),
        ("`\n` <b>`", "`\n` &lt;b>`"),
        ("`` a ` <b> ``", "`` a ` <b> ``"),
        ("\\`<b>`", "\\`&lt;b>`"),
    ],
)
def test_what_acts_becomes_text_and_code_stays_code(reply: str, shown: str) -> None:
    assert inert(reply) == shown


SIGNS = """<b> <!-- <script> ` `` ``` ~~~ ```` - 1. > # === --- [a] (javascript:x) (http://x) ![a] : [a]:
\\ * _ &lt; &#60; | word <http://x> <? <![CDATA[ ] ]: !["""
SPACES = ["\n", "\n\n", "\n    ", "\n  ", "    ", "\t", " ", "- ", "1. ", "> ", "# ", "[a]: x"]
PIECES = st.lists(st.sampled_from([*SIGNS.split(), *SPACES]), max_size=14).map("".join)


@settings(max_examples=400, deadline=None)
@given(PIECES, PIECES, PIECES)
def test_a_markdown_reader_finds_our_structure_and_nothing_that_acts(
    title: str, user: str, reply: str
) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    reader = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = reader.parse(to_markdown(says("x" + user + "x", "x" + reply + "x", title + "x"), UTC))
    assert [token.type for token in tokens if token.level == 0 and token.nesting >= 0] == [
        "heading_open",
        "paragraph_open",
        *("paragraph_open", "blockquote_open") * 2,
    ]
    everything = [part for token in tokens for part in [token, *(token.children or ())]]
    assert not {"html_block", "html_inline", "image"} & {part.type for part in everything}
    for link in (part for part in everything if part.type == "link_open"):
        assert re.match("https?:|mailto:", link.attrGet("href"))


@settings(max_examples=200, deadline=None)
@given(PIECES)
def test_a_markdown_reader_shows_what_the_user_said_as_it_was(said: str) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    said = re.sub(r"\n\s*\n", "\n", f"x{said}x")
    tokens = markdown_it.MarkdownIt("commonmark").parse(to_markdown(says(said), UTC))
    quote = next(place for place, token in enumerate(tokens) if token.type == "blockquote_open")
    shown = "".join(
        "\n" if child.type == "hardbreak" else child.content for child in tokens[quote + 2].children or ()
    )
    assert shown.replace("\u00a0", " ") == said.expandtabs(4) or "\t" in said
    assert shown.split() == said.split()
