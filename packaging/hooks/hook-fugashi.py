"""fugashi looks for the dictionary unidic-lite with an import inside a compiled module."""

hiddenimports = ["unidic_lite", "unidic_lite.unidic"]
