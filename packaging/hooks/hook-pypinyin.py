"""pypinyin reads its dictionaries from JSON files."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files("pypinyin", includes=["*.json"])
