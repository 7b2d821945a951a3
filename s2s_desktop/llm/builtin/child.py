"""The child process of the built-in LLM: llama.cpp's own HTTP server, alive only as long as the app.

The parent writes one line of JSON (`ChildConfig`) to standard input and keeps that pipe open: its end is the
sign that the parent is gone. The child answers on standard output with one line that starts with the marker
of the config. Everything else on standard output and standard error is the log of llama.cpp.

Only the standard library is imported at the top, so that the process starts fast and stays small.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import faulthandler
import json
import os
import signal
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHILD_ARGUMENT = "--run-builtin-llm"
"""The hidden first argument that makes the frozen program run `run_child` instead of the app."""

API_PREFIX = "/llm"
"""Path in front of every route. llama.cpp exempts `/health` and a few others from the key by their bare path,
so a prefix puts all of them behind it."""

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_PR_SET_PDEATHSIG = 1
_NO_HEADER = "\n"
"""A value that cpp-httplib refuses, so that it leaves the header out; llama.cpp has no switch for that.
https://github.com/ggml-org/llama.cpp/pull/25655 and https://github.com/yhirose/cpp-httplib/pull/2505"""

_BATCH_TOKENS = 128
"""Prompt tokens computed in one go. A cancelled request holds the model until its batch is done: 2,048, the
default, would block the next turn for many seconds on a small machine."""

_NICENESS = 5
"""Where both want the cores, the voice gets three quarters of them: its first words are waited for, while the
model is ahead of what is being said. Measured on two busy cores: the first clause in 0.7 of the time."""

_PROMPT_CACHE_MIB = 64
"""Memory for the prompts of other conversations; llama.cpp would take up to 8 GiB."""


@dataclass(frozen=True, slots=True)
class ChildConfig:
    """What the child needs to know.

    Attributes:
        model_file: The GGUF file, as an absolute path.
        api_key: What every request must carry as a bearer token.
        marker: The start of the line that answers the parent; random, so that no log line looks like it.
        context_tokens: Room for prompt and reply together.
        threads: Threads for the model; 0 leaves the choice to llama.cpp (the physical cores).
        load_limit_s: Seconds after which a load that hangs ends the process.
        parent_pid: Whose death ends the process.
        prompt_folder: Where what the model made of a prompt may be kept, with a separator at its end; ""
            allows no files.
    """

    model_file: str
    api_key: str = field(repr=False)
    marker: str = field(repr=False)
    context_tokens: int
    threads: int
    load_limit_s: float
    parent_pid: int
    prompt_folder: str = ""

    def to_line(self) -> bytes:
        """Return the line for the child's standard input."""
        return json.dumps(dataclasses.asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> ChildConfig:
        """Return the config that `to_line` wrote."""
        return cls(**json.loads(line))


def child_command() -> list[str]:
    """Return the command that runs `run_child` in a process of its own."""
    if getattr(sys, "frozen", False):
        return [sys.executable, CHILD_ARGUMENT]
    return [sys.executable, "-m", "s2s_desktop.llm.builtin.child"]


def run_child() -> int:
    """Serve the model until the parent closes standard input or dies.

    Returns:
        The exit code when the server could not start: 1, or 2 when nothing asked for it.
    """
    line = _read_line(_STDIN)
    if not line:
        return 2
    config = ChildConfig.from_line(line)
    _give_way()  # threads take it from the one that starts them
    _die_with_parent(config.parent_pid)
    faulthandler.enable(file=_STDERR)
    # Loading holds the interpreter lock, so the thread that watches standard input stands still until the
    # model is there. This timer is a thread of C and needs no lock.
    faulthandler.dump_traceback_later(config.load_limit_s, exit=True, file=_STDERR)
    try:
        server = _start_server(config)
    except Exception as error:
        _report(config.marker, {"error": f"{type(error).__name__}: {error}"})
        return 1
    finally:
        faulthandler.cancel_dump_traceback_later()
    _restore_signals()
    _report(config.marker, {"url": server.listening_address + API_PREFIX})
    threading.Event().wait()
    return 0


def _read_line(fd: int) -> bytes:
    """Read up to the first line feed, byte by byte: nothing may be left in a buffer of Python's."""
    line = bytearray()
    while (byte := os.read(fd, 1)) and byte != b"\n":
        line += byte
    return bytes(line)


def _report(marker: str, message: dict[str, str]) -> None:
    """Write the answer as one piece; a line of llama.cpp may be open, hence the line feed in front."""
    with contextlib.suppress(OSError):  # the parent is gone, and this process ends with it
        os.write(_STDOUT, f"\n{marker}{json.dumps(message)}\n".encode())


def _die_with_parent(parent_pid: int) -> None:
    """End this process when the parent ends, however it ends.

    The kernel does it on Linux; the end of standard input does it everywhere.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is for the parent
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent_pid:
            os._exit(0)
    threading.Thread(target=_exit_at_end_of_input, name="watch-parent", daemon=True).start()


def _give_way() -> None:
    """Let the voice and speech recognition go first where there is not enough for all."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(_NICENESS)


def _exit_at_end_of_input() -> None:
    with contextlib.suppress(OSError):
        while os.read(_STDIN, 1024):
            pass
    os._exit(0)  # a normal exit would wait for the threads of llama.cpp


def _restore_signals() -> None:
    """Take back the handlers of llama.cpp, which would end its server and leave an idle process behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _start_server(config: ChildConfig) -> Any:
    """Load the model and return the server, which answers from now on.

    Raises:
        RuntimeError: The file cannot be loaded; the log says why.
        ImportError: llama.cpp does not run on this machine.
    """
    # OpenMP threads that spin while they wait starve each other as soon as speech recognition or the voice
    # wants the cores too: measured on 2 busy cores, 0.8 tokens/s spinning and 17-32 sleeping. Without company
    # sleeping costs some 7 % (https://github.com/ggml-org/llama.cpp/pull/13079).
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    # On an abort ggml would start gdb on this process (https://github.com/ggml-org/ggml/pull/1081).
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")
    import xllamacpp

    from s2s_desktop.llm.builtin.template import read_chat_template, with_tools

    params = xllamacpp.CommonParams()
    params.model.path = config.model_file
    params.model_alias = {Path(config.model_file).stem}
    params.n_ctx = config.context_tokens
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = _BATCH_TOKENS
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.slot_save_path = config.prompt_folder
    params.chat_template = with_tools(read_chat_template(Path(config.model_file)))
    if config.threads > 0:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = config.threads
    # Only a graphics card needs its layers counted; without one it would load the file twice.
    params.fit_params = len(xllamacpp.get_device_info()) > 1
    params.warmup = False  # the first request warms up, and with the right prompt
    _close_doors(params, config.api_key)
    return xllamacpp.Server(params)


def _close_doors(params: Any, api_key: str) -> None:
    """Answer this app alone: loopback, a port the system picks, a key, no web page of any origin."""
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [api_key]
    params.api_prefix = API_PREFIX
    params.ui = False
    params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    params.cors_origins = params.cors_methods = params.cors_headers = _NO_HEADER
    params.cors_origins_explicit = True
    params.cors_credentials = False


if __name__ == "__main__":
    sys.exit(run_child())
