"""The dictionary for reading Japanese, without its sources and manuals."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files(
    "unidic_lite",
    includes=["dicdir/*.bin", "dicdir/*.dic", "dicdir/dicrc", "dicdir/mecabrc", "dicdir/version"],
)
