"""The names of the two backends, and what people call them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

BackendName = Literal["responses-api", "chat-completions"]
BACKEND_NAMES: tuple[BackendName, ...] = get_args(BackendName)

BACKEND_ALIASES: Mapping[str, BackendName] = {
    "responses": "responses-api",
    "response-api": "responses-api",
    "openai-responses": "responses-api",
    "open-api": "responses-api",
    "openai-api": "responses-api",
    "openai": "responses-api",
    "chat": "chat-completions",
    "chat-completion": "chat-completions",
    "chat-completions-api": "chat-completions",
    "chat-completion-api": "chat-completions",
    "completions": "chat-completions",
}
"""Names of earlier releases of the upstream project and of guides to it, with `-` for `_`."""


def backend_name(text: str) -> BackendName:
    """Return the backend that a name means.

    Raises:
        ValueError: There is no such backend.
    """
    folded = text.strip().lower().replace("_", "-")
    for name in BACKEND_NAMES:
        if folded == name:
            return name
    if folded in BACKEND_ALIASES:
        return BACKEND_ALIASES[folded]
    raise ValueError(f"there is no backend {text!r}; choose {' or '.join(BACKEND_NAMES)}")
