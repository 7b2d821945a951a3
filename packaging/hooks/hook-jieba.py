"""jieba splits Chinese by its dictionary and probabilities; its neural model and keyword lists stay out."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files("jieba", includes=["dict.txt", "finalseg/*.p", "posseg/*.p"])
excludedimports = ["paddle"]
