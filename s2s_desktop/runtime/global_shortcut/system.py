"""Which way to a global shortcut this desktop has."""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QGuiApplication

from s2s_desktop.runtime.global_shortcut.shortcut import GlobalShortcut

translate = QCoreApplication.translate  # by this name lupdate finds the strings


def impossible() -> str:
    """Return why no key can work in every window here, as a sentence; "" where it can be tried."""
    return "" if _system() else by_command()


def by_command() -> str:
    """Return how the desktop itself can bind a key, as a sentence."""
    return translate(
        "global_shortcut",
        "This desktop lends no keys to programs. In its own keyboard settings, give a key this command: "
        "s2s-desktop --toggle-mic",
    )


def for_this_system(parent: QObject) -> GlobalShortcut:
    """Return a shortcut of the system the program runs on; only where it is not `impossible`."""
    match _system():
        case "x11":
            from s2s_desktop.runtime.global_shortcut.x11 import X11Shortcut

            return X11Shortcut(parent)
        case "portal":
            from s2s_desktop.runtime.global_shortcut.portal import PortalShortcut

            return PortalShortcut(parent)
        case "windows":
            from s2s_desktop.runtime.global_shortcut.windows import WindowsShortcut

            return WindowsShortcut(parent)
        case "macos":
            from s2s_desktop.runtime.global_shortcut.macos import MacShortcut

            return MacShortcut(parent)
        case _:
            raise RuntimeError("no global shortcut on this system")


def _system() -> str:
    match QGuiApplication.platformName():
        # An X server inside of a Wayland desktop hears of no key while a window of Wayland has the keyboard.
        case "xcb" if os.environ.get("WAYLAND_DISPLAY"):
            return "portal"
        case "xcb":
            return "x11"
        case "wayland" | "wayland-egl":
            return "portal"
        case "windows":
            return "windows"
        case "cocoa":
            return "macos"
        case _:
            return ""
