"""Opening a microphone or speaker by the name that settings hold."""

from __future__ import annotations

from collections.abc import Callable

from s2s_desktop.audio import portaudio
from s2s_desktop.audio.devices import Device, choose_device, refresh
from s2s_desktop.audio.portaudio import Direction, Stream
from s2s_desktop.errors import AssistantError, ErrorKind


def open_device(
    direction: Direction, wanted: str, open_stream: Callable[[Device], Stream]
) -> tuple[Device, Stream, str]:
    """Open the wanted device, or the default one when it is missing.

    Args:
        direction: Whether sound comes in or goes out.
        wanted: See `choose_device`.
        open_stream: Opens a stream of a device (`portaudio.open_stream`).

    Returns:
        The device, its stream, and the notice of `choose_device`.

    Raises:
        AssistantError: kind DEVICE, when there is no device or it cannot be opened.
    """
    sounddevice = portaudio.load()
    with portaudio.lock:
        device, notice = choose_device(direction, wanted)
        try:
            return device, open_stream(device), notice
        except sounddevice.PortAudioError as error:
            # The device may have been unplugged since PortAudio took its list.
            if not refresh():
                raise describe_refusal(direction, device.name, error) from error
        device, notice = choose_device(direction, wanted)
        try:
            return device, open_stream(device), notice
        except sounddevice.PortAudioError as error:
            raise describe_refusal(direction, device.name, error) from error


def describe_refusal(direction: Direction, device_name: str, error: Exception) -> AssistantError:
    """Return what to tell people when `device_name` could not be opened."""
    what = "microphone" if direction == "input" else "speaker"
    if portaudio.error_code(error) == -9985:
        reason = "is in use by another program or was unplugged. Close that program or choose another device."
    elif direction == "input":
        reason = (
            "cannot be opened. Check that it is plugged in and that this program may use the microphone "
            "(privacy settings of the system), or choose another one."
        )
    else:
        reason = "cannot be opened. Check that it is plugged in, or choose another one."
    return AssistantError(ErrorKind.DEVICE, f"The {what} “{device_name}” {reason}", str(error))
