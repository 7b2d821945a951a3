"""The steps of the self-test that need no model files."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from s2s_desktop.cli.self_test import conversation, window
from s2s_desktop.cli.self_test.step import Step
from s2s_desktop.settings.paths import Paths

_SPOKEN = {
    "en": "Hello, it is 5 km away.",
    "es": "Cuesta 21 euros.",
    "fr": "Il est 8 h 30.",
    "hi": "नमस्ते",
    "it": "Sono 42 km.",
    "ja": "東京は大きいです。",
    "pt": "O 1º dia.",
    "zh": "北京有2000万人。",
}
"""A sentence that needs the dictionaries and number words of its language."""


def all_steps(paths: Paths, screenshot: Path | None = None) -> list[Step]:
    """Return all steps, the quick ones first.

    Args:
        paths: Where the models are.
        screenshot: Where the picture of the window goes.
    """
    return [
        Step("resources", _resources),
        Step("window and event loop", partial(window.show_window, screenshot)),
        Step("settings", _settings),
        Step("conversations", _conversations),
        Step("keys", _keys),
        Step("network security", _tls),
        Step("sound card", _portaudio),
        Step("sound files", _sound_files),
        Step("echo cancelling", _echo),
        Step("speech detector", _detector),
        Step("speech recognition", _recognition),
        Step("Chinese script", _chinese),
        *(Step(f"pronunciation {code}", partial(_pronunciation, code)) for code in _SPOKEN),
        Step("built-in language model", _llm_child),
        Step("spoken conversation", partial(conversation.hold, paths)),
    ]


def _resources() -> str:
    from s2s_desktop.resources import resource_path

    names = ("models/silero_vad.onnx", "voices/voices.npz", "icons/app.svg", "audio/sample_question.wav")
    return f"{sum(resource_path(name).stat().st_size for name in names)} bytes"


def _settings() -> str:
    from s2s_desktop.settings import file
    from s2s_desktop.settings.schema import Settings

    with tempfile.TemporaryDirectory(prefix="s2s ü ") as folder:
        path = Path(folder, "settings.toml")
        file.save(path, Settings())
        loaded = file.load(path)
    if loaded.notices or loaded.settings != Settings():
        raise ValueError(f"read back differently: {loaded.notices}")
    return "written and read back"


def _conversations() -> str:
    import sqlite3

    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='trigram')")
    database.close()
    return f"SQLite {sqlite3.sqlite_version} with full-text search"


def _keys() -> str:
    from s2s_desktop.settings.system_keyring import KeyringProblemError, SystemKeyring

    try:
        return asyncio.run(SystemKeyring(timeout_s=5).name())
    except KeyringProblemError as problem:
        # The library works; whether there is a key store is a matter of the desktop.
        return f"no key store here ({problem})"


def _tls() -> str:
    import ssl

    import truststore

    truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    importlib.import_module("openai")
    return ssl.OPENSSL_VERSION


def _portaudio() -> str:
    import sounddevice

    return f"{sounddevice.get_portaudio_version()[1]}, {len(sounddevice.query_devices())} devices"


def _sound_files() -> str:
    import soundfile
    import soxr

    sound = soxr.resample(np.zeros(2400, np.float32), 24_000, 16_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ü.flac")
        soundfile.write(path, sound, 16_000)
        read, rate = soundfile.read(path)
    if (len(read), rate) != (1600, 16_000):
        raise ValueError(f"{len(read)} samples at {rate} Hz came back")
    return f"{soundfile.__libsndfile_version__}, soxr {soxr.__version__}"


def _echo() -> str:
    import pywebrtc_audio

    pywebrtc_audio.EchoCanceller(sample_rate=16_000)
    return "WebRTC echo canceller"


def _detector() -> str:
    from s2s_desktop.vad.detector import FRAME_SAMPLES
    from s2s_desktop.vad.silero import SileroDetector

    probability = SileroDetector().probability(np.zeros(FRAME_SAMPLES, np.float32))
    if not 0.0 <= probability < 0.5:
        raise ValueError(f"silence is speech with a probability of {probability}")
    return f"{probability:.3f} on silence"


def _recognition() -> str:
    import ctranslate2
    import faster_whisper
    import faster_whisper.vad
    import tokenizers

    faster_whisper.vad.get_vad_model()  # reads a file of the package
    types = ", ".join(sorted(ctranslate2.get_supported_compute_types("cpu")))
    return f"CTranslate2 {ctranslate2.__version__} ({types}), tokenizers {tokenizers.__version__}"


def _chinese() -> str:
    from s2s_desktop.stt.chinese_script import ChineseScript, Script

    expected: dict[Script, str] = {"t2s": "头发", "s2tw": "頭髮", "s2hk": "頭髮"}
    for script, written in expected.items():
        found = ChineseScript(script).write("头发" if script != "t2s" else "頭髮", "zh")
        if found != written:
            raise ValueError(f"{found} in place of {written} ({script})")
    return ", ".join(expected.values())


def _pronunciation(code: str) -> str:
    from s2s_desktop.tts.phonemes import make_reader
    from s2s_desktop.tts.verbalize.rewrite import verbalize
    from s2s_desktop.tts.voices import LANGUAGES

    language = next(language for language in LANGUAGES.values() if language.code == code)
    words = " ".join(token.spoken for token in verbalize(_SPOKEN[code], code))
    phonemes = make_reader(language).read(words)
    if not phonemes.strip():
        raise ValueError(f"{words!r} has no phonemes")
    return phonemes


def _llm_child() -> str:
    from s2s_desktop.llm.builtin.child import child_command

    # Nobody tells the child which model to serve, so it answers with its exit code 2 and nothing else.
    done = subprocess.run(
        child_command(), stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    if done.returncode != 2:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr[-500:].decode(errors='replace')}")
    import xllamacpp

    return f"xllamacpp {xllamacpp.__version__}"
