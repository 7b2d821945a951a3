"""A screen without a screen: a private Xvfb for windows that are really shown."""

from __future__ import annotations

import os
import subprocess


class VirtualDisplay:
    """A running Xvfb; `name` is what DISPLAY must be set to."""

    def __init__(self, size: str = "1400x1000x24") -> None:
        reading, writing = os.pipe()
        try:
            self._process = subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"],
                pass_fds=[writing],
                stderr=subprocess.DEVNULL,
            )
        finally:
            os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.name = f":{number}"

    def stop(self) -> None:
        """End the server and wait for it."""
        self._process.terminate()
        self._process.wait(timeout=10)
