"""Silero VAD v6 on ONNX Runtime (https://github.com/snakers4/silero-vad, MIT).

Shipped is the file that its makers cut for 16 kHz and OpenVINO. It holds the same weights as the one for both
rates and answers the same to the last bit, in three quarters of the time, since no branch is left to decide.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.resources import resource_path
from s2s_desktop.vad.detector import FRAME_SAMPLES

_CONTEXT_SAMPLES = 64
"""The model takes the end of the last frame in front of each frame. This file refuses to run without it; that
for both rates answers near zero and says nothing of it (https://github.com/snakers4/silero-vad/issues/771)."""

_STATE_SHAPE = (2, 1, 128)
"""Of the model's memory: hidden and cell state of its LSTM."""


class SileroDetector:
    """The shipped Silero model. Not thread-safe: one detector belongs to one sound source."""

    def __init__(self) -> None:
        """Load the model (about 10 ms).

        Raises:
            AssistantError: kind MODEL_MISSING, when the file is not part of the installation or broken.
        """
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # A frame takes 0.1 ms on one thread; more threads would only spin and take cores from the models.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(resource_path("models/silero_vad.onnx")),
                sess_options=options,
                providers=["CPUExecutionProvider"],
            )
        except Exception as error:  # ONNX Runtime raises types of its own that share no base class.
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                "The speech detector of this installation cannot be loaded; install S2S Desktop again.",
                str(error),
            ) from error
        self._input = np.zeros((1, _CONTEXT_SAMPLES + FRAME_SAMPLES), np.float32)
        self._context, self._frame = np.split(self._input[0], [_CONTEXT_SAMPLES])
        self._last = self._input[0, -_CONTEXT_SAMPLES:]
        self._state = np.zeros(_STATE_SHAPE, np.float32)
        self._next_state = np.zeros(_STATE_SHAPE, np.float32)
        self._output = np.zeros((1, 1), np.float32)
        # The arrays are bound once: handing them over with each frame would take a sixth of its time.
        self._binding = self._session.io_binding()
        for name, array in (("input", self._input), ("state", self._state)):
            self._binding.bind_input(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        for name, array in (("output", self._output), ("stateN", self._next_state)):
            self._binding.bind_output(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)

    def probability(self, frame: NDArray[np.float32]) -> float:
        """Return the probability of speech, 0..1, in the next frame.

        Args:
            frame: shape (512,), float32, 16 kHz mono. One that holds NaN or infinity counts as silence.

        Raises:
            ValueError: The frame has another length; the model itself takes any and answers nonsense.
        """
        if frame.shape != (FRAME_SAMPLES,):
            raise ValueError(f"a frame has {FRAME_SAMPLES} samples, not {frame.shape}")
        self._context[:] = self._last
        # The power is not finite where a sample is not: one call instead of two, thirty times a second.
        self._frame[:] = frame if math.isfinite(frame @ frame) else 0.0
        self._session.run_with_iobinding(self._binding)
        self._state[:] = self._next_state
        return self._output.item()

    def reset(self) -> None:
        """Forget the frames before."""
        self._state.fill(0.0)
        self._input.fill(0.0)
