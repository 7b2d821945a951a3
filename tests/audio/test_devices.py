from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from fake_sound_card import FakeDevice, FakeSoundCard, PortAudioError, sound_card
from s2s_desktop.audio import devices
from s2s_desktop.audio.devices import choose_device, list_devices, refresh
from s2s_desktop.audio.speaker import PortAudioSpeaker
from s2s_desktop.errors import AssistantError, ErrorKind


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSoundCard]:
    with sound_card(
        monkeypatch,
        FakeDevice("A", inputs=1),
        FakeDevice("B", inputs=2, rate=44_100),
        FakeDevice("C", inputs=1, outputs=2),
    ) as fake:
        yield fake


def test_devices_are_listed_with_what_they_can(card: FakeSoundCard) -> None:
    listed = list_devices()

    assert [device.label for device in listed] == ["A (Fake API)", "B (Fake API)", "C (Fake API)"]
    assert [(d.inputs, d.outputs, d.sample_rate) for d in listed] == [
        (1, 0, 48_000),
        (2, 0, 44_100),
        (1, 2, 48_000),
    ]
    assert [d.name for d in listed if d.default_input] == ["A"]
    assert [d.name for d in listed if d.default_output] == ["C"]


def test_no_device_is_an_empty_list(card: FakeSoundCard) -> None:
    card.plugged.clear()
    refresh()

    assert list_devices() == []


def test_windows_lists_wasapi_alone_with_its_own_defaults(
    card: FakeSoundCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    entries = card.query_devices()
    monkeypatch.setattr(
        card,
        "query_devices",
        lambda: [{**entry, "hostapi": index % 2} for index, entry in enumerate(entries)],
    )
    monkeypatch.setattr(
        card,
        "query_hostapis",
        lambda: [
            {"name": "MME", "default_input_device": 0, "default_output_device": 2},
            {"name": "Windows WASAPI", "default_input_device": 1, "default_output_device": -1},
        ],
    )

    listed = list_devices()

    assert [device.name for device in listed] == ["B"]
    assert listed[0].default_input


def test_a_device_is_found_by_name_although_the_order_changed(card: FakeSoundCard) -> None:
    saved = list_devices()[1].label
    card.plugged[:] = [card.plugged[2], card.plugged[0], card.plugged[1]]
    refresh()

    device, notice = choose_device("input", saved)

    assert (device.name, device.index, notice) == ("B", 2, "")


@pytest.mark.parametrize(
    ("saved", "now"),
    [
        ("USB Audio: - (hw:1,0)", "USB Audio: - (hw:3,0)"),
        ("Microphone (USB Audio)", "Microphone (2- USB Audio)"),
        ("Microphone (3- USB Audio) (Windows WASAPI)", "Microphone (2- USB Audio)"),
    ],
)
def test_a_number_the_system_put_into_the_name_does_not_matter(
    card: FakeSoundCard, saved: str, now: str
) -> None:
    card.host_api = "Windows WASAPI"
    card.plugged.append(FakeDevice(now, inputs=1))
    refresh()

    device, notice = choose_device("input", saved)

    assert (device.name, notice) == (now, "")


def test_of_two_equal_names_the_exact_one_is_taken(card: FakeSoundCard) -> None:
    card.plugged += [FakeDevice("USB (hw:1,0)", inputs=1), FakeDevice("USB (hw:2,0)", inputs=1)]
    refresh()

    assert choose_device("input", "USB (hw:2,0)")[0].name == "USB (hw:2,0)"


def test_a_plugged_in_device_is_found_by_name_without_an_explicit_refresh(card: FakeSoundCard) -> None:
    card.plugged.append(FakeDevice("D", inputs=1))

    assert choose_device("input", "D")[0].name == "D"


def test_a_speaker_is_never_offered_as_a_microphone(card: FakeSoundCard) -> None:
    card.plugged[:] = [FakeDevice("Loud", outputs=2)]

    with pytest.raises(AssistantError, match="No microphone was found"):
        choose_device("input", "Loud")


def test_refresh_leaves_open_streams_alone(card: FakeSoundCard) -> None:
    speaker = PortAudioSpeaker(clock=card.clock)
    speaker.start()
    card.plugged.append(FakeDevice("D", inputs=1))

    assert not refresh()
    assert "D" not in [device.name for device in list_devices()]

    speaker.stop()
    assert refresh()
    assert "D" in [device.name for device in list_devices()]


def test_an_error_of_the_sound_system_is_a_sentence(
    card: FakeSoundCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise PortAudioError("PortAudio not initialized", -10000)

    monkeypatch.setattr(card, "query_devices", fail)
    with pytest.raises(AssistantError, match="list of sound devices") as raised:
        list_devices()
    assert raised.value.kind is ErrorKind.DEVICE

    monkeypatch.setattr(card, "_initialize", fail)
    with pytest.raises(AssistantError, match="does not respond"):
        refresh()


class _NoPortAudio:
    """Imports `sounddevice` as on a Linux system without the library PortAudio."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == "sounddevice":
            raise OSError("PortAudio library not found")
        return None


@pytest.mark.parametrize(
    ("manager", "words"),
    [
        ("apt-get", "sudo apt install libportaudio2"),
        ("dnf", "sudo dnf install portaudio"),
        ("pacman", "sudo pacman -S portaudio"),
        ("", "Install PortAudio"),
    ],
)
def test_missing_portaudio_names_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, manager: str, words: str
) -> None:
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_NoPortAudio(), *sys.meta_path])
    monkeypatch.setattr("shutil.which", lambda name: name if name == manager else None)

    for use in (devices.list_devices, PortAudioSpeaker().start):
        with pytest.raises(AssistantError, match=words) as raised:
            use()
        assert raised.value.kind is ErrorKind.DEVICE
        assert "you can type" in raised.value.message
