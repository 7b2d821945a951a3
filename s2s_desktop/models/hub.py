"""The Hugging Face Hub: addresses, the token, the switch-off, and files other programs already fetched."""

from __future__ import annotations

import os
import re
from pathlib import Path

from s2s_desktop.models.sources import HubSource

HUB_LABEL = "the Hugging Face Hub"
_DEFAULT_ENDPOINT = "https://huggingface.co"
_ON = frozenset({"1", "ON", "YES", "TRUE"})


def hub_url(source: HubSource) -> str:
    """Return the address of a file, on the host of `HF_ENDPOINT` when that is set."""
    endpoint = os.environ.get("HF_ENDPOINT", "").strip().rstrip("/") or _DEFAULT_ENDPOINT
    return f"{endpoint}/{source.repo}/resolve/{source.revision}/{source.filename}"


def hub_headers() -> dict[str, str]:
    """Return the headers for the Hub's own host: `HF_TOKEN` raises its rate limit, no model here needs it."""
    token = os.environ.get("HF_TOKEN", "").strip()
    # A token with other characters cannot be one, and the HTTP client would show it in its complaint.
    return {"Authorization": f"Bearer {token}"} if re.fullmatch(r"[\w.-]+", token, re.ASCII) else {}


def hub_is_off() -> bool:
    """Return whether `HF_HUB_OFFLINE` forbids asking the Hub."""
    return os.environ.get("HF_HUB_OFFLINE", "").strip().upper() in _ON


def cached_file(source: HubSource) -> Path | None:
    """Return the file in the local Hugging Face cache, or None. Does not use the network."""
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(source.repo, source.filename, revision=source.revision)
    # The other results are None (unknown) and a marker object (known to be absent on the Hub).
    return Path(found).resolve() if isinstance(found, str) else None
