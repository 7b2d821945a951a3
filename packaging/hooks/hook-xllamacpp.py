"""xllamacpp is imported in the child process only, by a function."""

from PyInstaller.utils.hooks import collect_dynamic_libs

binaries = collect_dynamic_libs("xllamacpp")
hiddenimports = ["xllamacpp.xllamacpp"]
