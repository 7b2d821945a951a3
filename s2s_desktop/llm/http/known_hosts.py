"""Where the APIs of well-known providers are, and the addresses that people paste instead."""

from __future__ import annotations

import re

_OLLAMA_PORT = 11434
_OLLAMA_NATIVE = re.compile(r"^/api(/chat|/generate|/tags)?$", re.IGNORECASE)

_AZURE = (".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com")

_DEFAULT_PATHS = {
    "openrouter.ai": "/api/v1",
    "api.groq.com": "/openai/v1",
    "generativelanguage.googleapis.com": "/v1beta/openai",
    "api.fireworks.ai": "/inference/v1",
    "api.deepinfra.com": "/v1/openai",
}
"""Providers whose API is not under /v1."""

_WEBSITES = {
    "platform.openai.com": "https://api.openai.com/v1",
    "openai.com": "https://api.openai.com/v1",
    "chat.openai.com": "https://api.openai.com/v1",
    "chatgpt.com": "https://api.openai.com/v1",
    "huggingface.co": "https://router.huggingface.co/v1",
    "api-inference.huggingface.co": "https://router.huggingface.co/v1",
    "console.groq.com": "https://api.groq.com/openai/v1",
    "groq.com": "https://api.groq.com/openai/v1",
    "aistudio.google.com": "https://generativelanguage.googleapis.com/v1beta/openai",
    "console.mistral.ai": "https://api.mistral.ai/v1",
    "mistral.ai": "https://api.mistral.ai/v1",
    "together.ai": "https://api.together.xyz/v1",
    "cloud.cerebras.ai": "https://api.cerebras.ai/v1",
    "platform.deepseek.com": "https://api.deepseek.com/v1",
}
"""Web sites and retired services of providers, and their API."""


def api_path(hostname: str, port: int | None, path: str) -> str:
    """Return the path of the API: `path` unless it is empty or the one of Ollama's own protocol."""
    if port == _OLLAMA_PORT and _OLLAMA_NATIVE.match(path):
        path = ""
    default = "/openai/v1" if hostname.endswith(_AZURE) else _DEFAULT_PATHS.get(hostname, "/v1")
    return path or default


def key_header(hostname: str) -> str:
    """Return the header in which a host expects the key."""
    return "api-key" if hostname.endswith(_AZURE) else "Authorization"


def suggestion(hostname: str, path: str) -> str:
    """Return the base URL that is meant by the address of a web site or of a retired service, else ""."""
    if hostname in _DEFAULT_PATHS and path == "/v1":
        return f"https://{hostname}{_DEFAULT_PATHS[hostname]}"
    return _WEBSITES.get(hostname.removeprefix("www."), "")
