"""Kokoro on PyTorch: the makers' own classes with a small random checkpoint, which sounds like noise."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.kokoro_torch import CONFIG_FILE, WEIGHTS_FILE, TorchKokoroSynthesizer
from s2s_desktop.tts.phonemes import vocabulary


def test_without_the_extra_the_command_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(AssistantError, match=r"s2s-desktop\[torch\]") as failure:
        TorchKokoroSynthesizer(tmp_path).load()
    assert failure.value.kind is ErrorKind.MODEL_MISSING


def config() -> dict[str, Any]:
    """The real shape of the model with narrow layers; lengths and rates are the real ones."""
    return {
        "istftnet": {
            "upsample_kernel_sizes": [20, 12],
            "upsample_rates": [10, 6],
            "gen_istft_hop_size": 5,
            "gen_istft_n_fft": 20,
            "resblock_dilation_sizes": [[1, 3, 5]],
            "resblock_kernel_sizes": [3],
            "upsample_initial_channel": 512,  # the only number that the rest of the decoder fits
        },
        "dim_in": 16,
        "dropout": 0.0,
        "hidden_dim": 512,
        "max_conv_dim": 512,
        "max_dur": 4,
        "multispeaker": True,
        "n_layer": 1,
        "n_mels": 80,
        "n_token": 178,
        "style_dim": 128,
        "text_encoder_kernel_size": 5,
        "plbert": {
            "hidden_size": 16,
            "num_attention_heads": 2,
            "intermediate_size": 16,
            "max_position_embeddings": 512,
            "num_hidden_layers": 1,
            "dropout": 0.0,
        },
        "vocab": dict(vocabulary()),
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    reason = "the extra [torch] is not installed"
    torch = pytest.importorskip("torch", reason=reason)
    model = pytest.importorskip("kokoro.model", reason=reason)
    folder = tmp_path_factory.mktemp("kokoro-torch")
    (folder / CONFIG_FILE).write_text(json.dumps(config()), "utf-8")
    parts = ("bert", "bert_encoder", "predictor", "text_encoder", "decoder")
    torch.manual_seed(1)
    torch.save({}, folder / WEIGHTS_FILE)
    empty = model.KModel("hexgrad/Kokoro-82M", str(folder / CONFIG_FILE), str(folder / WEIGHTS_FILE))
    torch.save({part: getattr(empty, part).state_dict() for part in parts}, folder / WEIGHTS_FILE)
    return folder


needs_torch = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
"""Deprecations within the package, where the fixture makes the model itself."""


@pytest.fixture(scope="module")
def voice(folder: Path) -> TorchKokoroSynthesizer:
    voice = TorchKokoroSynthesizer(folder, device="cpu")
    voice.load()
    return voice


@needs_torch
def test_it_speaks_through_the_same_interface(voice: TorchKokoroSynthesizer) -> None:
    text = "The price is $5, and not more."
    chunks = list(voice.synthesize(text))
    assert "".join(chunk.text for chunk in chunks) == text
    assert [word.text for chunk in chunks for word in chunk.words] == text.split()
    for chunk in chunks:
        assert chunk.sample_rate == 24_000
        assert chunk.samples.dtype == np.float32
        assert np.max(np.abs(chunk.samples)) <= 1.0


@needs_torch
@pytest.mark.parametrize("text", ["", "  ", "..."])
def test_nothing_to_say_gives_no_chunk(voice: TorchKokoroSynthesizer, text: str) -> None:
    assert list(voice.synthesize(text)) == []


@needs_torch
def test_another_language_is_spoken(voice: TorchKokoroSynthesizer) -> None:
    assert list(voice.synthesize("Buenos días.", "es"))


@needs_torch
@pytest.mark.parametrize("name", [CONFIG_FILE, WEIGHTS_FILE])
def test_a_missing_file_is_named(folder: Path, tmp_path: Path, name: str) -> None:
    for file in folder.iterdir():
        if file.name != name:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(AssistantError, match=name) as failure:
        TorchKokoroSynthesizer(tmp_path).load()
    assert failure.value.kind is ErrorKind.MODEL_MISSING


@needs_torch
def test_a_damaged_checkpoint_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_bytes((folder / CONFIG_FILE).read_bytes())
    (tmp_path / WEIGHTS_FILE).write_bytes(b"no checkpoint")
    with pytest.raises(AssistantError, match="cannot be loaded"):
        TorchKokoroSynthesizer(tmp_path).load()


def test_a_voice_that_is_not_loaded_says_so(tmp_path: Path) -> None:
    with pytest.raises(AssistantError, match="not loaded"):
        next(iter(TorchKokoroSynthesizer(tmp_path).synthesize("Hello.")))
