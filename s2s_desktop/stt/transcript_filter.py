"""Tells what was said from what Whisper makes up over silence, noise and music.

A transcript is dropped on evidence: the decoder's own doubt, a loop, or no words in it. Wording counts only
together with that doubt, because people do say "Thank you".
"""

from __future__ import annotations

import re
import unicodedata

from s2s_desktop.stt.decoding import Decoding

NO_SPEECH = 0.6
"""`no_speech_prob` above which Whisper itself drops a window (its paper, section 4.5). Measured: real speech
stays below 0.2, silence gives 0.7."""

UNSURE = -0.7
"""`avg_logprob` below which a window that may hold no speech is dropped. Whisper's own -1.0 lets the "You"
pass which it writes over digital silence (-0.79)."""

LOOPING = 2.4
"""`compression_ratio` above which Whisper calls a text a loop (its paper, section 4.5)."""

SPARSE = 3.0
SPARSE_IN = {"ja": 4.5, "zh": 4.5}
SPARSE_FROM_S = 4.0
"""Tokens a second of speech below which Whisper has left out a sentence or two, without any doubt in its
probabilities. Measured: 2.3 in two of 27 recordings, which lacked half of their words; the slowest speaker
had 3.7. In Japanese and Chinese, which take more tokens, 3.5 against 5.9 and 7.0."""
SPARSE_SHORT = 2 / 3
SPARSE_SHORT_FROM_S = 1.2
"""The share of that which makes short speech too sparse: there one drawn-out word makes more of a difference.
Measured: 1.1 tokens a second where "go forward" was missing; of 112 pieces of 1-3.2 s three were below 2."""

_MADE_UP = re.compile(
    r"(thanks?( you)?( (very|so) much)?( (all|everyone|guys))?( for (watching|listening|viewing))?"
    r"|(please )?(like and )?subscribe.*|see you( (in the )?next (video|time))?|bye( bye)*|you|okay|the end"
    r"|(subtitles|captions|transcription|translated) by .*|amara ?org.*|sous titrage .*|untertitel .*)"
)
"""What Whisper writes over silence: the ends of the videos it was trained on."""

_REMARK = re.compile(r"\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫][^♪♫]*[♪♫]?|<\|[^|]*\|>")
"""Remarks about the sound: `[SPEAKING CHINESE]`, `(music)`, `*coughs*`."""

_LOOP = re.compile(r"(?P<unit>\S.{0,59}?)(?P=unit){3,}")
_MANY = 8
"""How often a unit of up to three letters, or one word, has to repeat: "no no no" and "hahaha" are speech."""


def spoken_text(decoding: Decoding) -> str:
    """Return the text that was said, trimmed; "" when the evidence speaks against it."""
    text = decoding.text.strip()
    if not _has_words(_REMARK.sub(" ", text)):
        return ""
    doubtful = decoding.no_speech_prob > NO_SPEECH
    if doubtful and (decoding.avg_logprob < UNSURE or _MADE_UP.fullmatch(_plain(text))):
        return ""
    if decoding.compression_ratio > LOOPING or is_loop(text):
        return ""
    return text


def needs_second_look(decoding: Decoding, voiced_s: float = 0.0, language: str = "") -> bool:
    """Return whether a cheap decoding looks wrong enough to pay for a careful one.

    Args:
        decoding: The cheap one.
        voiced_s: Seconds of speech in the sound; 0 where they are not known.
        language: What was decoded, one of Whisper's codes.
    """
    return (
        decoding.truncated
        or _is_too_short(decoding, voiced_s, language)
        or decoding.avg_logprob < -1.0
        or decoding.compression_ratio > LOOPING
        or is_loop(decoding.text)
        or _says_everything_twice(decoding.text)
    )


def _is_too_short(decoding: Decoding, voiced_s: float, language: str) -> bool:
    if decoding.tokens is None or voiced_s < SPARSE_SHORT_FROM_S:
        return False
    least = SPARSE_IN.get(language, SPARSE)
    if voiced_s < SPARSE_FROM_S:
        least *= SPARSE_SHORT
    return decoding.tokens < least * voiced_s


def is_loop(text: str) -> bool:
    """Return whether most of the text is one unit over and over, as no person speaks."""
    plain = _plain(text) + " "
    for loop in _LOOP.finditer(plain):
        unit = loop["unit"]
        repeats = len(loop[0]) // len(unit)
        short = len(unit.strip()) <= 3 or " " not in unit.strip()
        if len(loop[0]) * 2 < len(plain) or unit.replace(" ", "").isdigit():
            continue
        if repeats >= (_MANY if short else 4):
            return True
    return False


def _says_everything_twice(text: str) -> bool:
    words = _plain(text).split()
    return any(
        words == words[:length] * (len(words) // length)
        for length in range(3, len(words) // 2 + 1)
        if len(words) % length == 0
    )


def _plain(text: str) -> str:
    """Lower-case words without punctuation, one space apart."""
    kept = "".join(sign if _is_wordlike(sign) else " " for sign in text.lower().replace("'", ""))
    return " ".join(kept.split())


def _has_words(text: str) -> bool:
    return any(sign.isalnum() for sign in text)


def _is_wordlike(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNM"
