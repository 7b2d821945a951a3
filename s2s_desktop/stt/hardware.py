"""What this machine can run CTranslate2 on, and which speech recognition suits it."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import psutil

from s2s_desktop.models.catalog import recommend

MAX_THREADS = 4
"""Whisper's decoder gets slower, not faster, with more threads than this."""

_FASTEST = {"cpu": ("int8", "float32"), "cuda": ("float16", "int8_float16", "int8", "float32")}
"""Compute types from the fastest that costs no accuracy worth mentioning."""

DEFAULT_MODEL = "whisper-base"
"""Hears every language on every machine."""

_ENOUGH_CORES = 64
"""A GPU stands for all the cores that a model may ask for."""


_CALCULATES_WIDE = "AVX512_ICL"
"""NumPy's name for processors from Ice Lake and Zen 4 on; older ones slow down for such vectors."""


def prefer_wide_vectors() -> None:
    """Let CTranslate2 calculate in vectors of 512 bits where that is faster; before a model is loaded.

    It has to be told (https://github.com/OpenNMT/CTranslate2/pull/1108). Measured on a Sapphire Rapids:
    encoding takes 0.8 of the time; the words of 22 recordings are the same. What the user has set in the
    environment stays.
    """
    if _CALCULATES_WIDE in np.show_config(mode="dicts")["SIMD Extensions"]["found"]:
        os.environ.setdefault("CT2_FORCE_CPU_ISA", "AVX512")


def core_count() -> int:
    """Return the physical cores that this process may use.

    Hyper-threads share what matrix products need, so they slow it down.
    """
    logical = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else logical
    return max(1, min(psutil.cpu_count(logical=False) or logical, usable))


def thread_count(wanted: int) -> int:
    """Return `wanted`, or for 0 the physical cores this process may use, at most `MAX_THREADS`."""
    return wanted if wanted > 0 else min(MAX_THREADS, core_count())


def has_gpu() -> bool:
    """Return whether CTranslate2 sees a GPU. Its libraries may be missing all the same."""
    import ctranslate2

    return int(ctranslate2.get_cuda_device_count()) > 0


def recommended_model(
    memory_bytes: int | None = None, cores: int | None = None, gpu: bool | None = None, language: str = ""
) -> str:
    """Return the catalog name of the most accurate speech recognition that keeps up with a conversation.

    Args:
        memory_bytes: Memory of the machine; None asks it.
        cores: Physical cores; None asks the machine.
        gpu: Whether there is a GPU for CTranslate2, which runs every model; None asks.
        language: The only language that is spoken, "" for any.
    """
    memory = psutil.virtual_memory().total if memory_bytes is None else memory_bytes
    cores = core_count() if cores is None else cores
    gpu = has_gpu() if gpu is None else gpu
    chosen = recommend("stt", memory, _ENOUGH_CORES if gpu else cores).name
    # A machine too weak for any other model still has to hear the language that is spoken.
    return chosen if language == "en" or not chosen.endswith(".en") else DEFAULT_MODEL


def usable_device(wanted: str, on_notice: Callable[[str], None]) -> str:
    """Return `cuda` or `cpu`; a GPU that is asked for and absent is worth a sentence."""
    if wanted == "cpu":
        return "cpu"
    if has_gpu():
        return "cuda"
    if wanted != "auto":
        on_notice(
            "There is no GPU that speech recognition can use, so it runs on the processor. An NVIDIA GPU "
            "needs its driver and the CUDA 12 libraries."
        )
    return "cpu"


def usable_compute_type(wanted: str, device: str, on_notice: Callable[[str], None]) -> str:
    """Return `wanted`, or what the device offers instead; `auto` is the fastest it offers.

    A change is worth a sentence.
    """
    import ctranslate2

    offered = ctranslate2.get_supported_compute_types(device)
    if wanted in offered:
        return wanted
    chosen = next((kind for kind in _FASTEST[device] if kind in offered), "default")
    if wanted not in ("auto", "default", ""):
        where = "GPU" if device == "cuda" else "processor"
        on_notice(f"This {where} cannot calculate in {wanted}: speech recognition uses {chosen}.")
    return chosen
