"""What Whisper is told before it hears: the user's own names and terms.

Whisper takes the prompt for what was said before, spells like it and prefers its words. Over sound without
words it may repeat the prompt itself, so a transcript that could be such an echo has to be confirmed by a
decoding without the prompt.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence

from s2s_desktop.stt.decoding import Decoding
from s2s_desktop.stt.transcript_filter import UNSURE, is_loop
from s2s_desktop.stt.words import words_of

MAX_CHARACTERS = 600
"""Of all hotwords together. The decoder reads the prompt for every turn; its room is 224 tokens."""

_ECHO_SHARE = 0.6
"""Of the words of a transcript: an echo is not always word for word."""

_log = logging.getLogger(__name__)
_SEPARATORS = re.compile(r"[,;、，；\n]+")


def parse_hotwords(text: str) -> tuple[str, ...]:
    """Return the terms of a list as a user writes it, each once, in order.

    Args:
        text: Terms separated by commas (of any script), semicolons or line breaks.
    """
    terms = (" ".join(term.split()) for term in _SEPARATORS.split(text))
    return tuple(dict.fromkeys(term for term in terms if any(sign.isalnum() for sign in term)))


class DecoderPrompt:
    """The prompt of one transcriber.

    Args:
        hotwords: Names and terms that the user says often. Those beyond `MAX_CHARACTERS` are left out, which
            is logged.
    """

    def __init__(self, hotwords: Sequence[str] = ()) -> None:
        kept: list[str] = []
        for term in hotwords:
            if len(", ".join([*kept, term])) > MAX_CHARACTERS:
                _log.warning("Only the first %d of %d hotwords are used", len(kept), len(hotwords))
                break
            kept.append(term)
        self.hotwords = tuple(kept)

    @property
    def text(self) -> str:
        """What the decoder is told; "" for nothing."""
        return ", ".join(self.hotwords) + "." if self.hotwords else ""

    def decode(self, decode: Callable[[str], list[Decoding]], prompt: str) -> tuple[list[Decoding], str]:
        """Decode with a prompt, and without it where the result may be the prompt and not the speech.

        Args:
            decode: Decodes the speech with a prompt.
            prompt: `text`, or "".

        Returns:
            What was decoded, and the prompt it was decoded with.
        """
        decodings = decode(prompt)
        if prompt and any(self._is_suspect(decoding) for decoding in decodings):
            return decode(""), ""
        return decodings, prompt

    def may_be_echo(self, transcript: str) -> bool:
        """Return whether most words of a transcript are those of the prompt."""
        told = set(_keys(self.text))
        words = _keys(transcript)
        return bool(words) and sum(word in told for word in words) >= _ECHO_SHARE * len(words)

    def _is_suspect(self, decoding: Decoding) -> bool:
        doubtful = decoding.avg_logprob < UNSURE
        return (
            is_loop(decoding.text)
            or self.reads_the_list(decoding.text)
            or (doubtful and self.may_be_echo(decoding.text))
        )

    def reads_the_list(self, transcript: str) -> bool:
        """Return whether a transcript is two or more of the hotwords and nothing else."""
        # Two spaces between words: each has its own on both sides.
        left = _spread(transcript)
        found = 0
        for term in sorted(map(_spread, self.hotwords), key=len, reverse=True):
            found += left.count(term)
            left = left.replace(term, "")
        return found > 1 and not left.strip()


def _spread(text: str) -> str:
    return f" {'  '.join(_keys(text))} "


def _keys(text: str) -> list[str]:
    return [word.key for word in words_of(text)]
