"""Helpers for the tests of the built-in LLM: ask it, look at its process."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

import httpx2

from s2s_desktop.llm.builtin.server import REQUEST_HEADERS, BuiltinServer

QUESTION = [{"role": "user", "content": "Count from one to ten."}]


async def ask(server: BuiltinServer, text: str = "Say hello.") -> str:
    """Return the model's answer to `text`, a few tokens long."""
    headers = {"Authorization": f"Bearer {server.api_key}", **REQUEST_HEADERS}
    body = {"messages": [{"role": "user", "content": text}], "max_tokens": 4, "temperature": 0}
    async with httpx2.AsyncClient(headers=headers, timeout=100.0, trust_env=False) as client:
        answer = await client.post(f"{server.base_url}/chat/completions", json=body)
    answer.raise_for_status()
    content = answer.json()["choices"][0]["message"]["content"]
    assert isinstance(content, str)
    return content


def process_is_gone(pid: int, limit_s: float) -> bool:
    """Wait until the process `pid` is gone or only waits to be collected, at most `limit_s`."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        if not runs(pid):
            return True
        time.sleep(0.02)
    return False


def runs(pid: int) -> bool:
    """Return whether the process `pid` is there and does not only wait to be collected."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True
