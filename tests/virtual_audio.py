"""A microphone and a speaker without a sound card: a private PulseAudio with two null sinks.

What is played into the sink `mic` is heard by the default microphone; what a program plays to the default
speaker can be recorded. Programs reach it through PortAudio, ALSA and ALSA's PulseAudio plugin, with the
environment in `VirtualAudio.env`. Needs pulseaudio, pulseaudio-utils, libasound2-plugins and libportaudio2.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

_PROGRAMS = ("pulseaudio", "pactl", "paplay", "parec", "setpriv")
_DIE_WITH_US = ("setpriv", "--pdeathsig", "TERM")
"""A test run that is killed must not leave a sound server behind."""
_ALSA = """\
</usr/share/alsa/alsa.conf>
pcm.!default { type pulse }
ctl.!default { type pulse }
"""
_WAV_HEADER = 100
"""More bytes than the header of a WAV file."""
_REMAP = ("module-remap-source", "master=mic.monitor", "source_name=virtmic")
_SPEAKER = ("module-null-sink", "sink_name=spk", "rate=48000")


def missing_programs() -> list[str]:
    """Return what this machine lacks for virtual audio; empty when it can be used."""
    if sys.platform != "linux":
        return ["Linux"]
    return [program for program in _PROGRAMS if shutil.which(program) is None]


class VirtualAudio:
    """A running sound server. Use as a context manager, or call `start` and `stop`.

    Attributes:
        env: The environment in which programs use the virtual devices (after `start`).
    """

    def __init__(self) -> None:
        self.env: dict[str, str] = {}
        self._folder: Path | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._awake: list[subprocess.Popen[bytes]] = []
        self._players: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start the server and wait until it answers."""
        # A socket's path may have 107 characters at most, so this is no place below pytest's folders.
        self._folder = Path(tempfile.mkdtemp(prefix="s2s-audio-"))
        socket = self._folder / "native"
        alsa = self._folder / "alsa.conf"
        alsa.write_text(_ALSA)
        self.env = {
            **os.environ,
            "PULSE_SERVER": f"unix:{socket}",
            "PULSE_COOKIE": str(self._folder / "cookie"),
            "ALSA_CONFIG_PATH": str(alsa),
        }
        self.start_server()

    def start_server(self) -> None:
        """Start the sound server again after `stop_server`, at the same place."""
        assert self._folder is not None
        private = {"HOME": str(self._folder), "XDG_RUNTIME_DIR": str(self._folder)}
        socket = self._folder / "native"
        with (self._folder / "pulse.log").open("wb") as log:
            self._server = subprocess.Popen(
                [
                    *_DIE_WITH_US,
                    *("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--log-target=stderr"),
                    *("-L", f"module-native-protocol-unix auth-anonymous=1 socket={socket}"),
                    *("-L", "module-null-sink sink_name=mic rate=48000 channels=1"),
                    *("-L", " ".join(_SPEAKER)),
                    *("-L", " ".join(_REMAP)),
                ],
                env=self.env | private,
                stderr=log,
            )
        self._wait_for_server()
        self._ask("set-default-source", "virtmic")
        self._ask("set-default-sink", "spk")
        # An idle null sink wakes up every two seconds only; somebody who listens closely keeps it awake.
        self._awake = [self._recorder(sink, "--raw", "/dev/null") for sink in ("mic", "spk")]

    def stop(self) -> None:
        """Stop everything that was started. Idempotent."""
        for process in [*self._awake, *self._players]:
            _end(process)
        self._awake, self._players = [], []
        if self._server is not None:
            _end(self._server)
            self._server = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def __enter__(self) -> VirtualAudio:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def play(self, path: Path, *, wait: bool = True) -> None:
        """Let the microphone hear a WAV file; by default return when it has been played."""
        command = ["paplay", "--latency-msec=20", "-d", "mic", str(path)]
        if wait:
            subprocess.run(command, env=self.env, check=True)
        else:
            self._players.append(subprocess.Popen(command, env=self.env))

    @contextmanager
    def record(self, path: Path) -> Iterator[None]:
        """Record into `path` what the speaker plays meanwhile (WAV, 48 kHz stereo)."""
        path.unlink(missing_ok=True)
        recorder = self._recorder("spk", "--file-format=wav", str(path))
        try:
            _wait_for(lambda: path.exists() and path.stat().st_size > _WAV_HEADER, "the recorder")
            yield
        finally:
            _end(recorder)

    def unplug_speaker(self) -> None:
        """Take the speaker away, as when it is unplugged. The server moves what plays to the sink `mic`."""
        modules = self._ask("list", "short", "modules").splitlines()
        self._ask("unload-module", next(line.split()[0] for line in modules if _SPEAKER[1] in line))

    def plug_in_speaker(self) -> None:
        """Connect the speaker again."""
        self._ask("load-module", *_SPEAKER)
        self._ask("set-default-sink", "spk")
        self._awake.append(self._recorder("spk", "--raw", "/dev/null"))

    def unplug_microphone(self) -> None:
        """Take the microphone away, as when it is unplugged."""
        self._ask("unload-module", _REMAP[0])

    def plug_in_microphone(self) -> None:
        """Connect the microphone again."""
        self._ask("load-module", *_REMAP)
        self._ask("set-default-source", "virtmic")

    def stop_server(self) -> None:
        """End the sound server, as when it crashes; `stop` cleans up as always."""
        assert self._server is not None
        for process in [self._server, *self._awake]:
            _end(process)
        self._awake = []

    def _recorder(self, sink: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [
            *_DIE_WITH_US,
            "parec",
            "-d",
            f"{sink}.monitor",
            "--rate=48000",
            "--latency-msec=20",
            *arguments,
        ]
        return subprocess.Popen(command, env=self.env)

    def _ask(self, *arguments: str) -> str:
        """Return what `pactl` answers."""
        command = ["pactl", *arguments]
        answer = subprocess.run(command, env=self.env, check=True, capture_output=True, text=True)
        return answer.stdout.strip()

    def _wait_for_server(self) -> None:
        assert self._server is not None
        assert self._folder is not None
        server = self._server

        def answers() -> bool:
            if server.poll() is not None:
                raise RuntimeError("PulseAudio ended")
            return subprocess.run(["pactl", "info"], env=self.env, capture_output=True).returncode == 0

        try:
            _wait_for(answers, "PulseAudio")
        except RuntimeError as error:
            log = (self._folder / "pulse.log").read_text(errors="replace")
            self.stop()
            raise RuntimeError(f"{error}:\n{log}") from error


def _wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 20.0
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not start")
        time.sleep(0.02)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
