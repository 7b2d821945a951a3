"""Whether a sentence sounds finished: Smart Turn v3.2 (https://github.com/pipecat-ai/smart-turn, BSD-2)."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.vad.detector import SAMPLE_RATE
from s2s_desktop.vad.log_mel import log_mel_spectrum

WINDOW_S = 8
"""What the model was trained on: the last 8 s, with zeros in front of shorter speech."""
_MOST_THREADS = 2
"""Two threads judge in 25 ms and one in 45; more gain nothing at this size (measured)."""
_LEAST_VARIANCE = 1e-7


class SmartTurn:
    """Judges the melody of the last seconds of speech, in 23 languages. Not thread-safe."""

    def __init__(self, model_file: Path) -> None:
        """Load `smart-turn-v3.2-cpu.onnx` and judge once, so that the first answer comes as fast as any.

        Raises:
            AssistantError: kind MODEL_MISSING, when the file is missing or broken.
        """
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(_MOST_THREADS, os.cpu_count() or 1)
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(model_file), sess_options=options, providers=["CPUExecutionProvider"]
            )
            self.finished(np.zeros(SAMPLE_RATE, np.float32))
        except Exception as error:  # ONNX Runtime raises types of its own that share no base class.
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                "The model that hears the end of a sentence cannot be loaded. Turns end after a pause; "
                "get the model again to make replies quicker.",
                str(error),
            ) from error

    def finished(self, audio: NDArray[np.float32]) -> float:
        """Return the probability that the speaker has finished, 0..1.

        Args:
            audio: shape (n,), float32, 16 kHz mono, n > 0: the turn so far with about 200 ms of the pause
                behind it. Of longer ones the last 8 s count. NaN and infinity count as silence.
        """
        window = WINDOW_S * SAMPLE_RATE
        sound = np.nan_to_num(audio[-window:], nan=0.0, posinf=0.0, neginf=0.0)
        sound = np.pad(sound, (window - len(sound), 0))
        normal = (sound - sound.mean()) / np.sqrt(sound.var() + _LEAST_VARIANCE)
        features = log_mel_spectrum(normal)[np.newaxis]
        (probability,) = self._session.run(None, {"input_features": features})
        return float(probability[0, 0])
