"""The transcriber around the model: what it refuses, what it survives."""

from __future__ import annotations

import shutil
from copy import copy
from pathlib import Path
from typing import Any

import faster_whisper
import numpy as np
import pytest
import soundfile

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.stt.decoding import Decoding
from s2s_desktop.stt.faster_whisper import MODEL_FILES, FasterWhisperTranscriber
from s2s_desktop.stt.windowed_whisper import FULL_WINDOW, WindowedWhisper, window_frames

RATE = 16_000


@pytest.fixture(scope="module")
def folder(models_dir: Path) -> Path:
    return models_dir / "whisper-base"


@pytest.fixture(scope="module")
def transcriber(folder: Path) -> FasterWhisperTranscriber:
    transcriber = FasterWhisperTranscriber(folder)
    transcriber.load()
    return transcriber


@pytest.fixture(scope="module")
def lamp(speech_dir: Path) -> np.ndarray[Any, np.dtype[np.float32]]:
    return soundfile.read(speech_dir / "en_cmd_living_room_lamp.wav", dtype="float32")[0]


@pytest.fixture
def without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("socket.socket.connect", refuse)


@pytest.mark.parametrize("missing", MODEL_FILES)
def test_a_missing_file_is_named_and_never_fetched(
    tmp_path: Path, missing: str, without_network: None
) -> None:
    for name in MODEL_FILES:
        if name != missing:
            (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(AssistantError, match="is not on this computer") as failure:
        FasterWhisperTranscriber(tmp_path, name="Whisper base").load()
    assert failure.value.kind is ErrorKind.MODEL_MISSING
    assert "Whisper base" in failure.value.message
    assert missing in failure.value.details


def test_the_name_defaults_to_the_folder(tmp_path: Path) -> None:
    assert FasterWhisperTranscriber(tmp_path / "whisper-base").name == "whisper-base"


@pytest.mark.models
def test_a_damaged_model_says_how_to_check_it(tmp_path: Path, folder: Path) -> None:
    for file in folder.iterdir():
        if file.name != "model.bin":
            shutil.copy(file, tmp_path)
    (tmp_path / "model.bin").write_bytes((folder / "model.bin").read_bytes()[:1000])
    with pytest.raises(AssistantError, match="models verify") as failure:
        FasterWhisperTranscriber(tmp_path).load()
    assert failure.value.kind is ErrorKind.INTERNAL
    assert failure.value.details


@pytest.mark.parametrize(
    "audio",
    [
        np.zeros((RATE, 2), np.int16),
        np.zeros((RATE, 1), np.float32),
        np.zeros(RATE, np.float64),
        np.full(RATE, 1000.0, np.float32),
        np.full(RATE, np.nan, np.float32),
        np.full(RATE, np.inf, np.float32),
    ],
    ids=["stereo int16", "two-dimensional", "float64", "not scaled", "NaN", "infinite"],
)
def test_sound_in_another_form_is_refused_instead_of_misheard(tmp_path: Path, audio: Any) -> None:
    with pytest.raises(AssistantError, match="wrong form") as failure:
        FasterWhisperTranscriber(tmp_path).transcribe(audio)
    assert failure.value.details


@pytest.mark.models
@pytest.mark.parametrize(
    "audio",
    [
        np.zeros(0, np.float32),
        np.full(100, 0.5, np.float32),
        np.zeros(5 * RATE, np.float32),
        (0.002 * np.sin(2 * np.pi * 50 / RATE * np.arange(5 * RATE))).astype(np.float32),
        np.random.default_rng(0).normal(0, 0.003, 5 * RATE).astype(np.float32),
        np.concatenate(
            [
                np.zeros(RATE, np.float32),
                np.random.default_rng(0).uniform(-0.5, 0.5, 1280).astype(np.float32),
                np.zeros(2 * RATE, np.float32),
            ]
        ),
    ],
    ids=["empty", "100 samples", "zeros", "hum", "noise", "click"],
)
def test_no_speech_gives_no_text(transcriber: FasterWhisperTranscriber, audio: Any) -> None:
    heard = transcriber.transcribe(audio)
    assert (heard.text, heard.language, heard.language_probability) == ("", "", 0.0)
    assert heard.seconds == audio.size / RATE


@pytest.mark.models
@pytest.mark.parametrize("language", ["en-US", "EN", "english", "auto", ""])
def test_ways_to_write_a_language(transcriber: FasterWhisperTranscriber, lamp: Any, language: str) -> None:
    heard = transcriber.transcribe(lamp, language)
    assert heard.language == "en"
    assert heard.text == "Turn on the living room lamp."
    assert 0.9 < heard.language_probability <= 1.0


def test_an_unknown_language_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(AssistantError, match="klingon") as failure:
        FasterWhisperTranscriber(tmp_path).transcribe(np.zeros(RATE, np.float32), "klingon")
    assert failure.value.kind is ErrorKind.BAD_REQUEST


@pytest.mark.models
def test_an_english_only_model_hears_english_whatever_it_is_told(
    transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def decode(
        self: WindowedWhisper, encoded: Any, language: str, seconds: float, **options: Any
    ) -> Decoding:
        asked.append(language)
        return Decoding("Turn on the lamp.")

    monkeypatch.setattr(WindowedWhisper, "decode", decode)
    english_only = FasterWhisperTranscriber(transcriber._folder)
    english_only._model = _EnglishOnly(transcriber._model)
    assert english_only.transcribe(lamp, "fr").language == "en"
    assert english_only.transcribe(lamp).language == "en"
    assert asked == ["en", "en"]


class _EnglishOnly:
    """A model that differs from the real one in what it says about its languages."""

    is_multilingual = False

    def __init__(self, real: Any) -> None:
        self._real = real
        self.model = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@pytest.mark.models
def test_a_gpu_without_its_libraries_is_given_up_for_the_cpu(
    folder: Path,
    transcriber: FasterWhisperTranscriber,
    lamp: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    opened: list[str] = []

    def open_model(path: str, *, device: str, **options: Any) -> Any:
        opened.append(device)
        model = copy(transcriber._model)
        if device == "cuda":

            def encode(features: Any) -> Any:
                raise RuntimeError("Library cublas64_12.dll is not found or cannot be loaded")

            model.encode = encode
        return model

    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 1)
    monkeypatch.setattr("ctranslate2.get_supported_compute_types", lambda device: {"int8", "float32"})
    monkeypatch.setattr(faster_whisper, "WhisperModel", open_model)
    notices: list[str] = []
    on_gpu = FasterWhisperTranscriber(folder, device="cuda", on_notice=notices.append)
    heard = on_gpu.transcribe(lamp, "en")
    assert heard.text == "Turn on the living room lamp."
    assert opened == ["cuda", "cpu"]
    assert len(notices) == 1
    assert "cublas64_12.dll" in notices[0]
    assert notices[0] in caplog.text


@pytest.mark.models
def test_an_engine_that_fails_on_the_cpu_is_one_sentence(
    transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(WindowedWhisper, "encode", fail)
    with pytest.raises(AssistantError) as failure:
        transcriber.transcribe(lamp)
    assert failure.value.kind is ErrorKind.INTERNAL
    assert failure.value.details == "out of memory"
    monkeypatch.undo()
    assert transcriber.transcribe(lamp).text, "the next turn works"


@pytest.mark.models
def test_a_loop_of_the_short_window_is_decoded_again_with_the_full_one(
    transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WindowedWhisper, "decode", lambda *args, **options: Decoding("you " * 40))
    assert transcriber.transcribe(lamp, "en").text == "Turn on the living room lamp."


@pytest.mark.models
def test_a_doubtful_language_does_not_switch_the_conversation(
    transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert transcriber.transcribe(lamp).language == "en"
    monkeypatch.setattr(WindowedWhisper, "rank_languages", lambda *args: [("cy", 0.31)])
    heard = transcriber.transcribe(lamp)
    assert (heard.language, heard.text) == ("en", "Turn on the living room lamp.")
    assert heard.language_probability == 0.31


@pytest.mark.models
def test_a_first_doubtful_language_is_looked_at_again_with_the_full_window(
    folder: Path, transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    beginner = FasterWhisperTranscriber(folder, expected_languages=())
    beginner._model = transcriber._model
    frames: list[int] = []
    encode = transcriber._model.encode

    def encode_counted(features: Any) -> Any:
        frames.append(features.shape[-1])
        return encode(features)

    looks = iter([[("zh", 0.5), ("en", 0.3)], [("en", 0.9), ("zh", 0.1)], [("zh", 0.31), ("en", 0.3)]])
    monkeypatch.setattr(transcriber._model, "encode", encode_counted)
    monkeypatch.setattr(WindowedWhisper, "rank_languages", lambda *args: next(looks))
    heard = beginner.transcribe(lamp)
    assert (heard.language, heard.text) == ("en", "Turn on the living room lamp.")
    assert heard.language_probability == pytest.approx(0.6)
    assert beginner.transcribe(lamp).language == "en"
    assert frames == [1000, FULL_WINDOW, 1000], "once the language is known, one look is enough"


@pytest.mark.models
def test_a_short_first_command_is_heard_in_its_language(
    folder: Path, transcriber: FasterWhisperTranscriber, speech_dir: Path
) -> None:
    """By one look at the short window these are Japanese (0.3), English (0.41) and Chinese (0.47)."""
    for name, start, end, language in (
        ("en_cmd_go_forward.wav", 1.0, 2.6, "en"),
        ("de_kerstin_0523.wav", 0.2, 1.3, "de"),
    ):
        sound = soundfile.read(speech_dir / name, dtype="float32")[0][int(start * RATE) : int(end * RATE)]
        beginner = FasterWhisperTranscriber(folder, expected_languages=())
        beginner._model = transcriber._model
        assert beginner.transcribe(sound).language == language, name


@pytest.mark.models
@pytest.mark.parametrize(("start", "end"), [(0.11, 2.38), (0.15, 2.35), (0.11, 2.5), (0.0, 2.6)])
def test_a_command_is_whole_wherever_it_was_cut(
    transcriber: FasterWhisperTranscriber, speech_dir: Path, start: float, end: float
) -> None:
    """In the first three cuts "10 meters" is all that Whisper writes at first."""
    sound = soundfile.read(speech_dir / "en_cmd_go_forward.wav", dtype="float32")[0]
    heard = transcriber.transcribe(sound[int(start * RATE) : int(end * RATE)], "en")
    assert "go forward" in heard.text.lower()


@pytest.mark.models
@pytest.mark.parametrize(
    ("system", "written"), [("zh_CN.UTF-8", "广州市佛地产中间协会"), ("zh_TW.UTF-8", "廣州市佛地產中間協會")]
)
def test_chinese_is_written_in_the_characters_of_the_system(
    folder: Path, speech_dir: Path, monkeypatch: pytest.MonkeyPatch, system: str, written: str
) -> None:
    monkeypatch.setenv("LANGUAGE", system)
    sound = soundfile.read(speech_dir / "zh_aishell_S0724W0121.wav", dtype="float32")[0]
    transcriber = FasterWhisperTranscriber(folder)
    assert written in transcriber.transcribe(sound, "zh").text
    assert written[:2] in transcriber.draft(sound, "zh")


@pytest.mark.models
@pytest.mark.parametrize("gap_s", [0.3, 0.7, 1.0])
@pytest.mark.parametrize("hotwords", [(), ("以下是普通话的句子，请用简体中文",)])
def test_a_sentence_that_is_said_twice_is_written_twice(
    folder: Path,
    transcriber: FasterWhisperTranscriber,
    speech_dir: Path,
    gap_s: float,
    hotwords: tuple[str, ...],
) -> None:
    """Told such a sentence ahead, Whisper writes what is said twice only once."""
    sound = soundfile.read(speech_dir / "zh_aishell_S0724W0121.wav", dtype="float32")[0]
    twice = np.concatenate([sound, np.zeros(int(gap_s * RATE), np.float32), sound])
    taught = FasterWhisperTranscriber(folder, hotwords=hotwords)
    taught._model = transcriber._model
    assert taught.transcribe(twice, "zh").text.count("分析") == 2


@pytest.mark.models
def test_a_second_look_is_told_as_much_as_fits(
    folder: Path, transcriber: FasterWhisperTranscriber, speech_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prompt and the most tokens of a long turn together are what Whisper has room for."""
    long = soundfile.read(speech_dir / "en_libri_198_0000.wav", dtype="float32")[0]
    taught = FasterWhisperTranscriber(folder, hotwords=[f"Siobhán Ní{number}" for number in range(40)])
    taught._model = transcriber._model
    monkeypatch.setattr(WindowedWhisper, "decode", lambda *args, **options: Decoding("", truncated=True))
    assert "next morning" in taught.transcribe(long, "en").text


@pytest.mark.models
def test_only_measured_languages_get_the_short_window(
    transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whisper = WindowedWhisper(transcriber._model)
    frames: list[int] = []
    monkeypatch.setattr(transcriber._model, "encode", lambda features: frames.append(features.shape[-1]))
    for language in ("", "en", "ko"):
        whisper.encode(lamp, language)
    assert frames == [1000, 1000, FULL_WINDOW]


@pytest.mark.parametrize(("content", "frames"), [(50, 1000), (601, 1002), (1500, 1900), (2700, 3000)])
def test_the_window_grows_with_the_speech(content: int, frames: int) -> None:
    assert window_frames(content) == frames


@pytest.mark.models
def test_closing_frees_the_model_and_loading_brings_it_back(folder: Path, lamp: Any) -> None:
    transcriber = FasterWhisperTranscriber(folder)
    transcriber.load()
    transcriber.close()
    assert transcriber._model is None
    assert transcriber.transcribe(lamp, "en").text == "Turn on the living room lamp."


@pytest.mark.models
def test_loading_and_hearing_never_asks_the_network(folder: Path, lamp: Any, without_network: None) -> None:
    assert FasterWhisperTranscriber(folder).transcribe(lamp).text == "Turn on the living room lamp."


@pytest.mark.models
def test_a_draft_says_what_was_said_by_then(transcriber: FasterWhisperTranscriber, lamp: Any) -> None:
    assert transcriber.draft(lamp[: int(1.7 * RATE)], "en").rstrip(".") == "Turn on the living room lamp"
    assert transcriber.draft(lamp).rstrip(".") == "Turn on the living room lamp"


@pytest.mark.models
def test_a_draft_is_greedy_and_never_looks_twice(
    transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    beams: list[int] = []

    def decode(self: WindowedWhisper, *args: Any, beam_size: int, **options: Any) -> Decoding:
        beams.append(beam_size)
        return Decoding("you " * 40)

    monkeypatch.setattr(WindowedWhisper, "decode", decode)
    assert transcriber.draft(lamp, "en") == ""
    assert beams == [1]


@pytest.mark.models
def test_a_draft_does_not_change_the_language_of_the_conversation(
    transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcriber.transcribe(lamp)
    monkeypatch.setattr(WindowedWhisper, "rank_languages", lambda *args: [("de", 0.9)])
    transcriber.draft(lamp)
    monkeypatch.setattr(WindowedWhisper, "rank_languages", lambda *args: [("cy", 0.31)])
    assert transcriber.transcribe(lamp).language == "en"


@pytest.mark.parametrize("audio", [np.zeros(0, np.float32), np.zeros(100, np.float32)])
def test_too_little_sound_for_a_draft_loads_nothing(tmp_path: Path, audio: Any) -> None:
    assert FasterWhisperTranscriber(tmp_path).draft(audio) == ""


@pytest.mark.models
def test_hotwords_are_heard_where_they_were_misheard(
    folder: Path, transcriber: FasterWhisperTranscriber, speech_dir: Path
) -> None:
    """The model hears "double chart" without them."""
    order = soundfile.read(speech_dir / "en_cmd_americano.wav", dtype="float32")[0]
    taught = FasterWhisperTranscriber(folder, hotwords=("double shot", "flat white"))
    taught._model = transcriber._model
    assert "double shot americano" in taught.transcribe(order, "en").text.lower()


@pytest.mark.models
@pytest.mark.parametrize(
    ("prompted", "unprompted", "heard"),
    [
        (Decoding("Siobhan, Kubernetes.", avg_logprob=-0.2), Decoding("Turn it on."), "Turn it on."),
        (Decoding("Siobhan, Kubernetes.", avg_logprob=-0.2), Decoding(""), ""),
        (Decoding("Siobhan.", avg_logprob=-0.9), Decoding("You", 0.7, -0.9), ""),
        (Decoding("Siobhan.", avg_logprob=-0.3), Decoding("Shavon."), "Siobhan."),
        (Decoding("you " * 40), Decoding("Turn it on."), "Turn it on."),
    ],
    ids=["the list", "the list over nothing", "a name over noise", "a clear name", "a loop"],
)
def test_the_prompt_is_never_the_transcript(
    folder: Path,
    transcriber: FasterWhisperTranscriber,
    lamp: Any,
    monkeypatch: pytest.MonkeyPatch,
    prompted: Decoding,
    unprompted: Decoding,
    heard: str,
) -> None:
    taught = FasterWhisperTranscriber(folder, hotwords=("Siobhan", "Kubernetes"))
    taught._model = transcriber._model

    def decode(self: WindowedWhisper, *args: Any, prompt: str = "", **options: Any) -> Decoding:
        return prompted if prompt else unprompted

    monkeypatch.setattr(WindowedWhisper, "decode", decode)
    assert taught.transcribe(lamp, "en").text == heard


@pytest.mark.models
def test_a_model_that_takes_no_short_window_gets_the_full_one(
    folder: Path, transcriber: FasterWhisperTranscriber, lamp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames: list[int] = []

    def open_model(*args: Any, **options: Any) -> Any:
        model = copy(transcriber._model)
        encode = model.encode

        def encode_full(features: Any) -> Any:
            frames.append(features.shape[-1])
            if features.shape[-1] < FULL_WINDOW:
                raise ValueError("Invalid input features shape")
            return encode(features)

        model.encode = encode_full
        return model

    monkeypatch.setattr(faster_whisper, "WhisperModel", open_model)
    full = FasterWhisperTranscriber(folder)
    full.load()
    assert full.transcribe(lamp, "en").text == "Turn on the living room lamp."
    assert frames == [1000, FULL_WINDOW, FULL_WINDOW]
