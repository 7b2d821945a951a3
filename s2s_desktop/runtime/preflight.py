"""What must be there before the window can open, checked without Qt.

Qt aborts the process when it finds no display, and then names a library that is often not the missing one
(https://github.com/zeroepoch/plotbitrate/issues/28), so we look ourselves and say it in words.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from s2s_desktop.runtime.linux_libraries import PLATFORM_LIBRARIES, PORTAUDIO, Packages, install_command

LoadLibrary = Callable[[str], object]
"""Loads a shared library or raises OSError: `ctypes.CDLL`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer of one check.

    Attributes:
        name: What was checked, for people.
        ok: Whether it works.
        sentence: What was found; for a problem, what is missing and what to do.
        command: The command that mends it; "" when there is none to offer.
    """

    name: str
    ok: bool
    sentence: str
    command: str = ""


def check_display(
    environment: Mapping[str, str] = os.environ, load: LoadLibrary = ctypes.CDLL, platform: str = sys.platform
) -> Finding:
    """Check that a window can open: a display that answers, and every library Qt's plugin for it loads."""
    name = "Display"
    if platform != "linux":
        return Finding(name, True, "The system's own window manager is used.")
    findings = [_check_platform(plugin, environment, load) for plugin in _platform_plugins(environment)]
    if not findings:
        return Finding(
            name,
            False,
            "There is no graphical session here: neither DISPLAY nor WAYLAND_DISPLAY is set. Start S2S "
            "Desktop from a desktop, or use `s2s-desktop talk` and `s2s-desktop ask` in this terminal.",
        )
    return next((finding for finding in findings if finding.ok), findings[0])


def check_portaudio(load: Callable[[], object] | None = None) -> Finding:
    """Check that sound can be recorded and played. Without it typed chat still works.

    Args:
        load: Imports `sounddevice`, which loads PortAudio.
    """
    name = "Sound"
    try:
        (load or _import_sounddevice)()
    except OSError as error:
        return Finding(
            name,
            False,
            f"PortAudio, the library for microphone and speaker, cannot be loaded ({error}). "
            "Typed chat works without it. Install it and start S2S Desktop again.",
            install_command([PORTAUDIO]),
        )
    return Finding(name, True, "PortAudio is installed.")


def _import_sounddevice() -> object:
    return importlib.import_module("sounddevice")


def _platform_plugins(environment: Mapping[str, str]) -> list[str]:
    """Return the plugins Qt would try here, in its order."""
    chosen = environment.get("QT_QPA_PLATFORM", "")
    if chosen:
        return [part.split(":")[0] for part in chosen.split(";") if part]
    plugins = []
    if environment.get("WAYLAND_DISPLAY"):
        plugins.append("wayland")
    if environment.get("DISPLAY"):
        plugins.append("xcb")
    return plugins


def _check_platform(plugin: str, environment: Mapping[str, str], load: LoadLibrary) -> Finding:
    name = "Display"
    problem = _missing_libraries(plugin, load)
    if problem is not None:
        return problem
    if plugin == "wayland" and not _wayland_answers(environment):
        return Finding(name, False, _no_answer(f"Wayland display {environment.get('WAYLAND_DISPLAY', '')!r}"))
    if plugin == "xcb" and not _x_server_answers(environment, load):
        return Finding(name, False, _no_answer(f"X display {environment.get('DISPLAY', '')!r}"))
    return Finding(name, True, f"Windows open through Qt's {plugin} plugin.")


def _no_answer(display: str) -> str:
    return f"The {display} does not answer. Start S2S Desktop from a terminal inside your desktop session."


def _missing_libraries(plugin: str, load: LoadLibrary) -> Finding | None:
    """Load the plugin as Qt would. When that fails, find everything that is missing, not only the first."""
    path = _plugin_path(plugin)
    if path is None:
        return Finding("Display", False, f"This installation has no Qt plugin for the platform {plugin!r}.")
    try:
        load(str(path))
    except OSError as error:
        first = str(error).split(":")[0].strip()
        known = PLATFORM_LIBRARIES.get(plugin, {})
        missing = [library for library in known if not _loads(library, load)]
        if first not in missing:
            missing.insert(0, first)
        packages: list[Packages] = [known[library] for library in missing if library in known]
        return Finding(
            "Display",
            False,
            f"The window needs what is not installed: {', '.join(missing)}.",
            install_command(packages) if packages else "",
        )
    return None


def _plugin_path(plugin: str) -> Path | None:
    package = importlib.util.find_spec("PySide6")
    folders = package.submodule_search_locations if package is not None else None
    for folder in folders or ():
        path = Path(folder) / "Qt" / "plugins" / "platforms" / f"libq{plugin}.so"
        if path.is_file():
            return path
    return None


def _loads(library: str, load: LoadLibrary) -> bool:
    try:
        load(library)
    except OSError:
        return False
    return True


def _wayland_answers(environment: Mapping[str, str]) -> bool:
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    address = os.path.join(runtime, environment.get("WAYLAND_DISPLAY", "wayland-0"))
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as client:
        client.settimeout(2)
        try:
            client.connect(address)
        except OSError:
            return False
    return True


def _x_server_answers(environment: Mapping[str, str], load: LoadLibrary) -> bool:
    """Connect like Qt does; Qt itself would abort the process when this fails."""
    xcb = load("libxcb.so.1")
    if not isinstance(xcb, ctypes.CDLL):
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(environment.get("DISPLAY", "").encode(), None)
    failed = xcb.xcb_connection_has_error(connection) != 0
    xcb.xcb_disconnect(connection)
    return not failed
