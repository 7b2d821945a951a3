"""What is heard while the assistant speaks: words meant for it, a sign of listening, or its own voice."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import TypeAlias

InWords: TypeAlias = Callable[[str], str]
"""Returns a text as it is read out: "$5" as "five dollars". A text without figures comes back as it is."""

_BACKCHANNELS = frozenset(
    word
    for words in (
        "mm mmm mhm mmhm mm-hm mm-hmm mhmm hm hmm hmmm huh uh uhh uh-huh uhhuh um",
        "ah ahh aha oh ooh eh er erm",
        "yeah yep yup okay ok right sure cool wow nice",
        "ja jaja genau klar achso gut",
        "sí si claro vale ajá ya",
        "oui ouais d'accord bien ouah",
        "sì certo bene esatto già",
        "sim tá pois certo aham",
        "हाँ हां अच्छा ठीक जी हम्म",
        "うん うんうん はい ええ そう へえ なるほど ふーん",
        "嗯 嗯嗯 對 对 好 是 哦 啊",
    )
    for word in words.split()
)
"""Signs of listening: sounds in the spellings that Whisper gives them, then words that say no more than "go
on" in the languages that the voice speaks. "No", "stop" and "wait" are not among them in any language."""

OWN_VOICE_SHARE = 0.8
"""Share of the words of a transcript that must be among the last spoken ones to count as our own voice."""

OWN_VOICE_LIKENESS = 0.7
"""Likeness of letters (`difflib`) from which words count as misheard ones of our own: "worry about a kid" for
"story about a king" has 0.76. Of 480 pairs of a remark of 3 to 11 words and a reply on something else, 5 had
0.6 or more, and none more than 0.69 ("Set a timer for ten minutes": "potatoes for twenty minutes")."""

OWN_VOICE_SHIFT = 4
"""Letters by which misheard words may be longer or shorter. A question about what was said has the same words
elsewhere: "What is the capital of France?" behind "The capital of France is Paris."."""

OWN_VOICE_WORDS = 3
"""With fewer words the likeness may be chance: a short answer often repeats a word of the question."""

JUST_SPOKEN_WORDS = 10
"""Words that can be in the room when the voice is held: about three seconds of speech, with the second ahead
that the devices may be late."""

_SPOKEN_BEFORE = 40
"""Words that the room can still hold: about fifteen seconds of speech."""

_LETTERS_BEFORE = 12 * _SPOKEN_BEFORE
"""Letters that hold as many words, so that no more of a long reply is read out to compare it."""


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, without marks; Chinese and Japanese stay in runs."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    spaced = "".join(" " if _is_mark(sign) else sign for sign in plain)
    return [word for word in (each.strip("'-") for each in spaced.split()) if word]


def _is_mark(sign: str) -> bool:
    return sign not in "'-" and unicodedata.category(sign)[0] in "PSZC"


def is_backchannel(text: str) -> bool:
    """Return whether a text only says "I am listening" (or nothing): no reason to stop speaking."""
    return all(word in _BACKCHANNELS for word in words_of(text))


def is_own_voice(text: str, spoken: str, in_words: InWords = str) -> bool:
    """Return whether a transcript is what the assistant has just said, come back through the microphone.

    Args:
        text: What was transcribed.
        spoken: What the assistant has said so far in this reply.
        in_words: Reads out figures in the language of both: where one has "12", the other may have "twelve".
    """
    heard, last = _comparable(text, spoken, in_words)
    if len(heard) < OWN_VOICE_WORDS:
        return False
    last = last[-_SPOKEN_BEFORE - len(heard) :]
    return _in_order(heard, last) >= OWN_VOICE_SHARE * len(heard) or _is_misheard(heard, last)


def repeats_last_words(text: str, spoken: str, in_words: InWords = str) -> bool:
    """Return whether one or two words said into the reply are among those that it has just spoken.

    A rest of our own voice holds the voice, and with it ends: it is short. What follows a reply must not be
    asked this, for a short answer often repeats a word of the question.

    Args:
        text: What was transcribed.
        spoken: What the assistant has said so far in this reply.
        in_words: See `is_own_voice`.
    """
    heard, last = _comparable(text, spoken, in_words)
    last = last[-JUST_SPOKEN_WORDS:]
    runs = (last[start : start + len(heard)] for start in range(len(last)))
    return 0 < len(heard) < OWN_VOICE_WORDS and heard in runs


def _comparable(text: str, spoken: str, in_words: InWords) -> tuple[list[str], list[str]]:
    """Return the words of a transcript and the last spoken ones, both with figures or both without."""
    recent = spoken[-_LETTERS_BEFORE - 2 * len(text) :]
    if _has_figures(text) or _has_figures(recent):
        text, recent = in_words(text), in_words(recent)
    return words_of(text), words_of(recent)


def _has_figures(text: str) -> bool:
    return any(sign.isdigit() for sign in text)


def _is_misheard(words: list[str], among: list[str]) -> bool:
    """Return whether `words` sound like as many words in a row of `among`."""
    letters = "".join(words)
    compared = SequenceMatcher(b=letters, autojunk=False)
    for start in range(len(among)):
        run = "".join(among[start : start + len(words)])
        compared.set_seq1(run)
        enough = OWN_VOICE_LIKENESS * (len(letters) + len(run)) / 2
        if compared.quick_ratio() >= OWN_VOICE_LIKENESS and _in_place(compared) >= enough:
            return True
    return False


def _in_place(compared: SequenceMatcher[str]) -> int:
    """Return how many letters are alike and where they were said."""
    blocks = compared.get_matching_blocks()
    return sum(block.size for block in blocks if abs(block.a - block.b) <= OWN_VOICE_SHIFT)


def _in_order(words: list[str], among: list[str]) -> int:
    """Return how many of `words` stand in `among` in the same order (longest common subsequence)."""
    lengths = [0] * (len(among) + 1)
    for word in words:
        before = 0
        for index, other in enumerate(among, start=1):
            above = lengths[index]
            lengths[index] = before + 1 if word == other else max(above, lengths[index - 1])
            before = above
    return lengths[-1]
