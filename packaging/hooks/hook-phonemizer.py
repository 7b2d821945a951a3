"""phonemizer reads lists of its own (share/)."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files("phonemizer")
