"""How fast the built-in LLM starts, answers and remembers a prefix, and what it costs while idle.

    python tests/benchmarks/bench_builtin_llm.py MODEL.gguf [--threads N] [--busy N] [--turns N]

Prints one JSON document. `--busy` keeps that many other processes computing, as speech recognition and the
voice do during a turn.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from s2s_desktop.llm.builtin.server import REQUEST_HEADERS, BuiltinServer

SYSTEM = "You are a friendly voice assistant. You answer in one short sentence. " * 16
"""About 250 tokens: as long as the prompt of the app with its example exchanges."""

QUESTIONS = (
    "What is the capital of France?",
    "Where do birds sleep?",
    "Why is the sky blue?",
    "Who wrote Faust?",
)
IDLE_S = 3.0
REPLY_TOKENS = 40


async def _ask(client: httpx2.AsyncClient, question: str) -> dict[str, float]:
    body = {
        "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question}],
        "max_tokens": REPLY_TOKENS,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0,
        "ignore_eos": True,
    }
    began = time.perf_counter()
    first = last = 0.0
    tokens = 0
    usage: dict[str, Any] = {}
    async with client.stream("POST", "/chat/completions", json=body) as stream:
        async for line in stream.aiter_lines():
            if not line.startswith("data: {"):
                continue
            event = json.loads(line.removeprefix("data: "))
            usage = event.get("usage") or usage
            if any(choice["delta"].get("content") for choice in event["choices"]):
                last = time.perf_counter()
                first = first or last
                tokens += 1
    return {
        "first_token_s": round(first - began, 3),
        "tokens_per_s": round((tokens - 1) / (last - first), 1),
        "prompt_tokens": usage["prompt_tokens"],
        "cached_tokens": usage["prompt_tokens_details"]["cached_tokens"],
    }


def _rss_mb(pid: int) -> int:
    said = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(said.stdout) // 1024


def _cpu_s(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def _busy(count: int) -> Iterator[None]:
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


async def _measure(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    server = BuiltinServer(arguments.model, folder / "builtin-llm.log", threads=arguments.threads)
    began = time.perf_counter()
    await server.start()
    result: dict[str, Any] = {"start_s": round(time.perf_counter() - began, 3)}
    assert server.pid is not None
    headers = {"Authorization": f"Bearer {server.api_key}", **REQUEST_HEADERS}
    async with httpx2.AsyncClient(base_url=server.base_url, headers=headers, timeout=300.0) as client:
        result["cold"] = await _ask(client, QUESTIONS[0])
        warm = [await _ask(client, QUESTIONS[1 + turn % 3]) for turn in range(arguments.turns)]
    result["warm"] = {key: round(statistics.median(one[key] for one in warm), 3) for key in warm[0]}
    result["rss_mb"] = _rss_mb(server.pid)
    checks = []
    for _ in range(20):
        began = time.perf_counter()
        await server.ensure_running()
        checks.append(1000 * (time.perf_counter() - began))
    result["ensure_running_ms"] = round(statistics.median(checks), 2)
    if sys.platform == "linux":
        used = _cpu_s(server.pid)
        await asyncio.sleep(IDLE_S)
        result["idle_cpu_percent"] = round(100 * (_cpu_s(server.pid) - used) / IDLE_S, 2)
        result["load_average"] = os.getloadavg()[0]
    began = time.perf_counter()
    await server.stop()
    result["stop_s"] = round(time.perf_counter() - began, 3)
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--threads", type=int, default=0, help="0: the choice of the app")
    parser.add_argument("--busy", type=int, default=0, help="other processes that compute meanwhile")
    parser.add_argument("--turns", type=int, default=6)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _busy(arguments.busy):
        print(json.dumps(asyncio.run(_measure(arguments, Path(folder))), indent=2))


if __name__ == "__main__":
    main()
