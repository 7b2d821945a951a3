"""misaki reads Japanese words from its data; the English and Vietnamese word lists there stay out."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files("misaki", includes=["data/ja_words.txt"])
hiddenimports = ["misaki.data"]
