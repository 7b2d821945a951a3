"""espeakng_loader is a shared library and its data, found beside its module."""

from PyInstaller.utils.hooks import collect_data_files, collect_dynamic_libs

datas = collect_data_files("espeakng_loader")
binaries = collect_dynamic_libs("espeakng_loader")
