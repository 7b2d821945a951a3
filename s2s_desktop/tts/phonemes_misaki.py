"""Japanese and Mandarin phonemes, read by misaki, which wrote those that Kokoro was trained on.

misaki's extras `[ja]` and `[zh]` are installed without what is not used: another way to read Japanese
(pyopenjtalk, which must be compiled) and a dictionary that is downloaded at run time (unidic). The dictionary
here is unidic-lite, which comes as a package.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.phonemes import known, tokens_of
from s2s_desktop.tts.phonemes_english import EnglishReader
from s2s_desktop.tts.phonemes_espeak import readable_part
from s2s_desktop.tts.scripts import HAN, KANA, LATIN

_ENGLISH = re.compile(r"[A-Za-zÀ-ɏ]+(?:[ '’.&-]+[A-Za-zÀ-ɏ]+)*")
"""Words in Latin letters with what joins them. misaki leaves them as they are, and Kokoro would speak their
letters as phonemes."""

_HALF_WIDTH = str.maketrans({wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F) if chr(wide).isalnum()})
"""Letters and digits of full width have their plain form in the same order, 0xFEE0 below."""

_LONG_FIGURE = re.compile(r"\d{10,}")
"""misaki counts up to nine figures in Japanese and sixteen in Chinese; longer numbers are read one by one."""

_IDLE_SPACE = re.compile(r"(?<=[\u3005-\u30ff\u3400-\u9fff])[ \n]+(?=[\u3005-\u30ff\u3400-\u9fff])")
"""Space between two Chinese or Japanese characters says nothing, but would part words."""

_VARIANTS = str.maketrans("髙﨑𠮷", "高崎吉")
"""Characters of names that the dictionary knows only in their usual form."""


class JapaneseReader:
    """Reads Japanese; words in Latin letters as English. Takes about 0.4 s to load.

    Raises:
        AssistantError: INTERNAL when misaki or its dictionary is not installed.
        OSError, RuntimeError: espeak-ng or its data cannot be loaded.
    """

    def __init__(self) -> None:
        try:
            with _old_calls():
                # Not misaki.ja, which also wants pyopenjtalk.
                from misaki.cutlet import Cutlet

            self._misaki: Any = Cutlet()
        except (ImportError, RuntimeError) as error:
            raise _missing("Japanese", error) from error
        self._mixed = _MixedText(frozenset({LATIN, KANA, HAN}), "ja", self._read_japanese)

    def read(self, text: str) -> str:
        """See `Reader.read`."""
        return self._mixed.read(text.translate(_VARIANTS))

    def tokens(self, phonemes: str) -> list[int]:
        """See `Reader.tokens`."""
        return tokens_of(phonemes)

    def _read_japanese(self, text: str) -> str:
        phonemes: str = self._misaki(text)[0]
        return phonemes.replace("...", "…").replace("«", "(").replace("»", ")")


class MandarinReader:
    """Reads Mandarin; words in Latin letters as English. Takes about 1 s to load.

    Raises:
        AssistantError: INTERNAL when misaki or what it needs is not installed.
        OSError, RuntimeError: espeak-ng or its data cannot be loaded.
    """

    def __init__(self) -> None:
        try:
            with _old_calls():
                import jieba
                from misaki.zh import ZHG2P
                from pypinyin import load_single_dict
        except ImportError as error:
            raise _missing("Chinese", error) from error
        # jieba would keep its dictionary in the folder for temporary files, where others may replace it by
        # anything, and read it with marshal.
        segmenter = jieba.dt
        segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
        segmenter.initialized = True
        # Alone, these are mostly "long" (not "to grow") and particles behind a verb and an adverb.
        load_single_dict({ord("长"): "cháng,zhǎng", ord("得"): "de,dé,děi", ord("地"): "de,dì"})
        self._misaki: Any = ZHG2P()
        self._mixed = _MixedText(frozenset({LATIN, HAN}), "zh", self._read_mandarin)

    def read(self, text: str) -> str:
        """See `Reader.read`."""
        return self._mixed.read(text)

    def tokens(self, phonemes: str) -> list[int]:
        """See `Reader.tokens`."""
        return tokens_of(phonemes)

    def _read_mandarin(self, text: str) -> str:
        phonemes: str = self._misaki(text.strip())[0]
        return phonemes


class _MixedText:
    """Reads text with English words in it: they are read by an English voice's reader.

    Args:
        readable: Scripts that can be read, as `script_of` names them.
        language: For the log.
        read_own: Reads a piece of the text without Latin letters.
    """

    def __init__(self, readable: frozenset[str], language: str, read_own: Callable[[str], str]) -> None:
        self._readable = readable
        self._language = language
        self._read_own = read_own

    def read(self, text: str) -> str:
        """Return the phonemes of a text, "" when there is nothing to say."""
        sayable = readable_part(text, self._readable, self._language).translate(_HALF_WIDTH)
        if not any(sign.isalnum() for sign in sayable):
            return ""
        sayable = _IDLE_SPACE.sub("", sayable)
        sayable = _LONG_FIGURE.sub(lambda found: " ".join(found[0]), sayable)
        phonemes, end = [], 0
        for found in _ENGLISH.finditer(sayable):
            phonemes += [self._own(sayable[end : found.start()]), self._english.read(found[0])]
            end = found.end()
        return known(_close_up(" ".join([*phonemes, self._own(sayable[end:])])))

    def _own(self, text: str) -> str:
        return self._read_own(text) if text.strip() else ""

    @cached_property
    def _english(self) -> EnglishReader:
        """Loaded with the first English word."""
        return EnglishReader("en-us")


def _close_up(phonemes: str) -> str:
    """Remove the space ahead of a mark that belongs to the word before it."""
    return re.sub(r"\s+(?=[;:,.!?…”)])", "", phonemes)


@contextmanager
def _old_calls() -> Iterator[None]:
    """Allow imports what Python and setuptools advise against: misaki and jieba are older than the advice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _missing(language: str, error: Exception) -> AssistantError:
    return AssistantError(
        ErrorKind.INTERNAL,
        f"{language} cannot be spoken, because a part of S2S Desktop (misaki) is missing: it needs Python "
        "3.11 or 3.12. Install S2S Desktop again with one of them.",
        str(error),
    )
