"""Runs a program as if on a bare machine: no Python on PATH, no network, no right to write where it is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

_NOBODY = "65534"
_KEPT = (
    "DISPLAY",
    "PULSE_SERVER",
    "PULSE_COOKIE",
    "ALSA_CONFIG_PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "SYSTEMROOT",
    "TEMP",
)


class Isolation:
    """How programs are started.

    Args:
        home: The home folder they see.

    Attributes:
        complete: Whether network and other people's files are out of reach too; only root can arrange that.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        tools = [shutil.which(tool) for tool in ("unshare", "ip", "setpriv")]
        self.complete = getattr(os, "geteuid", lambda: 1)() == 0 and None not in tools
        if self.complete:
            os.chown(home, int(_NOBODY), int(_NOBODY))

    def command(self, *command: str) -> list[str]:
        """Return what runs a command in isolation."""
        if not self.complete:
            return list(command)
        # A new network has no way out; its own loopback is needed for the built-in language model.
        up = f"{shutil.which('ip')} link set lo up && exec "
        user = f"{shutil.which('setpriv')} --reuid={_NOBODY} --regid={_NOBODY} --clear-groups -- "
        return [str(shutil.which("unshare")), "--net", "/bin/sh", "-c", up + user + '"$0" "$@"', *command]

    def environment(self, extra: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of programs: no Python, nothing of the developer's."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        home = str(self._home)
        places = {"HOME": home, "USERPROFILE": home, "S2S_DESKTOP_HOME": home, "PATH": "/nonexistent"}
        return {**kept, **extra, **places}
