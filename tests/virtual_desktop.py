"""A desktop for the whole test run: a screen (Xvfb), a microphone and a speaker (PulseAudio).

It must be there before Qt and PortAudio are loaded, which look for their devices only once.
"""

from __future__ import annotations

import os
import shutil
import sys

from virtual_audio import VirtualAudio, missing_programs
from virtual_display import VirtualDisplay


class VirtualDesktop:
    """What tests of the real window with real devices use.

    Attributes:
        audio: The sound server, or None where it cannot be had.
        missing: The programs that are missing for it.
    """

    def __init__(self) -> None:
        self.audio: VirtualAudio | None = None
        self.missing: list[str] = []
        self._display: VirtualDisplay | None = None

    def start(self) -> None:
        """Start what this system can have and set the environment of this process to use it."""
        if sys.platform != "linux":
            self.missing = ["Linux"]
            return
        self.missing = [*missing_programs(), *(["Xvfb"] if shutil.which("Xvfb") is None else [])]
        if "Xvfb" in self.missing:
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        else:
            self._display = VirtualDisplay()
            os.environ.pop("WAYLAND_DISPLAY", None)
            os.environ.update(DISPLAY=self._display.name, QT_QPA_PLATFORM="xcb")
        if not missing_programs():
            self.audio = VirtualAudio()
            self.audio.start()
            os.environ.update(self.audio.env)

    def stop(self) -> None:
        """End both servers."""
        if self.audio is not None:
            self.audio.stop()
        if self._display is not None:
            self._display.stop()
