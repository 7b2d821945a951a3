"""Kokoro's voice, with the real model: heard again by Whisper, and measured."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import jiwer
import numpy as np
import pytest
import soxr

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber
from s2s_desktop.tts.kokoro.model import SAMPLE_RATE, KokoroModel
from s2s_desktop.tts.kokoro.speakers import usable_speed
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
from s2s_desktop.tts.voices import DEFAULT_VOICE

pytestmark = pytest.mark.models

SENTENCES = (
    "The capital of France is Paris.",
    "Please close the window before you leave.",
    "A good book is the best of friends.",
    "We will meet again on Thursday morning.",
    "The train to London leaves in ten minutes.",
    "She bought three apples and a loaf of bread.",
    "I was thinking about buying a new bicycle next month.",
    "Could you read me the second paragraph again?",
)


def spoken(voice: KokoroSynthesizer, text: str, language: str = "") -> np.ndarray:
    """All samples of a text."""
    return np.concatenate(
        [np.zeros(0, np.float32), *(chunk.samples for chunk in voice.synthesize(text, language))]
    )


def hear(ears: FasterWhisperTranscriber, samples: np.ndarray, language: str = "en") -> str:
    return ears.transcribe(soxr.resample(samples, SAMPLE_RATE, 16_000), language).text


def lead_and_tail_s(samples: np.ndarray) -> tuple[float, float]:
    audible = np.flatnonzero(np.abs(samples) > 0.01 * np.max(np.abs(samples)))
    return float(audible[0]) / SAMPLE_RATE, float(samples.size - audible[-1]) / SAMPLE_RATE


def test_what_it_says_is_understood_and_clean(
    voice: KokoroSynthesizer, ears: FasterWhisperTranscriber
) -> None:
    heard = []
    for sentence in SENTENCES:
        chunks = list(voice.synthesize(sentence))
        samples = np.concatenate([chunk.samples for chunk in chunks])
        heard.append(hear(ears, samples))
        assert "".join(chunk.text for chunk in chunks) == sentence
        assert samples.dtype == np.float32
        assert np.max(np.abs(samples)) < 1.0, "clipped"
        lead, tail = lead_and_tail_s(samples)
        assert lead <= 0.06
        assert 0.2 <= tail <= 0.3
        assert abs(samples[0]) < 0.001, "a click"
        assert abs(samples[-1]) < 0.001, "a click"
    plain = jiwer.Compose([jiwer.ToLowerCase(), jiwer.RemovePunctuation(), jiwer.ReduceToListOfListOfWords()])
    errors = jiwer.wer(list(SENTENCES), heard, reference_transform=plain, hypothesis_transform=plain)
    assert errors <= 0.04, heard


@pytest.mark.parametrize(
    ("text", "tail"), [("In the morning, ", 0.12), ("A title\n", 0.25), ("the first few words ", 0.12)]
)
def test_the_pause_behind_a_piece_follows_its_end(voice: KokoroSynthesizer, text: str, tail: float) -> None:
    assert lead_and_tail_s(spoken(voice, text))[1] == pytest.approx(tail, abs=0.02)


def test_nothing_to_say_gives_no_chunk_and_the_next_text_is_spoken(voice: KokoroSynthesizer) -> None:
    texts = ["", "   ", "\u200b", "|---|---|", "...", "—", "***", "你好，世界", "こんにちは"]
    assert {text: list(voice.synthesize(text)) for text in texts} == {text: [] for text in texts}
    assert spoken(voice, "Yes.").size > 0


LONG_TEXT = "and then we went on and on " * 13 + "until the very last elephant"

SPEAK_AND_MEASURE = """
import sys
from pathlib import Path
import numpy as np
import psutil
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
voice = KokoroSynthesizer(Path(sys.argv[1]))
voice.load()
process = psutil.Process()
before = process.memory_info().rss
samples = np.concatenate([chunk.samples for chunk in voice.synthesize(sys.argv[2])])
print(process.memory_info().rss - before)
np.save(sys.argv[3], samples)
"""


@pytest.fixture(scope="module")
def long_speech(model_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[np.ndarray, int]:
    """`LONG_TEXT` spoken in a process of its own: the samples, and the bytes that it holds afterwards."""
    file = tmp_path_factory.mktemp("long") / "samples.npy"
    done = subprocess.run(
        [sys.executable, "-c", SPEAK_AND_MEASURE, str(model_file), LONG_TEXT, str(file)],
        capture_output=True,
        check=True,
        text=True,
    )
    return np.load(file), int(done.stdout)


def test_a_text_longer_than_the_model_takes_is_spoken_to_its_end(
    long_speech: tuple[np.ndarray, int], ears: FasterWhisperTranscriber
) -> None:
    samples, _ = long_speech
    assert "elephant" in hear(ears, samples[-6 * SAMPLE_RATE :]).lower()


def test_the_memory_of_a_long_text_is_given_back(long_speech: tuple[np.ndarray, int]) -> None:
    """The memory of the longest part of the text alone is 0.3 GB."""
    _, held = long_speech
    assert held < 150e6


def test_faster_is_shorter(voice: KokoroSynthesizer) -> None:
    fast = voice.with_voice(DEFAULT_VOICE, 2.0)
    assert 0.4 < spoken(fast, SENTENCES[0]).size / spoken(voice, SENTENCES[0]).size < 0.7


@pytest.mark.parametrize(("speed", "used"), [(0.1, 0.5), (9.0, 2.0), (float("nan"), 1.0), (1.3, 1.3)])
def test_any_speed_ends_within_what_the_model_can_do(speed: float, used: float) -> None:
    assert usable_speed(speed) == used


@pytest.mark.parametrize(
    ("name", "text", "language", "word"),
    [
        ("bm_george", "The weather is lovely today.", "en", "weather"),
        ("ef_dora", "Pon un poco de música tranquila.", "es", "música"),
        ("ff_siwis", "Je voudrais une table pour deux personnes.", "fr", "personnes"),
        ("jf_alpha", "こんにちは、おげんきですか。", "ja", "元気"),
    ],
)
def test_a_voice_speaks_its_own_language(
    voice: KokoroSynthesizer,
    ears: FasterWhisperTranscriber,
    name: str,
    text: str,
    language: str,
    word: str,
) -> None:
    assert word in hear(ears, spoken(voice.with_voice(name, 1.0), text), language)


def test_a_clause_the_engine_refuses_is_one_sentence_and_the_next_is_spoken(
    voice: KokoroSynthesizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(KokoroModel, "plan", fail)
    with pytest.raises(AssistantError, match="could not be spoken") as failure:
        list(voice.synthesize("Hello."))
    assert failure.value.details == "out of memory"
    monkeypatch.undo()
    assert spoken(voice, "Hello.").size > 0


def test_a_reply_in_another_language_is_spoken_by_its_voice(
    voice: KokoroSynthesizer, ears: FasterWhisperTranscriber
) -> None:
    text = "Je voudrais une table pour deux personnes."
    assert "personnes" in hear(ears, spoken(voice, text, "fr"), "fr")


def test_a_language_without_a_voice_is_spoken_by_the_chosen_one(
    voice: KokoroSynthesizer, caplog: pytest.LogCaptureFixture
) -> None:
    np.testing.assert_array_equal(spoken(voice, "Yes.", "sv"), spoken(voice, "Yes."))
    assert "'sv'" in caplog.text


def test_the_region_of_a_language_does_not_change_the_voice(voice: KokoroSynthesizer) -> None:
    np.testing.assert_array_equal(spoken(voice, "Yes.", "en-GB"), spoken(voice, "Yes."))


LONG_SENTENCE = (
    "The weather looks nice today, so let us go out for a long walk in the park, "
    "and then we can have some coffee near the river."
)


@pytest.mark.parametrize(
    ("text", "least", "words"),
    [
        (LONG_SENTENCE, 4, ["long walk in the park", "coffee near the river"]),
        ("The capital of France is Paris.", 2, ["capital of france is paris"]),
    ],
)
def test_a_clause_comes_in_pieces_with_no_click_at_the_joins(
    voice: KokoroSynthesizer, ears: FasterWhisperTranscriber, text: str, least: int, words: list[str]
) -> None:
    chunks = list(voice.synthesize(text))
    assert len(chunks) >= least
    assert chunks[0].samples.size < 0.8 * SAMPLE_RATE
    samples = np.concatenate([chunk.samples for chunk in chunks])
    steps = np.abs(np.diff(samples))
    joins = np.cumsum([chunk.samples.size for chunk in chunks])[:-1]
    # A step of a join is no larger than those of the speech within 50 ms around it.
    for join in joins:
        around = np.concatenate([steps[join - 1_200 : join - 1], steps[join : join + 1_200]])
        assert steps[join - 1] <= np.max(around)
    heard = hear(ears, samples).lower()
    assert all(each in heard for each in words)


def test_the_times_of_words_are_those_of_the_sound(voice: KokoroSynthesizer) -> None:
    """Between two sentences there is a pause, and the words around it lie on either side."""
    text = "I have finished my work for today. Shall we go home now together?"
    chunks = list(voice.synthesize(text))
    samples = np.concatenate([chunk.samples for chunk in chunks])
    words, offset = [], 0.0
    for chunk in chunks:
        words += [(word.text, offset + word.start, offset + word.end) for word in chunk.words]
        offset += chunk.samples.size / SAMPLE_RATE
    assert [word for word, _, _ in words] == text.split()
    assert all(one[2] <= two[1] + 0.001 for one, two in pairwise(words))
    loud = np.convolve(np.abs(samples), np.ones(480) / 480, "same")
    quietest = np.argmin(loud[int(words[6][1] * SAMPLE_RATE) : int(words[7][2] * SAMPLE_RATE)]) / SAMPLE_RATE
    assert words[6][2] - words[6][1] - 0.1 <= quietest <= words[7][1] - words[6][1] + 0.1


def test_a_missing_file_says_which_command_gets_it(tmp_path: Path) -> None:
    with pytest.raises(AssistantError, match="models get kokoro-82m") as raised:
        KokoroSynthesizer(tmp_path / "absent.onnx").load()
    assert raised.value.kind is ErrorKind.MODEL_MISSING


def test_a_damaged_file_is_one_sentence(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(b"no model")
    with pytest.raises(AssistantError, match="models verify"):
        KokoroSynthesizer(damaged).load()


def test_without_the_data_of_espeak_the_reason_is_named(
    model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """espeak-ng itself ends the program when its data is missing."""
    monkeypatch.setattr("espeakng_loader.get_data_path", lambda: str(tmp_path / "absent"))
    with pytest.raises(AssistantError, match="espeak-ng") as failure:
        KokoroSynthesizer(model_file).load()
    assert "absent" in failure.value.details


def test_a_voice_that_is_not_loaded_says_so(model_file: Path) -> None:
    with pytest.raises(AssistantError, match="not loaded"):
        next(iter(KokoroSynthesizer(model_file).synthesize("Hello.")))


def test_another_voice_shares_the_model_and_outlives_the_first(voice: KokoroSynthesizer) -> None:
    first = voice.with_voice("af_heart", 1.0)
    second = first.with_voice("am_michael", 1.5)
    first.close()
    second.load()
    assert sum(chunk.samples.size for chunk in second.synthesize("Good morning.")) > 0
    with pytest.raises(AssistantError):
        list(first.synthesize("Good morning."))
