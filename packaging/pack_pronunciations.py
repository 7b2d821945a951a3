"""Writes the resources with the pronunciations of English words from the lexicon of the installed misaki.

    python packaging/pack_pronunciations.py

What is written is described in s2s_desktop/tts/pronunciations.py.
"""

from __future__ import annotations

import importlib.util
import json
import lzma
from pathlib import Path

from s2s_desktop.resources import resource_path
from s2s_desktop.tts.pronunciations import FILES

NAMES = {"en-us": "us", "en-gb": "gb"}

USES = ("NOUN", "VERB", "VBN", "VBD", "None")
"""Those that s2s_desktop/tts/word_uses.py tells apart."""


def main() -> None:
    """Pack both accents."""
    found = importlib.util.find_spec("misaki")
    if found is None or found.origin is None:
        raise SystemExit("misaki is not installed")
    for accent, name in NAMES.items():
        entries = json.loads((Path(found.origin).parent / "data" / f"{name}_gold.json").read_text("utf-8"))
        lines = "".join(f"{line(word, entry)}\n" for word, entry in sorted(entries.items()))
        packed = lzma.compress(lines.encode(), preset=9 | lzma.PRESET_EXTREME)
        resource_path(FILES[accent]).write_bytes(packed)


def line(word: str, entry: str | dict[str, str | None]) -> str:
    """Return the line of a word: its phonemes, and those of other uses; a use without any is spelled."""
    if isinstance(entry, str):
        return f"{word}\t{entry}"
    common = entry["DEFAULT"]
    others = [f"{use}={entry[use] or ''}" for use in USES if use in entry and entry[use] != common]
    return "\t".join([word, str(common), *others])


if __name__ == "__main__":
    main()
