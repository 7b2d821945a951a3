"""Kokoro-82M in its makers' own package on PyTorch, for people with a GPU: the extra `[torch]`."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.kokoro.clause import Utterance, Voice
from s2s_desktop.tts.kokoro.engine import KokoroEngine
from s2s_desktop.tts.voices import DEFAULT_VOICE, load_style

CONFIG_FILE, WEIGHTS_FILE = "config.json", "kokoro-v1_0.pth"
"""As https://huggingface.co/hexgrad/Kokoro-82M names them."""


class TorchKokoroSynthesizer(KokoroEngine[Any]):
    """Speaks with one voice at one speed, whole clauses at a time. Not thread-safe, as espeak-ng is not.

    Nothing is downloaded: the files of the model must be in its folder.

    Args:
        folder: Holds `CONFIG_FILE` and `WEIGHTS_FILE`.
        voice: A voice or a blend; see `KokoroSynthesizer`.
        speed: Clamped to 0.5-2.0.
        device: What PyTorch calls it; "" takes CUDA or MPS where there is one, else the processor.
    """

    name = "kokoro-torch"

    def __init__(
        self, folder: Path, voice: str = DEFAULT_VOICE, speed: float = 1.0, device: str = ""
    ) -> None:
        super().__init__(voice, speed)
        self._folder = folder
        self._device = device

    def load(self) -> None:
        """Load the model and speak a word with it.

        Raises:
            AssistantError: MODEL_MISSING when the extra is not installed or a file is absent, INTERNAL when
                the model cannot be loaded.
        """
        if self._model is not None:
            return
        try:
            import torch
            from kokoro.model import KModel
            from loguru import logger
        except ImportError as error:
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                "The voice on PyTorch is not installed. Run “pip install 's2s-desktop[torch]'”, or choose "
                "“kokoro-onnx” in the settings.",
                str(error),
            ) from error
        files = self._folder / CONFIG_FILE, self._folder / WEIGHTS_FILE
        missing = [file.name for file in files if not file.is_file()]
        if missing:
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                f"The voice on PyTorch lacks {' and '.join(missing)}. Download it from "
                f"huggingface.co/hexgrad/Kokoro-82M into the folder {self._folder}.",
            )
        logger.disable("kokoro")  # it would write every text to stderr
        try:
            with warnings.catch_warnings():
                # Two deprecations within the package, of no use to anybody here.
                warnings.simplefilter("ignore")
                model = KModel("hexgrad/Kokoro-82M", str(files[0]), str(files[1]))
            model = model.to(self._device or best_device(torch)).eval()
        except Exception as error:  # a damaged checkpoint fails in many ways
            raise AssistantError(
                ErrorKind.INTERNAL,
                "The voice on PyTorch cannot be loaded. Download its files again.",
                str(error),
            ) from error
        self._take(model)

    @override
    def _make_voice(self, model: Any, voice: str) -> Voice:
        return _TorchVoice(model, voice)


class _TorchVoice:
    """See `clause.Voice`."""

    def __init__(self, model: Any, voice: str) -> None:
        self._model = model
        self._styles = load_style(voice)

    def utter(self, tokens: list[int], sounding: tuple[int, int], speed: float) -> Utterance:
        """See `Voice.utter`; the silence around is cut by who asked."""
        import torch

        device = self._model.device
        given = torch.tensor([[0, *tokens, 0]], dtype=torch.long, device=device)
        style = torch.from_numpy(self._styles[len(tokens) - 1]).to(device)
        sound, durations = self._model.forward_with_tokens(given, style, speed)
        samples = sound.reshape(-1).cpu().numpy().astype(np.float32)
        edges = np.concatenate([[0], np.cumsum(2 * durations.reshape(-1).cpu().numpy())])
        return Utterance(edges, 0, iter([(samples, True)]))


def best_device(torch: Any) -> str:
    """Return the device to run on: a GPU where PyTorch sees one."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
