"""Medians, percentiles, and the machine that they were measured on."""

from __future__ import annotations

import importlib.metadata
import platform
import statistics
from collections.abc import Sequence

import psutil

from s2s_desktop import __version__

LIBRARIES = ("ctranslate2", "faster-whisper", "onnxruntime", "kokoro-onnx", "xllamacpp", "PySide6-Essentials")


def summary(seconds: Sequence[float]) -> dict[str, float | int]:
    """Return median, 95th percentile, extremes and count; all of them 0 without values."""
    if not seconds:
        return {"median": 0.0, "p95": 0.0, "min": 0.0, "max": 0.0, "count": 0}
    ordered = sorted(seconds)
    return {
        "median": round(statistics.median(ordered), 4),
        "p95": round(ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))], 4),
        "min": round(ordered[0], 4),
        "max": round(ordered[-1], 4),
        "count": len(ordered),
    }


def machine() -> dict[str, object]:
    """Describe this computer and how busy it is, so that figures can be judged."""
    return {
        "program": __version__,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": psutil.cpu_count(logical=False),
        "logical_cores": psutil.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
        "load_average": [round(load, 2) for load in psutil.getloadavg()],
        "python": platform.python_version(),
        "libraries": {name: importlib.metadata.version(name) for name in LIBRARIES},
    }


def line(name: str, values: dict[str, float | int], unit: str = "s") -> str:
    """Return a summary as a line for people."""
    return (
        f"{name:<28} median {values['median']:.3f} {unit}   p95 {values['p95']:.3f} {unit}   "
        f"({values['min']:.3f} to {values['max']:.3f}, n = {values['count']})"
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            return next(text.split(":")[1].strip() for text in info if text.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()
