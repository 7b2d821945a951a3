"""A spoken conversation with an installed program, through a sound card that is none (Linux)."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from s2s_desktop.resources import resource_path
from s2s_desktop.runtime.single_instance import RemoteCommand, ask_running
from s2s_desktop.settings.paths import Paths
from smoke.checks import Bench, SmokeError
from virtual_audio import VirtualAudio

QUESTION = "audio/sample_question.wav"
EXPECTED = "capital of france"

_LIMIT_S = 120.0
_POLL_S = 0.02
_IDLE_SHARE = 0.15
_ENDED_BY_SIGTERM = frozenset({-15, 143, 130})
_LEAST_AGREEMENT = 0.6
"""Share of the words of the reply that must be heard at the speaker: Whisper may mishear some."""


def hold_conversation(bench: Bench, audio: VirtualAudio, work: Path) -> str:
    """Start the window, ask a question into the microphone, and hear the reply at the speaker."""
    began = time.monotonic()
    process = bench.start()
    try:
        window_s = _until(lambda: _window_is_shown(bench), process, "the window") - began
        _until(lambda: _is_idle(process.pid), process, "the models")
        ready_s = time.monotonic() - began
        microphones = _open_microphones(audio)
        if not ask_running(_paths(bench.home), RemoteCommand.TOGGLE_MIC):
            raise SmokeError("the running program does not answer")
        _until(lambda: _open_microphones(audio) > microphones, process, "the microphone")
        recording = work / "reply.wav"
        with audio.record(recording):
            audio.play(resource_path(QUESTION))
            # A pause that the machine made, not the speaker, ends the turn; what follows takes it up again.
            _until(lambda: _is_answered(bench.home), process, f"an answer to “{EXPECTED}”")
        question, reply = _last_turn(bench.home)
    finally:
        code = _close(process)
    heard = _transcript(bench, recording)
    if _agreement(reply, heard) < _LEAST_AGREEMENT:
        raise SmokeError(f"conversation: answered {reply!r}, but at the speaker {heard!r} was heard")
    if code:
        raise SmokeError(f"conversation: exit code {code}")
    return (
        f"conversation: window after {window_s:.2f} s, models after {ready_s:.1f} s, "
        f"asked {question!r}, answered {reply!r}, heard {heard!r}"
    )


def _until(condition: Callable[[], bool], process: subprocess.Popen[bytes], what: str) -> float:
    """Wait for something and return when it was so."""
    end = time.monotonic() + _LIMIT_S
    while not condition():
        if process.poll() is not None:
            error = process.stderr.read().decode(errors="replace") if process.stderr else ""
            raise SmokeError(f"the program ended with {process.returncode} before {what}\n{error}")
        if time.monotonic() > end:
            raise SmokeError(f"{what} did not come within {_LIMIT_S:.0f} s")
        time.sleep(_POLL_S)
    return time.monotonic()


def _window_is_shown(bench: Bench) -> bool:
    tree = subprocess.run(
        ["xwininfo", "-root", "-tree", "-display", bench.extra["DISPLAY"]],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    named = re.search(r'(0x[0-9a-f]+) "[^"]*": \("[^"]*" "S2S Desktop"\)', tree)
    if named is None:
        return False
    one = ["xwininfo", "-id", named[1], "-display", bench.extra["DISPLAY"]]
    return "IsViewable" in subprocess.run(one, capture_output=True, text=True, check=False).stdout


def _is_idle(pid: int) -> bool:
    """Return whether the program and its children have stopped to load."""
    try:
        family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        if not any("--run-builtin-llm" in member.cmdline() for member in family):
            return False
        for member in family:
            member.cpu_percent()
        time.sleep(1.0)
        return sum(member.cpu_percent() for member in family) < 100 * _IDLE_SHARE
    except psutil.NoSuchProcess:
        return False


def _open_microphones(audio: VirtualAudio) -> int:
    command = ["pactl", "list", "short", "source-outputs"]
    done = subprocess.run(command, env=audio.env, capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines())


def _is_answered(home: Path) -> bool:
    question, reply = _last_turn(home)
    return EXPECTED in question.lower() and bool(reply)


def _last_turn(home: Path) -> tuple[str, str]:
    """Return question and reply of the last finished turn, as they were saved; empty while there is none."""
    file = home / "data" / "conversations.db"
    if not file.exists():
        return "", ""
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT role, text FROM message WHERE turn_id = (SELECT max(id) FROM turn WHERE finished) "
            "ORDER BY part"
        ).fetchall()
    database.close()
    said = dict(rows)
    return said.get("user", ""), said.get("assistant", "")


def _close(process: subprocess.Popen[bytes]) -> int:
    """End the program as a desktop does when its session ends; return the exit code, 0 for that end."""
    process.terminate()
    try:
        code = process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        raise SmokeError("the program did not end when it was told to") from None
    return 0 if code in _ENDED_BY_SIGTERM else code


def _transcript(bench: Bench, recording: Path) -> str:
    """Let the installed program itself write down what was recorded."""
    done = bench.run("transcribe", "--json", str(recording))
    if done.returncode:
        raise SmokeError(f"transcribe: {done.stderr}")
    return str(json.loads(done.stdout)["files"][0]["text"])


def _agreement(said: str, heard: str) -> float:
    words = re.findall(r"\w+", said.lower())
    found = set(re.findall(r"\w+", heard.lower()))
    return sum(word in found for word in words) / max(1, len(words))


def _paths(home: Path) -> Paths:
    return Paths(home / "settings.toml", home / "data", home / "models", home / "logs", home / "state")
