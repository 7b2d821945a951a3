"""Babel's names of units, money and dates, in the languages that Kokoro speaks; all of them are 36 MB."""

from PyInstaller.utils.hooks import collect_data_files

LANGUAGES = ("root", "de", "en", "es", "fr", "hi", "it", "ja", "pt", "zh")

datas = collect_data_files(
    "babel",
    includes=[
        "global.dat",
        *(f"locale-data/{language}.dat" for language in LANGUAGES),
        *(f"locale-data/{language}_*.dat" for language in LANGUAGES),
    ],
)
# Classes that the pickled data names.
hiddenimports = ["babel.dates", "babel.localedata", "babel.numbers", "babel.plural"]
