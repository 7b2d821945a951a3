"""What every speech recognition asks of its callers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.languages import language_code

LOUDEST = 8.0
"""Peak above which samples were clearly not scaled to -1..1 (16-bit integers reach 32768)."""


def check_sound(audio: NDArray[np.float32]) -> None:
    """Refuse sound that would be misheard.

    Raises:
        AssistantError: INTERNAL; it is not shape (n,), float32, about -1..1.
    """
    problem = ""
    if audio.ndim != 1 or audio.dtype != np.float32:
        problem = f"shape {audio.shape}, {audio.dtype} instead of mono float32"
    elif not np.isfinite(audio).all():
        problem = "samples that are not numbers"
    elif audio.size and float(np.abs(audio).max()) > LOUDEST:
        problem = "samples outside -1..1"
    if problem:
        raise AssistantError(
            ErrorKind.INTERNAL, "The sound for speech recognition is in the wrong form.", problem
        )


def checked_language(text: str) -> str:
    """Return the code of a language as a user writes it; "" detects it.

    Raises:
        AssistantError: BAD_REQUEST; nobody speaks it here.
    """
    try:
        return language_code(text)
    except ValueError as error:
        raise AssistantError(
            ErrorKind.BAD_REQUEST, f"Choose another language to be heard: {error}."
        ) from error
