"""How loud the microphone is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # NumPy takes longer to load than the window to appear
    import numpy as np
    from numpy.typing import NDArray


FLOOR_DBFS = -90.0
"""What digital silence is reported as; below the noise of any 16-bit microphone."""


@dataclass(frozen=True, slots=True)
class MicLevel:
    """Loudness of a block: RMS and peak in dB below full scale, -90..0 (peak may exceed 0)."""

    rms_dbfs: float
    peak_dbfs: float


def measure_level(samples: NDArray[np.float32]) -> MicLevel:
    """Measure samples of shape (n,), n > 0."""
    import numpy as np

    peak = float(np.abs(samples).max())
    rms = math.sqrt(float(samples @ samples) / samples.size)
    return MicLevel(_dbfs(rms), _dbfs(peak))


def _dbfs(amplitude: float) -> float:
    return max(FLOOR_DBFS, 20.0 * math.log10(max(amplitude, 1e-9)))
