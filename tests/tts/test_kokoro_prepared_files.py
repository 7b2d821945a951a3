"""What the voice keeps for its next start: the same model, or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from s2s_desktop.models.checksum import sha256_of
from s2s_desktop.tts.kokoro.model import KokoroModel
from s2s_desktop.tts.kokoro.preparation import Prepared
from s2s_desktop.tts.kokoro.prepared_files import PreparedFiles

PREPARED = Prepared(b"", b"", "tokens", "outline", "source", "durations", ("mean", "variance"))
TOKENS = [50, 83, 54, 156, 31, 16, 65, 156, 87]


@pytest.fixture
def files(tmp_path: Path) -> PreparedFiles:
    model = tmp_path / "model.onnx"
    model.write_bytes(b"the model")
    files = PreparedFiles(tmp_path / "kept", model, signed_products=True)
    files.begin()
    for half in ("planner", "generator"):
        files.draft(half).write_bytes(half.encode())
    files.keep(PREPARED)
    return files


def test_what_was_kept_is_recalled_as_files(files: PreparedFiles) -> None:
    recalled = files.recall()

    assert recalled is not None
    assert (recalled.planner, recalled.generator) == (files.draft("planner"), files.draft("generator"))
    assert (recalled.tokens, recalled.statistics) == ("tokens", ("mean", "variance"))


@pytest.mark.parametrize("damaged", ["planner.onnx", "generator.onnx", "index.json"])
def test_damaged_files_are_not_used(files: PreparedFiles, damaged: str) -> None:
    path = files.folder / damaged
    path.write_bytes(path.read_bytes()[:-1])

    assert files.recall() is None


@pytest.mark.parametrize("missing", ["planner.onnx", "generator.onnx", "index.json"])
def test_missing_files_are_not_used(files: PreparedFiles, missing: str) -> None:
    (files.folder / missing).unlink()

    assert files.recall() is None


@pytest.mark.parametrize("index", ["[]", "{}", '"index"', "null"])
def test_an_index_of_another_kind_is_not_used(files: PreparedFiles, index: str) -> None:
    (files.folder / "index.json").write_text(index)

    assert files.recall() is None


def test_what_comes_of_another_model_is_not_used(files: PreparedFiles) -> None:
    files.model_file.write_bytes(b"another")

    assert files.recall() is None


def test_what_suits_another_processor_is_not_used(files: PreparedFiles) -> None:
    assert PreparedFiles(files.folder, files.model_file, signed_products=False).recall() is None


@pytest.mark.parametrize("module", ["s2s_desktop.tts.kokoro.prepared_files", "onnxruntime"])
def test_what_another_version_made_is_not_used(
    files: PreparedFiles, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setattr(f"{module}.__version__", "0.0.0")

    assert files.recall() is None


def _same(one: KokoroModel, other: KokoroModel) -> bool:
    style = np.full((1, 256), 0.01, np.float32)
    # The source holds noise: both make sound of the same plan.
    plans = [model.plan(TOKENS, style, 1.0) for model in (one, other)]
    sounds = [model.sound(plans[0], 0, plans[0].halves, None) for model in (one, other)]
    return np.array_equal(plans[0].outline, plans[1].outline) and np.array_equal(*sounds)


@pytest.mark.models
def test_the_next_start_speaks_the_same_also_when_the_kept_files_cannot_be_loaded(
    models_dir: Path, tmp_path: Path
) -> None:
    model_file = models_dir / "kokoro-82m" / "kokoro-v1.0.int8.onnx"
    without = KokoroModel(model_file, 1)
    kept = tmp_path / "kept"

    assert _same(KokoroModel(model_file, 1, kept), without)
    assert _same(KokoroModel(model_file, 1, kept), without)

    (kept / "planner.onnx").write_bytes(b"no model")
    index = json.loads((kept / "index.json").read_text())
    index["checksums"]["planner"] = sha256_of(kept / "planner.onnx")
    (kept / "index.json").write_text(json.dumps(index))
    assert _same(KokoroModel(model_file, 1, kept), without)


@pytest.mark.models
def test_where_nothing_can_be_kept_the_voice_loads_all_the_same(models_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    KokoroModel(models_dir / "kokoro-82m" / "kokoro-v1.0.int8.onnx", 1, tmp_path / "file" / "kept")
