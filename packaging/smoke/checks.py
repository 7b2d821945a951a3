"""What is looked at in each installed program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from smoke.isolation import Isolation

_QUICK_S = 6


class SmokeError(Exception):
    """A package does not do what it must."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Where a program is tried out.

    Attributes:
        program: The installed program.
        home: Its settings, models and logs.
        isolation: How it is started.
        extra: What its environment holds besides: display and sound server.
    """

    program: Path
    home: Path
    isolation: Isolation
    extra: dict[str, str]

    def run(self, *arguments: str, limit_s: float = 300) -> subprocess.CompletedProcess[str]:
        """Run the program to its end."""
        return subprocess.run(
            self.isolation.command(str(self.program), *arguments),
            env=self.isolation.environment(self.extra),
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
            encoding="utf-8",
        )

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start the program and return its process."""
        command = self.isolation.command(str(self.program), *arguments)
        return subprocess.Popen(command, env=self.isolation.environment(self.extra), stderr=subprocess.PIPE)


def self_test(bench: Bench, *, with_models: bool) -> str:
    """Run the self-test; every step must work, the conversation too when there are models."""
    results = bench.home / "self-test.json"
    picture = bench.home / "self-test.png"
    done = bench.run("--self-test", "--json", str(results), "--screenshot", str(picture))
    if not results.exists():
        raise SmokeError(f"self-test: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    document = json.loads(results.read_text(encoding="utf-8"))
    bad = [step for step in document["steps"] if step["outcome"] == "failed"]
    if done.returncode or bad or not document["finished"]:
        raise SmokeError(f"self-test: exit code {done.returncode}, {bad}\n{done.stderr}")
    if with_models and document["steps"][-1]["outcome"] != "ok":
        raise SmokeError(f"self-test: no conversation: {document['steps'][-1]}")
    if not picture.stat().st_size:
        raise SmokeError("self-test: no picture of the window")
    return f"self-test: {len(document['steps'])} steps, {document['steps'][-1]['finding']}"


def quick_start(bench: Bench) -> str:
    """Open the window for a while without standard input, output and error, as a double click does."""
    command = bench.isolation.command(str(bench.program), "--quit-after", str(_QUICK_S))
    if sys.platform != "win32":
        command = ["/bin/sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', *command]
    environment = bench.isolation.environment(bench.extra)
    done = subprocess.run(command, env=environment, timeout=60, check=False)
    log = bench.home / "logs" / "s2s-desktop.log"
    written = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    crash = bench.home / "logs" / "crash.log"
    crashed = crash.read_text(encoding="utf-8", errors="replace") if crash.exists() else ""
    if done.returncode or "Traceback" in written or crashed:
        said = f"{written[-3000:]}\n{crashed[-3000:]}"
        raise SmokeError(f"window without a console: exit code {done.returncode}\n{said}")
    return "window without a console: opened and closed, nothing in the log"


def portable_mode(bench: Bench) -> str:
    """Put folders `portable` and `models` beside the program: the one keeps everything, the other is read."""
    program = bench.program.resolve()
    folder = next((each for each in program.parents if each.suffix == ".app"), program).parent
    portable, models = folder / "portable", folder / "models"
    portable.mkdir()
    portable.chmod(0o777)
    shutil.copytree(bench.home / "models", models)
    environment = bench.isolation.environment(bench.extra)
    del environment["S2S_DESKTOP_HOME"]
    try:
        done = subprocess.run(
            bench.isolation.command(str(bench.program), "models", "list", "--json"),
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            encoding="utf-8",
        )
        if done.returncode:
            raise SmokeError(f"portable mode: exit code {done.returncode}\n{done.stderr}")
        rows = json.loads(done.stdout)["models"]
        present = [row["name"] for row in rows if row["status"] == "present"]
        if not {path.name for path in models.iterdir()} <= set(present):
            raise SmokeError(f"portable mode: of the models beside the program only {present} were found")
        if not (portable / "logs").is_dir():
            raise SmokeError("portable mode: nothing was kept in the folder")
    finally:
        shutil.rmtree(portable)
        shutil.rmtree(models)
    return f"portable mode: kept beside the program, models read from there: {', '.join(present)}"
