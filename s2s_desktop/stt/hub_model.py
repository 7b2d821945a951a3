"""Whisper models of the Hugging Face Hub that the catalog does not know."""

from __future__ import annotations

import re
from pathlib import Path

from s2s_desktop.errors import AssistantError, ErrorKind

FILES = ["model.bin", "config.json", "preprocessor_config.json", "tokenizer.json", "vocabulary.*"]
"""What faster-whisper reads of a repository."""

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def is_hub_name(name: str) -> bool:
    """Return whether a name means a repository of the Hub (`owner/model`) and no folder that is there."""
    return _NAME.fullmatch(name) is not None and not Path(name).is_dir()


def cached_hub_model(name: str) -> Path | None:
    """Return the folder of a model that is on this computer, None when it is not. Asks nobody.

    Args:
        name: For which `is_hub_name` holds.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, allow_patterns=FILES, local_files_only=True))
    except LocalEntryNotFoundError:
        return None
    return folder if (folder / "model.bin").is_file() else None


def fetch_hub_model(name: str) -> Path:
    """Download a model into the cache of the Hub's own library and return its folder. Blocks for minutes.

    Args:
        name: For which `is_hub_name` holds.

    Raises:
        AssistantError: MODEL_MISSING; it could not be had, or is no model for faster-whisper.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, RepositoryNotFoundError

    try:
        folder = Path(snapshot_download(name, allow_patterns=FILES))
    except RepositoryNotFoundError as error:
        raise AssistantError(
            ErrorKind.MODEL_MISSING,
            f"The Hugging Face Hub has no public model {name}. Check its name in the settings.",
            str(error),
        ) from None
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise AssistantError(
            ErrorKind.MODEL_MISSING,
            f"The model {name} could not be fetched from the Hugging Face Hub. Check the network connection, "
            "or choose a model of the catalog.",
            f"{type(error).__name__}: {error}",
        ) from None
    if not (folder / "model.bin").is_file():
        raise AssistantError(
            ErrorKind.MODEL_MISSING,
            f"{name} is no model for faster-whisper: it has no model.bin. Choose one that was converted for "
            "CTranslate2.",
        )
    return folder
