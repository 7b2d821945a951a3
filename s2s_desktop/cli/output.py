"""What the commands print: text as it comes for people, or one JSON document for programs."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError

if TYPE_CHECKING:  # the window starts through here and shows no progress in a terminal
    from s2s_desktop.models.progress import OnProgress


def say(text: str, end: str = "\n") -> None:
    """Print for people on stdout, at once."""
    print(text, end=end, flush=True)


def explain(text: str) -> None:
    """Print a sentence beside the result, on stderr."""
    print(text, file=sys.stderr, flush=True)


def print_json(document: object) -> None:
    """Print the one JSON document of a command."""
    print(json.dumps(document, ensure_ascii=False, indent=2), flush=True)


def error_document(error: AssistantError | None) -> dict[str, str] | None:
    """Return an error as `--json` shows it."""
    return None if error is None else {"kind": error.kind.value, "message": error.message}


def download_progress(*, quiet: bool) -> OnProgress | None:
    """Return what shows downloads on stderr, or None for a program that reads JSON."""
    if quiet:
        return None
    from s2s_desktop.models.terminal import TerminalProgress

    return TerminalProgress()
