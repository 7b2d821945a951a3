from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np
import pytest

from s2s_desktop.audio.echo_level import EchoLevel
from s2s_desktop.audio.echo_memory import MOST_DEVICES, EchoMemory
from s2s_desktop.audio.protocol import PIPELINE_RATE


def learn(level: EchoLevel) -> None:
    """Hear nothing of a voice that is played for two seconds."""
    rng = np.random.default_rng(1)
    far = 0.1 * rng.standard_normal(2 * PIPELINE_RATE).astype(np.float32)
    level.is_voice(np.float32(0.001) * far, far)


def test_what_was_learned_is_there_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "state" / "echo.json"
    memory = EchoMemory(file)
    level = memory.level("", "Headset")
    learn(level)
    memory.save()

    assert EchoMemory(file).level("", "Headset").bound_db == pytest.approx(level.bound_db, abs=0.1)


def test_other_devices_know_nothing_of_it(tmp_path: Path) -> None:
    memory = EchoMemory(tmp_path / "echo.json")
    learn(memory.level("", "Headset"))

    assert memory.level("", "Loudspeaker").bound_db == float("inf")


def test_a_microphone_that_is_opened_again_goes_on_with_what_was_learned() -> None:
    memory = EchoMemory()
    learn(memory.level("Desk", "Headset"))

    assert memory.level("Desk", "Headset").bound_db < -30.0


def test_only_the_devices_used_last_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "echo.json"
    memory = EchoMemory(file)
    for number in range(MOST_DEVICES + 3):
        learn(memory.level("", f"Speaker {number}"))
    memory.save()

    kept = json.loads(file.read_text(encoding="utf-8"))
    assert len(kept) == MOST_DEVICES
    assert f"\nSpeaker {MOST_DEVICES + 2}" in kept


@pytest.mark.parametrize("content", ["", "[]", '{"a": "b"}', '{"a": null}', "\x00"])
def test_a_file_that_cannot_be_read_counts_as_empty(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "echo.json"
    file.write_text(content, encoding="utf-8")

    with caplog.at_level(logging.WARNING):
        assert EchoMemory(file).level("", "a").bound_db == float("inf")
    assert "cannot be read" in caplog.text


def test_a_file_that_cannot_be_written_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    memory = EchoMemory(blocked / "echo.json")
    learn(memory.level("", "Headset"))

    with caplog.at_level(logging.WARNING):
        memory.save()
    assert "heard anew" in caplog.text
