"""Extensions and the names of keys are modules that python-xlib imports by name."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("Xlib")
