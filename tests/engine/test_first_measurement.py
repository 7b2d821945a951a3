"""At the first start the real speech recognition is tried both ways, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_desktop.conversation.session import Behavior, Session
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.engine import first_measurement
from s2s_desktop.engine.calibration import Calibration
from s2s_desktop.engine.first_measurement import measure_hearing
from s2s_desktop.llm.history.history import History
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.speakable_text import SpeakableText


def no_microphone() -> None:
    pytest.fail("measuring opens no microphone")


@pytest.mark.models
async def test_speech_recognition_is_measured_once(
    home_with_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_measurement, "QUIET_S", 0.0)
    settings, calibration = Settings(), Calibration(tmp_path / "calibration.json")
    stages = Stages(no_microphone, SpeakableText, ClauseSplitter)  # type: ignore[arg-type]
    session = Session(stages, History(), Behavior(""))
    store = ModelStore(find_paths())
    try:
        await measure_hearing(calibration, lambda: settings, store, session)
        best = calibration.best("whisper-base")
        assert best is not None
        assert best.compute_type in ("int8", "float32")
        monkeypatch.setattr(calibration, "measure", lambda *_: pytest.fail("measured again"))
        assert await measure_hearing(calibration, lambda: settings, store, session) is False
    finally:
        await session.close()


@pytest.mark.parametrize(
    "change",
    [{"stt_engine": "remote"}, {"stt_compute_type": "int8"}, {"stt_device": "cuda"}, {"stt_model": "/a/b"}],
)
async def test_what_the_user_chose_is_not_measured(change: dict[str, str], tmp_path: Path) -> None:
    settings, calibration = Settings(), Calibration(tmp_path / "calibration.json")
    for name, value in change.items():
        setattr(settings.speech, name, value)
    stages = Stages(no_microphone, SpeakableText, ClauseSplitter)  # type: ignore[arg-type]
    session = Session(stages, History(), Behavior(""))
    try:
        assert (
            await measure_hearing(calibration, lambda: settings, ModelStore(find_paths()), session) is False
        )
        assert calibration.best(settings.speech.stt_model) is None
    finally:
        await session.close()
