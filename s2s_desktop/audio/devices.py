"""Which microphones and speakers there are, and finding one again by name."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from s2s_desktop.audio import portaudio
from s2s_desktop.audio.portaudio import Direction
from s2s_desktop.errors import AssistantError, ErrorKind

_MOST_REAL_CHANNELS = 8
_UNSTABLE_PARTS = re.compile(r"\s*\(hw:\d+,\d+\)|\b\d+- ")
"""What a system adds to a name and changes between starts: ALSA's card number, Windows' port count."""


@dataclass(frozen=True, slots=True)
class Device:
    """A sound card as PortAudio lists it.

    Attributes:
        name: Its name, unique only together with `host_api`.
        host_api: The system's interface it is reached through, for example "ALSA", "Core Audio".
        inputs: Channels it records; 0 for a mere speaker.
        outputs: Channels it plays; 0 for a mere microphone.
        default_input: It is the system's default microphone.
        default_output: It is the system's default speaker.
        sample_rate: The rate it prefers, in Hz.
        index: PortAudio's number of it, valid until the next `refresh`. Never store it.
    """

    name: str
    host_api: str
    inputs: int
    outputs: int
    default_input: bool
    default_output: bool
    sample_rate: int
    index: int

    @property
    def label(self) -> str:
        """What settings store and people choose: name and host API."""
        return f"{self.name} ({self.host_api})"

    @property
    def is_virtual(self) -> bool:
        """Whether it stands for whatever the sound server (PipeWire, PulseAudio) uses.

        ALSA lists those with 32 or 64 channels and any rate; what is behind them cannot be seen.
        """
        return max(self.inputs, self.outputs) > _MOST_REAL_CHANNELS


def list_devices() -> list[Device]:
    """Return the devices of this computer; empty when there are none.

    PortAudio takes this list once; call `refresh` to see what was plugged in since. On Windows only WASAPI is
    listed: the other interfaces show the same devices again, some with cut names.

    Raises:
        AssistantError: kind DEVICE, when PortAudio is missing or the sound system does not answer.
    """
    sounddevice = portaudio.load()
    try:
        with portaudio.lock:
            entries = list(sounddevice.query_devices())
            host_apis = list(sounddevice.query_hostapis())
            default_input, default_output = sounddevice.default.device
    except sounddevice.PortAudioError as error:
        raise AssistantError(
            ErrorKind.DEVICE,
            "The list of sound devices cannot be read. Check the sound settings.",
            str(error),
        ) from error
    only = None
    if sys.platform == "win32":
        only = next((api for api in host_apis if "WASAPI" in api["name"]), None)
        if only is not None:
            default_input, default_output = only["default_input_device"], only["default_output_device"]
    devices = []
    for index, entry in enumerate(entries):
        host_api = host_apis[entry["hostapi"]]
        if only is None or host_api is only:
            devices.append(
                Device(
                    name=entry["name"],
                    host_api=host_api["name"],
                    inputs=entry["max_input_channels"],
                    outputs=entry["max_output_channels"],
                    default_input=index == default_input,
                    default_output=index == default_output,
                    sample_rate=round(entry["default_samplerate"]),
                    index=index,
                )
            )
    return devices


def refresh() -> bool:
    """Look for devices that were plugged in or removed.

    Returns:
        False when nothing was done because a microphone or speaker is open; close it first.

    Raises:
        AssistantError: kind DEVICE, as for `list_devices`.
    """
    return portaudio.reinitialize()


def choose_device(direction: Direction, wanted: str) -> tuple[Device, str]:
    """Find the device a setting names.

    Args:
        direction: Which kind is needed.
        wanted: A label or name; "" for the system's default.

    Returns:
        The device, and a sentence for the user when it is another one than wanted ("" otherwise).

    Raises:
        AssistantError: kind DEVICE, when there is no such device at all.
    """
    device = _find(direction, wanted)
    if (device is None or (wanted and not is_wanted(device, wanted))) and refresh():
        device = _find(direction, wanted)
    what = "microphone" if direction == "input" else "speaker"
    if device is None:
        raise AssistantError(
            ErrorKind.DEVICE, f"No {what} was found. Connect one and try again. Until then you can type."
        )
    if wanted and not is_wanted(device, wanted):
        return device, f"The {what} “{wanted}” is not connected; “{device.name}” is used instead."
    return device, ""


def _find(direction: Direction, wanted: str) -> Device | None:
    """Return the device named `wanted`, else the default, else any; None when there is none."""
    usable = [d for d in list_devices() if (d.inputs if direction == "input" else d.outputs) > 0]
    if wanted:
        for match in (_is_called, is_wanted):
            for device in usable:
                if match(device, wanted):
                    return device
    defaults = (d for d in usable if (d.default_input if direction == "input" else d.default_output))
    return next(defaults, usable[0] if usable else None)


def _is_called(device: Device, wanted: str) -> bool:
    return wanted in (device.label, device.name)


def is_wanted(device: Device, wanted: str) -> bool:
    """Return whether a device is the one that a setting names, whatever number its system gives it today."""
    stable = _stable(wanted)
    return stable in (_stable(device.label), _stable(device.name))


def _stable(name: str) -> str:
    return _UNSTABLE_PARTS.sub("", name).strip()
