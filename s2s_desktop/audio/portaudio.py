"""PortAudio, reached through sounddevice: loading it, opening and closing its streams."""

from __future__ import annotations

import atexit
import itertools
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, Literal

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.runtime.linux_libraries import PORTAUDIO, install_command

Direction = Literal["input", "output"]

LATENCY_S = 0.04
"""Least buffer asked for. The "low" of ALSA is 9 ms, less than two switches between Python threads (5 ms)."""

_FINAL_ERRORS = (-9996, -9985)
"""paInvalidDevice and paDeviceUnavailable: no other format will help."""

_CLOSE_TIMEOUT_S = 1.0
_REFRESH_POLL_S = 0.05
_REFRESH_ATTEMPTS = 20

_log = logging.getLogger(__name__)
lock = threading.RLock()
"""Held from looking a device up until it is open: the list of devices must not change in between."""

_open_streams: set[int] = set()
_refresh_wanted = False


def load() -> Any:
    """Return the module `sounddevice`.

    Raises:
        AssistantError: kind DEVICE, when PortAudio is missing; names the command that installs it.
    """
    try:
        import sounddevice
    except OSError as error:
        command = install_command([PORTAUDIO])
        how = f"Install it with `{command}`" if command else "Install PortAudio"
        raise AssistantError(
            ErrorKind.DEVICE,
            f"Sound needs the library PortAudio, which is missing. {how} and try again. "
            "Until then you can type.",
            str(error),
        ) from error
    return sounddevice


def reinitialize() -> bool:
    """Make PortAudio look at the devices again; it takes its list once and keeps it.

    Returns:
        False when nothing was done because a stream is open, which this would kill
        (https://github.com/spatialaudio/python-sounddevice/issues/382).

    Raises:
        AssistantError: kind DEVICE, when PortAudio is missing or does not come up again.
    """
    portaudio = load()
    with lock:
        if _open_streams:
            return False
        try:
            portaudio._terminate()
            portaudio._initialize()
        except portaudio.PortAudioError as error:
            raise AssistantError(
                ErrorKind.DEVICE,
                "The sound system of this computer does not respond. Check its sound settings and try again.",
                str(error),
            ) from error
        return True


def want_refresh() -> None:
    """Ask everybody who has a stream open to close it and open it again.

    With the last one closed PortAudio looks at the devices again (see `reinitialize`); with none open it does
    so now.
    """
    global _refresh_wanted
    with lock:
        _refresh_wanted = bool(_open_streams)
        if not _refresh_wanted:
            _refresh_now()


def refresh_is_wanted() -> bool:
    """Return whether streams should be closed and opened again."""
    return _refresh_wanted


def await_refresh(stopping: threading.Event) -> None:
    """Wait, with the own stream closed, until PortAudio has looked again.

    Returns after a second when somebody does not close their stream: the known devices must do then. Returns
    at once when nobody wants a refresh, or when `stopping` is set.
    """
    global _refresh_wanted
    for _ in range(_REFRESH_ATTEMPTS):
        if not _refresh_wanted or stopping.wait(_REFRESH_POLL_S):
            return
    with lock:
        _refresh_wanted = False


class Stream:
    """A PortAudio stream that is counted while it is open.

    Attributes:
        channels: Channels of a frame.
        sample_rate: Frames a second.
        latency_s: Buffered time as PortAudio tells it.
    """

    def __init__(self, raw: Any, channels: int) -> None:
        self._raw = raw
        self.channels = channels
        self.sample_rate = round(float(raw.samplerate))
        self.latency_s = float(raw.latency)
        _open_streams.add(id(raw))

    def start(self) -> None:
        """Let the callbacks begin.

        Raises:
            sounddevice.PortAudioError: The device refused.
        """
        self._raw.start()

    def close(self) -> None:
        """Stop the callbacks and release the device. Idempotent.

        Returns after a second even when the driver hangs, as ALSA's PulseAudio plugin does when the server
        died. The thread left behind keeps the stream counted as open.
        """
        closer = threading.Thread(target=self._close, name="audio-close", daemon=True)
        closer.start()
        closer.join(_CLOSE_TIMEOUT_S)
        if closer.is_alive():
            _log.warning("the audio driver does not give back its stream")
            # At exit, sounddevice would wait for the same driver for ever.
            atexit.unregister(load()._exit_handler)

    def _close(self) -> None:
        self._raw.abort()
        with lock:
            self._raw.close()
            _open_streams.discard(id(self._raw))
            if _refresh_wanted and not _open_streams:
                _refresh_now()


def _refresh_now() -> None:
    global _refresh_wanted
    _refresh_wanted = False
    try:
        reinitialize()
    except AssistantError as error:
        # Whoever opens a device next meets the same failure and tells it.
        _log.warning("%s (%s)", error.message, error.details)


def open_stream(
    direction: Direction,
    device: int,
    *,
    channels: Sequence[int],
    rates: Sequence[int],
    block_s: float,
    latency_s: float,
    callback: Callable[..., None],
    on_finished: Callable[[], None],
) -> Stream:
    """Open the first combination of rate and channel count that the device takes; it is not started yet.

    Args:
        direction: Whether sound comes in or goes out.
        device: PortAudio's index.
        channels: Channel counts to try, best first.
        rates: Sample rates to try, best first; all rates are tried with a count before the next count.
        block_s: Length of a block in seconds; 0 lets the device choose.
        latency_s: Buffered time to ask for.
        callback: As sounddevice calls it, with float32 arrays of shape (frames, channels).
        on_finished: Called when the callbacks end, also after an error of the driver.

    Raises:
        sounddevice.PortAudioError: The device takes none; the error of the last attempt.
    """
    portaudio = load()
    factory = portaudio.InputStream if direction == "input" else portaudio.OutputStream
    refusal: Exception | None = None
    with lock:
        for count, rate in itertools.product(channels, rates):
            try:
                raw = factory(
                    device=device,
                    channels=count,
                    samplerate=rate,
                    blocksize=round(rate * block_s),
                    dtype="float32",
                    latency=latency_s,
                    callback=callback,
                    finished_callback=on_finished,
                )
            except portaudio.PortAudioError as error:
                refusal = error
                if error_code(error) in _FINAL_ERRORS:
                    break
            else:
                return Stream(raw, count)
    assert refusal is not None, "at least one rate and one channel count"
    raise refusal


def error_code(error: Exception) -> int:
    """Return PortAudio's number of a `PortAudioError`; 0 when it has none."""
    return error.args[1] if len(error.args) > 1 and isinstance(error.args[1], int) else 0
