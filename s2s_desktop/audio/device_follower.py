"""Whether an open stream should be opened again because a better device is there now."""

from __future__ import annotations

import threading

from s2s_desktop.audio import device_changes, portaudio
from s2s_desktop.audio.clock import Clock
from s2s_desktop.audio.devices import Device, is_wanted

REOPEN_INTERVAL_S = 2.0
"""How often a lost device is tried again."""
LOOK_INTERVAL_S = 1.0
"""How often the system is asked; that takes some microseconds."""


class DeviceFollower:
    """Watches for the device that the settings want, or for the default where they want none."""

    def __init__(self, wanted: str, clock: Clock) -> None:
        """`wanted` is what the settings say; see `devices.choose_device`."""
        self._wanted = wanted
        self._clock = clock
        self._follows = False
        self._failing = False
        self._seen = ""
        self._next_look = 0.0

    def opened(self, device: Device) -> None:
        """Note which device is in use now."""
        # A sound server moves its streams to its default itself; the device that stands for it never changes.
        follows_default = not self._wanted and not device.is_virtual
        self._follows = follows_default or bool(self._wanted and not is_wanted(device, self._wanted))
        self._failing = False
        self._seen = device_changes.fingerprint()
        self._next_look = self._clock.monotonic() + LOOK_INTERVAL_S

    def failed(self, stopping: threading.Event) -> None:
        """Note that no device could be opened, and wait until it is worth another attempt.

        PortAudio is asked to look again now and after each change; not with every attempt, since that
        interrupts the streams of others.

        Args:
            stopping: Ends the wait when it is set.
        """
        seen = device_changes.fingerprint()
        if not self._failing or seen != self._seen:
            portaudio.want_refresh()
        self._failing, self._seen = True, seen
        if not portaudio.refresh_is_wanted():
            stopping.wait(REOPEN_INTERVAL_S)

    @property
    def should_reopen(self) -> bool:
        """Whether to close the stream and open it again: for this device or for that of another stream."""
        return portaudio.refresh_is_wanted() or self.look()

    def look(self) -> bool:
        """Let PortAudio look at the devices again when a better one may be there; return whether it may."""
        now = self._clock.monotonic()
        if not self._follows or now < self._next_look:
            return False
        self._next_look = now + LOOK_INTERVAL_S
        seen = device_changes.fingerprint()
        if seen == self._seen:
            return False
        self._seen = seen
        portaudio.want_refresh()
        return True
