"""Silero VAD in its makers' own package on PyTorch: the extra `[torch]`."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.vad.detector import FRAME_SAMPLES, SAMPLE_RATE


class TorchSileroDetector:
    """The model in the `silero-vad` package, on the processor: a frame is too little work for a GPU.

    Not thread-safe: one detector belongs to one sound source. Nothing is downloaded.
    """

    def __init__(self) -> None:
        """Load the model.

        Raises:
            AssistantError: MODEL_MISSING when the extra is not installed or its model is broken.
        """
        try:
            import torch

            threads = torch.get_num_threads()
            from silero_vad import load_silero_vad
        except ImportError as error:
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                "The speech detector on PyTorch is not installed. Run “pip install 's2s-desktop[torch]'”, or "
                "choose the built-in one in the settings.",
                str(error),
            ) from error
        # Importing the package takes all threads but one from every other model on PyTorch.
        torch.set_num_threads(threads)
        try:
            with warnings.catch_warnings():
                # PyTorch no longer likes TorchScript, in which the package ships its model.
                warnings.simplefilter("ignore")
                self._model = load_silero_vad()
        except (OSError, RuntimeError) as error:
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                "The speech detector on PyTorch cannot be loaded. Run “pip install --force-reinstall "
                "silero-vad”.",
                str(error),
            ) from error

    def probability(self, frame: NDArray[np.float32]) -> float:
        """Return the probability of speech, 0..1, in the next frame.

        Args:
            frame: shape (512,), float32, 16 kHz mono. One that holds NaN or infinity counts as silence.

        Raises:
            ValueError: The frame has another length.
        """
        import torch

        if frame.shape != (FRAME_SAMPLES,):
            raise ValueError(f"a frame has {FRAME_SAMPLES} samples, not {frame.shape}")
        heard = frame if np.isfinite(frame).all() else np.zeros_like(frame)
        with torch.no_grad():
            return float(self._model(torch.from_numpy(np.ascontiguousarray(heard)), SAMPLE_RATE).item())

    def reset(self) -> None:
        """Forget the frames before."""
        self._model.reset_states()
