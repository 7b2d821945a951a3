"""The commands of `s2s-desktop`; without one it opens the window."""

from s2s_desktop.cli.main import main

__all__ = ["main"]
