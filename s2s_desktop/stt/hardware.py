"""What this machine can run CTranslate2 on."""

from __future__ import annotations

import logging
import os

import psutil

_log = logging.getLogger(__name__)

MAX_THREADS = 4
"""Whisper's decoder gets slower, not faster, with more threads than this."""


def thread_count(wanted: int) -> int:
    """Return `wanted`, or for 0 the physical cores this process may use, at most `MAX_THREADS`.

    Hyper-threads share what matrix products need, so they slow it down.
    """
    if wanted > 0:
        return wanted
    logical = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else logical
    physical = psutil.cpu_count(logical=False) or logical
    return max(1, min(MAX_THREADS, physical, usable))


def usable_device(wanted: str) -> str:
    """Return `cuda` or `cpu`; a GPU that is asked for and absent is logged."""
    if wanted == "cpu":
        return "cpu"
    import ctranslate2

    if ctranslate2.get_cuda_device_count() > 0:
        return "cuda"
    if wanted != "auto":
        _log.warning(
            "No GPU that CTranslate2 can use (%s was chosen): speech recognition runs on the CPU", wanted
        )
    return "cpu"


def usable_compute_type(wanted: str, device: str) -> str:
    """Return `wanted`, or what the device offers instead: int8, else float32. A change is logged."""
    import ctranslate2

    offered = ctranslate2.get_supported_compute_types(device)
    if wanted in offered or wanted in ("auto", "default"):
        return wanted
    chosen = "int8" if "int8" in offered else "float32"
    _log.warning("This %s cannot calculate in %s: speech recognition uses %s", device.upper(), wanted, chosen)
    return chosen
