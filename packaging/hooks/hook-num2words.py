"""num2words imports its languages by name."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("num2words")
