"""Which package of a Linux distribution brings which library."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import NamedTuple


class Packages(NamedTuple):
    """The package of one library: Debian/Ubuntu, Fedora, Arch."""

    apt: str
    dnf: str
    pacman: str


_ANY_WINDOW = {
    "libEGL.so.1": Packages("libegl1", "libglvnd-egl", "libglvnd"),
    "libGL.so.1": Packages("libgl1", "libglvnd-glx", "libglvnd"),
    "libdbus-1.so.3": Packages("libdbus-1-3", "dbus-libs", "dbus"),
    "libfontconfig.so.1": Packages("libfontconfig1", "fontconfig", "fontconfig"),
    "libfreetype.so.6": Packages("libfreetype6", "freetype", "freetype2"),
    "libglib-2.0.so.0": Packages("libglib2.0-0", "glib2", "glib2"),
    "libgthread-2.0.so.0": Packages("libglib2.0-0", "glib2", "glib2"),
    "libxkbcommon.so.0": Packages("libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    "libX11.so.6": Packages("libx11-6", "libX11", "libx11"),
    "libxcb.so.1": Packages("libxcb1", "libxcb", "libxcb"),
}

PLATFORM_LIBRARIES: dict[str, dict[str, Packages]] = {
    "xcb": _ANY_WINDOW
    | {
        "libX11-xcb.so.1": Packages("libx11-xcb1", "libX11-xcb", "libx11"),
        "libxcb-cursor.so.0": Packages("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
        "libxcb-icccm.so.4": Packages("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
        "libxcb-image.so.0": Packages("libxcb-image0", "xcb-util-image", "xcb-util-image"),
        "libxcb-keysyms.so.1": Packages("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
        "libxcb-randr.so.0": Packages("libxcb-randr0", "libxcb", "libxcb"),
        "libxcb-render-util.so.0": Packages(
            "libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"
        ),
        "libxcb-render.so.0": Packages("libxcb-render0", "libxcb", "libxcb"),
        "libxcb-shape.so.0": Packages("libxcb-shape0", "libxcb", "libxcb"),
        "libxcb-shm.so.0": Packages("libxcb-shm0", "libxcb", "libxcb"),
        "libxcb-sync.so.1": Packages("libxcb-sync1", "libxcb", "libxcb"),
        "libxcb-util.so.1": Packages("libxcb-util1", "xcb-util", "xcb-util"),
        "libxcb-xfixes.so.0": Packages("libxcb-xfixes0", "libxcb", "libxcb"),
        "libxcb-xkb.so.1": Packages("libxcb-xkb1", "libxcb", "libxcb"),
        "libxkbcommon-x11.so.0": Packages("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    },
    "wayland": _ANY_WINDOW
    | {
        "libwayland-client.so.0": Packages("libwayland-client0", "libwayland-client", "wayland"),
        "libwayland-cursor.so.0": Packages("libwayland-cursor0", "libwayland-cursor", "wayland"),
        "libwayland-egl.so.1": Packages("libwayland-egl1", "libwayland-egl", "wayland"),
    },
    "offscreen": _ANY_WINDOW,
}
"""Libraries that Qt's platform plugins of PySide6 6.8-6.11 load, by the plugin's name (seen with `ldd`)."""

PORTAUDIO = Packages("libportaudio2", "portaudio", "portaudio")


def install_command(packages: Iterable[Packages]) -> str:
    """Return the shell command that installs `packages` here; "" when the package manager is not known."""
    wanted = list(packages)
    if shutil.which("apt-get"):
        return _command("sudo apt install", (entry.apt for entry in wanted))
    if shutil.which("dnf"):
        return _command("sudo dnf install", (entry.dnf for entry in wanted))
    if shutil.which("pacman"):
        return _command("sudo pacman -S", (entry.pacman for entry in wanted))
    return ""


def _command(verb: str, names: Iterable[str]) -> str:
    return " ".join([verb, *dict.fromkeys(names)])
