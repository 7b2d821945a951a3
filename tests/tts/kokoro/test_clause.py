"""A clause is given out in chunks with its words, whatever model says it."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.tts.kokoro.clause import KNEE, MAX_PHONEMES, Speaker, Utterance, soften_peaks, speak_clause
from s2s_desktop.tts.protocol import VoiceChunk

RATE = 24_000
LEAD_HALVES = 20
PHONEME_HALVES = 8


class SpellingReader:
    """Reads letter by letter: each is a phoneme."""

    def read(self, text: str) -> str:
        return " ".join(text.lower().split())

    def tokens(self, phonemes: str) -> list[int]:
        return [ord(sign) for sign in phonemes]


class SteadyVoice:
    """Says every phoneme for 0.1 s, after a silence of 0.25 s, in pieces of a given length."""

    def __init__(self, piece_s: float) -> None:
        self.said: list[int] = []
        self._piece_s = piece_s

    def utter(self, tokens: list[int], sounding: tuple[int, int], speed: float) -> Utterance:
        self.said.append(len(tokens))
        edges = np.array([0, *(LEAD_HALVES + PHONEME_HALVES * n for n in range(len(tokens) + 1)), 10_000])
        first, last = edges[1 + sounding[0]] * 300, edges[1 + sounding[1]] * 300
        sound = np.zeros(last + 6_000, np.float32)
        sound[first:last] = 0.5 * np.sin(np.arange(last - first) / 20)
        step = round(self._piece_s * RATE)
        cuts = range(0, sound.size, step)
        return Utterance(
            edges, 0, iter([(sound[cut : cut + step], cut + step >= sound.size) for cut in cuts])
        )


def chunks(text: str, piece_s: float = 0.6) -> list[VoiceChunk]:
    return list(speak_clause(Speaker("xx", SpellingReader(), SteadyVoice(piece_s)), text, 1.0))


TEXT = "one two three four\n five "


@pytest.mark.parametrize("piece_s", [0.1, 0.3, 0.6, 100.0])
def test_the_texts_of_the_chunks_are_the_text(piece_s: float) -> None:
    assert "".join(chunk.text for chunk in chunks(TEXT, piece_s)) == TEXT


@pytest.mark.parametrize("piece_s", [0.1, 0.3, 0.6, 100.0])
def test_every_word_is_heard_when_its_phonemes_are(piece_s: float) -> None:
    offset, heard = 0.0, []
    for chunk in chunks(TEXT, piece_s):
        assert chunk.samples.size
        assert " ".join(word.text for word in chunk.words) == " ".join(chunk.text.split())
        assert all(0 <= word.start < chunk.samples.size / RATE for word in chunk.words)
        heard += [(word.text, offset + word.start, offset + word.end) for word in chunk.words]
        offset += chunk.samples.size / RATE
    lead = 0.03  # of the silence ahead, this is kept
    expected = [("one", 0, 3), ("two", 4, 7), ("three", 8, 13), ("four", 14, 18), ("five", 19, 23)]
    for (word, start, end), (name, first, behind) in zip(heard, expected, strict=True):
        assert word == name
        assert start == pytest.approx(lead + 0.1 * first, abs=0.003)
        assert end == pytest.approx(lead + 0.1 * behind, abs=0.003)


def test_the_sound_does_not_depend_on_the_pieces() -> None:
    whole = np.concatenate([chunk.samples for chunk in chunks(TEXT, 100.0)])
    pieces = np.concatenate([chunk.samples for chunk in chunks(TEXT, 0.6)])
    np.testing.assert_array_equal(pieces, whole)


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_nothing_to_say_gives_no_chunk(text: str) -> None:
    assert chunks(text) == []


@pytest.mark.parametrize("count", [MAX_PHONEMES - 1, MAX_PHONEMES, MAX_PHONEMES + 1, 2 * MAX_PHONEMES])
def test_a_text_beyond_the_limit_is_said_in_parts_and_to_its_end(count: int) -> None:
    voice = SteadyVoice(100.0)
    text = ("on " * count)[:count].rstrip() + " end"
    spoken = list(speak_clause(Speaker("xx", SpellingReader(), voice), text, 1.0))
    assert all(length <= MAX_PHONEMES for length in voice.said)
    assert len(voice.said) == -(-len(text) // MAX_PHONEMES)
    assert "".join(chunk.text for chunk in spoken) == text
    words = [word for chunk in spoken for word in chunk.words]
    assert [word.text for word in words] == text.split()


def test_peaks_are_bent_below_one_and_the_rest_is_untouched() -> None:
    samples = np.array([0.2, -0.8, KNEE, 0.95, 1.3, -4.0], np.float32)
    bent = soften_peaks(samples.copy())
    np.testing.assert_array_equal(bent[:3], samples[:3])
    assert np.max(np.abs(bent)) <= 1.0
    assert np.all(np.diff(np.abs(bent)) > 0)


def test_peaks_that_are_bent_make_no_step() -> None:
    rising = np.linspace(0.0, 1.5, 30_000, dtype=np.float32)
    assert np.max(np.diff(soften_peaks(rising.copy()))) <= np.max(np.diff(rising)) + 1e-6
