"""Kokoro's voice, with the real model: heard again by Whisper, and measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jiwer
import numpy as np
import pytest
import soxr

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.resources import resource_path
from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber
from s2s_desktop.tts.kokoro_onnx import MAX_PHONEMES, SAMPLE_RATE, KokoroSynthesizer
from s2s_desktop.tts.protocol import VoiceChunk
from s2s_desktop.tts.voices import VOICES, VOICES_FILE, language_of

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


@pytest.fixture(scope="module")
def model_file(models_dir: Path) -> Path:
    return models_dir / "kokoro-82m" / "kokoro-v1.0.int8.onnx"


@pytest.fixture(scope="module")
def voice(model_file: Path) -> KokoroSynthesizer:
    voice = KokoroSynthesizer(model_file)
    voice.load()
    return voice


@pytest.fixture(scope="module")
def ear(models_dir: Path) -> FasterWhisperTranscriber:
    ear = FasterWhisperTranscriber(models_dir / "whisper-base")
    ear.load()
    return ear


def hear(ear: FasterWhisperTranscriber, chunk: VoiceChunk, language: str = "en") -> str:
    return ear.transcribe(soxr.resample(chunk.samples, chunk.sample_rate, 16_000), language).text


def lead_and_tail_s(samples: np.ndarray) -> tuple[float, float]:
    audible = np.flatnonzero(np.abs(samples) > 0.01 * np.max(np.abs(samples)))
    return float(audible[0]) / SAMPLE_RATE, float(samples.size - audible[-1]) / SAMPLE_RATE


def test_what_it_says_is_understood_and_clean(
    voice: KokoroSynthesizer, ear: FasterWhisperTranscriber
) -> None:
    heard = []
    for sentence in SENTENCES:
        chunk = voice.synthesize(sentence)
        heard.append(hear(ear, chunk))
        assert chunk.text == sentence
        assert chunk.samples.dtype == np.float32
        assert np.max(np.abs(chunk.samples)) < 1.0, "clipped"
        lead, tail = lead_and_tail_s(chunk.samples)
        assert lead <= 0.06
        assert 0.2 <= tail <= 0.3
        assert abs(chunk.samples[0]) < 0.001, "a click"
        assert abs(chunk.samples[-1]) < 0.001, "a click"
    plain = jiwer.Compose([jiwer.ToLowerCase(), jiwer.RemovePunctuation(), jiwer.ReduceToListOfListOfWords()])
    errors = jiwer.wer(list(SENTENCES), heard, reference_transform=plain, hypothesis_transform=plain)
    assert errors <= 0.04, heard


@pytest.mark.parametrize(
    ("text", "tail"), [("In the morning, ", 0.12), ("A title\n", 0.25), ("the first few words ", 0.12)]
)
def test_the_pause_behind_a_piece_follows_its_end(voice: KokoroSynthesizer, text: str, tail: float) -> None:
    assert lead_and_tail_s(voice.synthesize(text).samples)[1] == pytest.approx(tail, abs=0.02)


@pytest.mark.parametrize(
    "text", ["", "   ", "\u200b", "|---|---|", "...", "—", "***", "你好，世界", "こんにちは"]
)
def test_nothing_to_say_is_an_empty_chunk_and_the_next_text_is_spoken(
    voice: KokoroSynthesizer, text: str
) -> None:
    chunk = voice.synthesize(text)
    assert (chunk.samples.size, chunk.text) == (0, "")
    assert voice.synthesize("Yes.").samples.size > 0


LONG_TEXT = "and then we went on and on " * 25 + "until the very last elephant"

MEASURE_MEMORY = """
import sys
from pathlib import Path
import psutil
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
voice = KokoroSynthesizer(Path(sys.argv[1]))
voice.load()
process = psutil.Process()
before = process.memory_info().rss
voice.synthesize(sys.argv[2])
print(process.memory_info().rss - before)
"""


def test_a_text_longer_than_the_model_takes_is_spoken_to_its_end(
    voice: KokoroSynthesizer, ear: FasterWhisperTranscriber
) -> None:
    chunk = voice.synthesize(LONG_TEXT)
    end = VoiceChunk(chunk.samples[-6 * SAMPLE_RATE :], SAMPLE_RATE, "")
    assert "elephant" in hear(ear, end).lower()


def test_the_memory_of_a_long_text_is_given_back(model_file: Path) -> None:
    """Measured in a process of its own; the memory of the longest part of the text alone is 0.3 GB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE_MEMORY, str(model_file), LONG_TEXT],
        capture_output=True,
        check=True,
        text=True,
    )
    assert int(done.stdout) < 150e6


@pytest.mark.parametrize("count", [MAX_PHONEMES - 1, MAX_PHONEMES, MAX_PHONEMES + 1])
def test_texts_around_the_limit_are_spoken(voice: KokoroSynthesizer, count: int) -> None:
    engine = voice._engine
    assert engine is not None
    words = ("on " * count)[: count - len("on")] + " on"
    spoken: list[int] = []
    run = engine._run
    engine._run = lambda tokens, speed: (spoken.append(len(tokens)), run(tokens[:20], speed))[1]  # type: ignore[method-assign]
    engine._reader.read, read = lambda text: words, engine._reader.read  # type: ignore[method-assign]
    try:
        assert voice.synthesize("on").samples.size > 0
    finally:
        engine._run, engine._reader.read = run, read  # type: ignore[method-assign]
    assert all(0 < length <= MAX_PHONEMES for length in spoken)
    assert len(spoken) == (1 if len(words) <= MAX_PHONEMES else 2)


def test_faster_is_shorter(model_file: Path, voice: KokoroSynthesizer) -> None:
    fast = KokoroSynthesizer(model_file, speed=2.0)
    fast.load()
    normal = voice.synthesize(SENTENCES[0]).samples.size
    assert 0.4 < fast.synthesize(SENTENCES[0]).samples.size / normal < 0.7


@pytest.mark.parametrize(("speed", "used"), [(0.1, 0.5), (9.0, 2.0), (float("nan"), 1.0), (1.3, 1.3)])
def test_any_speed_ends_within_what_the_model_can_do(model_file: Path, speed: float, used: float) -> None:
    assert KokoroSynthesizer(model_file, speed=speed)._speed == used


def test_an_unknown_voice_is_replaced_and_logged(model_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert KokoroSynthesizer(model_file, voice="am_onyx")._voice == "af_heart"
    assert "am_onyx" in caplog.text


def test_every_voice_of_the_list_is_in_the_file_and_has_a_language() -> None:
    with np.load(resource_path(VOICES_FILE)) as voices:
        assert set(voices.files) == set(VOICES)
        assert {voices[name].shape for name in VOICES} == {(510, 1, 256)}
    assert {language_of(name).code for name in VOICES} == {"en", "es", "fr", "hi", "it", "ja", "pt", "zh"}


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
    model_file: Path, ear: FasterWhisperTranscriber, name: str, text: str, language: str, word: str
) -> None:
    voice = KokoroSynthesizer(model_file, voice=name)
    voice.load()
    assert word in hear(ear, voice.synthesize(text), language)


def test_a_clause_the_engine_refuses_is_one_sentence_and_the_next_is_spoken(
    voice: KokoroSynthesizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(tokens: list[int], speed: float) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(voice._engine, "_run", fail)
    with pytest.raises(AssistantError, match="could not be spoken") as failure:
        voice.synthesize("Hello.")
    assert failure.value.details == "out of memory"
    monkeypatch.undo()
    assert voice.synthesize("Hello.").samples.size > 0


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
        KokoroSynthesizer(model_file).synthesize("Hello.")
