"""Another process that downloads the small model: `python child_download.py`."""

from __future__ import annotations

import sys
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_TESTS), str(_TESTS.parent)]

from models.small import LIMITS, small_model  # noqa: E402
from s2s_desktop.models.progress import DownloadProgress  # noqa: E402
from s2s_desktop.models.store import ModelStore  # noqa: E402
from s2s_desktop.settings.paths import find_paths  # noqa: E402


def _print_note(progress: DownloadProgress) -> None:
    if progress.note:
        print(progress.note, flush=True)


if __name__ == "__main__":
    ModelStore(find_paths(), (small_model(),), LIMITS).ensure(["small"], _print_note)
    print("done", flush=True)
