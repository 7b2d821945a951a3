"""Whether devices were plugged in or removed, or the default changed, asked at no cost.

PortAudio takes its list once and cannot look again while a stream is open. The systems tell it without
PortAudio: a file on Linux, a few function calls on Windows and macOS.
"""

from __future__ import annotations

import ctypes
import logging
import sys
from pathlib import Path

_ALSA_CARDS = Path("/proc/asound/cards")

_log = logging.getLogger(__name__)


def fingerprint() -> str:
    """Return a text that changes with the devices of this computer and with its defaults.

    It says nothing of what a sound server on Linux does: PulseAudio and PipeWire move open streams
    themselves. "" where the system does not answer.
    """
    try:
        if sys.platform == "win32":
            return _windows()
        if sys.platform == "darwin":
            return _macos()
        return _ALSA_CARDS.read_text("utf-8", "replace") if _ALSA_CARDS.exists() else ""
    except (OSError, AttributeError) as error:
        _log.debug("the system does not tell its sound devices: %s", error)
        return ""


if sys.platform == "win32":
    _MAPPER = 0xFFFFFFFF
    _PREFERRED_GET = 0x2015
    """DRVM_MAPPER_PREFERRED_GET of mmddk.h: the number of the default device."""

    def _windows() -> str:
        winmm = ctypes.WinDLL("winmm")
        preferred = []
        for message in (winmm.waveInMessage, winmm.waveOutMessage):
            number, flags = ctypes.c_uint32(), ctypes.c_uint32()
            message(
                ctypes.c_void_p(_MAPPER),
                ctypes.c_uint32(_PREFERRED_GET),
                ctypes.byref(number),
                ctypes.byref(flags),
            )
            preferred.append(number.value)
        return f"{winmm.waveInGetNumDevs()} {winmm.waveOutGetNumDevs()} {preferred}"


if sys.platform == "darwin":
    _SYSTEM_OBJECT = 1
    _ITEMS = (b"dev#", b"dIn ", b"dOut")
    """kAudioHardwarePropertyDevices and the two for the default input and output, of AudioHardware.h."""

    class _Address(ctypes.Structure):
        """AudioObjectPropertyAddress: selector, scope (global), element (main)."""

        _fields_ = [("selector", ctypes.c_uint32), ("scope", ctypes.c_uint32), ("element", ctypes.c_uint32)]

    def _macos() -> str:
        core_audio = ctypes.CDLL("/System/Library/Frameworks/CoreAudio.framework/CoreAudio")
        answers = []
        for item in _ITEMS:
            address = _Address(int.from_bytes(item, "big"), int.from_bytes(b"glob", "big"), 0)
            answer = (ctypes.c_uint32 * 256)()
            size = ctypes.c_uint32(ctypes.sizeof(answer))
            core_audio.AudioObjectGetPropertyData(
                _SYSTEM_OBJECT, ctypes.byref(address), 0, None, ctypes.byref(size), ctypes.byref(answer)
            )
            answers.append(list(answer[: size.value // 4]))
        return str(answers)
