"""The model page of the settings: what is there, what is in use, what suits this computer."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_desktop.conversation.events import ModelProgress
from s2s_desktop.engine import model_use
from s2s_desktop.engine.model_files import ModelFiles
from s2s_desktop.errors import AssistantError
from s2s_desktop.models.catalog import CATALOG, find_model
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings


@pytest.fixture
def files() -> ModelFiles:
    told: list[ModelProgress] = []
    return ModelFiles(ModelStore(find_paths()), Settings, told.append)


def put(home: Path, name: str, content: bytes = b"not the model") -> None:
    """Put a file that is not what it should be in the place of a model's first file."""
    folder = home / "models" / name
    folder.mkdir(parents=True)
    (folder / find_model(name).files[0].name).write_bytes(content)


async def test_every_model_is_listed_with_what_it_is_for(
    files: ModelFiles, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_use, "machine", lambda: (int(16e9), 4))
    put(home, "whisper-small")
    listed = {choice.name: choice for choice in await files.models()}
    assert set(listed) == {model.name for model in CATALOG}
    in_use = {name for name, choice in listed.items() if choice.in_use}
    assert in_use == {"whisper-base", "kokoro-82m", "smollm2-135m", "smart-turn-v3.2"}
    recommended = {name for name, choice in listed.items() if choice.recommended}
    assert recommended == {"whisper-small", "kokoro-82m", "qwen2.5-1.5b", "smart-turn-v3.2"}
    assert listed["whisper-base"].status == "missing"
    assert listed["whisper-small"].status == "damaged"
    assert listed["kokoro-82m"].size > 90_000_000


async def test_checking_says_what_was_found(files: ModelFiles, home: Path) -> None:
    assert await files.verify("kokoro-82m") == "Kokoro 82M voice is not on this computer."
    put(home, "kokoro-82m")
    assert "1 of 1 files of Kokoro 82M voice are damaged" in await files.verify("kokoro-82m")


async def test_one_in_use_is_not_removed(files: ModelFiles, home: Path) -> None:
    put(home, "kokoro-82m")
    with pytest.raises(AssistantError, match="is in use"):
        await files.remove("kokoro-82m")
    put(home, "whisper-small", b"12345")
    assert await files.remove("whisper-small") == 5
    assert not (home / "models" / "whisper-small").exists()


@pytest.mark.models
async def test_the_real_files_are_intact(home_with_models: Path, files: ModelFiles) -> None:
    assert await files.verify("smollm2-135m") == "SmolLM2 135M is intact."


async def test_an_unknown_name_is_a_sentence(files: ModelFiles) -> None:
    for call in (files.verify("nothing"), files.get("nothing")):
        with pytest.raises(AssistantError, match="no model called"):
            await call
