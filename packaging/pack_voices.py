"""Writes the resource with the voices from the files that the npm package kokoro-js carries.

    python packaging/pack_voices.py FOLDER

FOLDER is `package/voices` of kokoro-js 1.2.1 (Apache-2.0): a file with float32 styles for each voice, shape
(510, 256). What is written is described in s2s_desktop/tts/voices.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from s2s_desktop.resources import resource_path
from s2s_desktop.tts.voices import LENGTHS, STYLE_SIZE, VOICES, VOICES_FILE


def main() -> None:
    """Pack every voice of the list."""
    folder = Path(sys.argv[1])
    packed = {}
    for name in VOICES:
        styles = np.fromfile(folder / f"{name}.bin", np.float32).reshape(LENGTHS, STYLE_SIZE)
        patterns = np.ascontiguousarray(styles.astype(np.float16).T).view(np.int16)
        packed[name] = np.diff(patterns, axis=1, prepend=np.int16(0))  # wraps around
    np.savez_compressed(resource_path(VOICES_FILE), **packed)


if __name__ == "__main__":
    main()
