"""Models of the Hub by their name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from huggingface_hub.errors import LocalEntryNotFoundError

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.stt.hub_model import FILES, cached_hub_model, fetch_hub_model, is_hub_name

NAME = "Systran/faster-whisper-medium"


def test_what_is_a_name_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_hub_name(NAME)
    for other in (
        "whisper-base",
        "/srv/models/whisper",
        "./whisper",
        "a/b/c",
        "~/whisper",
        "C:\\\\models\\\\a",
        "",
    ):
        assert not is_hub_name(other)
    (tmp_path / NAME).mkdir(parents=True)
    assert not is_hub_name(NAME), "a folder that is there is meant"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []

    def download(name: str, **options: Any) -> str:
        asked.append({"name": name, **options})
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    return asked


def test_a_cached_model_is_taken_without_asking(tmp_path: Path, hub: list[dict[str, Any]]) -> None:
    (tmp_path / "model.bin").write_bytes(b"x")
    assert cached_hub_model(NAME) == tmp_path
    assert hub == [{"name": NAME, "allow_patterns": FILES, "local_files_only": True}]


def test_half_a_model_is_none(hub: list[dict[str, Any]]) -> None:
    assert cached_hub_model(NAME) is None


def test_a_model_that_is_not_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert cached_hub_model(NAME) is None


def test_a_fetched_model(tmp_path: Path, hub: list[dict[str, Any]]) -> None:
    (tmp_path / "model.bin").write_bytes(b"x")
    assert fetch_hub_model(NAME) == tmp_path


def test_a_repository_that_holds_something_else(hub: list[dict[str, Any]]) -> None:
    with pytest.raises(AssistantError, match="no model for faster-whisper") as failure:
        fetch_hub_model(NAME)
    assert failure.value.kind is ErrorKind.MODEL_MISSING


@pytest.mark.parametrize("error", [LocalEntryNotFoundError("offline"), OSError("disk full")])
def test_a_model_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def download(name: str, **options: Any) -> str:
        raise error

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    with pytest.raises(AssistantError, match="could not be fetched") as failure:
        fetch_hub_model(NAME)
    assert str(error) in failure.value.details
