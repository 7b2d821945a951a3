from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from audio_listener import Listener
from fake_sound_card import FakeDevice, FakeSoundCard, FakeStream, PortAudioError, sound_card
from s2s_desktop.audio import device_changes, device_follower, portaudio
from s2s_desktop.audio.capture_ring import CaptureRing
from s2s_desktop.audio.device_follower import LOOK_INTERVAL_S
from s2s_desktop.audio.microphone import RING_S, PortAudioMicrophone
from s2s_desktop.audio.protocol import AudioBlock, Samples
from s2s_desktop.audio.speaker import PortAudioSpeaker
from s2s_desktop.errors import AssistantError, ErrorKind


class Room:
    """A microphone of the program on a fake sound card."""

    def __init__(self, card: FakeSoundCard) -> None:
        self.card = card
        self.listener = Listener()
        self.microphone = PortAudioMicrophone(on_problem=self.listener.on_problem, clock=card.clock)

    def start(self, wanted: str = "") -> FakeStream:
        self.microphone.stop()
        self.microphone = PortAudioMicrophone(
            wanted, on_problem=self.listener.on_problem, clock=self.card.clock
        )
        self.microphone.start(self.listener.on_block, self.listener.on_end)
        return self.card.streams[-1]


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr(device_follower, "REOPEN_INTERVAL_S", 0.01)
    with sound_card(monkeypatch, FakeDevice("Desk", inputs=1)) as card:
        room = Room(card)
        yield room
        room.microphone.stop()


def tone(seconds: float, rate: int, frequency: float = 440.0, amplitude: float = 0.5) -> Samples:
    return (amplitude * np.sin(2 * np.pi * frequency * np.arange(round(seconds * rate)) / rate)).astype(
        np.float32
    )


def rms(sound: Samples) -> float:
    return float(np.sqrt(np.mean(np.square(sound))))


def test_a_device_that_records_at_16_khz_is_delivered_unchanged(room: Room) -> None:
    stream = room.start()
    sound = tone(1.0, 16_000)

    stream.speak(sound, block=320)
    room.listener.wait(lambda: room.listener.count == sound.size)

    assert stream.samplerate == 16_000
    assert np.array_equal(room.listener.sound, sound)
    assert [block.position for block in room.listener.blocks] == list(range(0, 16_000, 320))
    assert room.listener.blocks[-1].captured_at == room.card.clock.now
    assert room.microphone.name == "Desk"


@pytest.mark.parametrize(
    ("own_rate", "only_rate"), [(44_100, 44_100), (48_000, 48_000), (44_100, 192_000), (16_000, 8_000)]
)
def test_a_microphone_that_refuses_16_khz_is_resampled_without_drift(
    room: Room, own_rate: int, only_rate: int
) -> None:
    room.card.plugged[0].rate = own_rate
    room.card.plugged[0].rates = (only_rate,)
    stream = room.start()

    held_back = 1_920
    for second in range(1, 11):
        stream.speak(tone(1.0, only_rate), block=only_rate // 50)
        room.listener.wait(lambda wanted=second * 16_000 - held_back: room.listener.count >= wanted)

    assert stream.samplerate == only_rate
    assert room.microphone.lost_samples == 0
    one_second = room.listener.sound[16_000:32_000]
    assert np.argmax(np.abs(np.fft.rfft(one_second))) == 440
    last = room.listener.blocks[-1]
    captured = (last.position + last.samples.size) / 16_000 + 1000.0
    assert last.captured_at == pytest.approx(captured, abs=0.002)


@pytest.mark.parametrize(("inputs", "accepted"), [(1, (1,)), (2, (2,)), (2, (1, 2)), (4, (4,))])
@pytest.mark.parametrize("side", ["first", "last", "all"])
def test_a_voice_on_one_channel_keeps_its_loudness(
    room: Room, inputs: int, accepted: tuple[int, ...], side: str
) -> None:
    room.card.plugged[0].inputs = inputs
    room.card.plugged[0].channels = accepted
    stream = room.start()
    frames = np.zeros((16_000, stream.channels), np.float32)
    for channel in {"first": [0], "last": [-1], "all": range(stream.channels)}[side]:
        frames[:, channel] = tone(1.0, 16_000)

    stream.speak(frames, block=320)
    room.listener.wait(lambda: room.listener.count == 16_000)

    assert rms(room.listener.sound) == pytest.approx(rms(tone(1.0, 16_000)), rel=0.01)


def test_a_sound_server_is_asked_for_two_channels_of_its_many(room: Room) -> None:
    room.card.plugged[0].inputs = 64

    assert room.start().channels == 2


def test_no_microphone_is_said_and_a_new_one_is_found_without_a_restart(room: Room) -> None:
    room.card.plugged.clear()
    room.card._initialize()

    with pytest.raises(AssistantError, match=r"No microphone was found.*you can type") as raised:
        room.start()
    assert raised.value.kind is ErrorKind.DEVICE

    room.card.plugged.append(FakeDevice("New", inputs=1))
    room.start()
    assert room.microphone.name == "New"


def test_a_missing_microphone_is_replaced_by_the_default_with_a_notice(room: Room) -> None:
    room.start("Headset (Fake API)")

    assert room.microphone.name == "Desk"
    assert room.listener.problems == [
        "The microphone “Headset (Fake API)” is not connected; “Desk” is used instead."
    ]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PortAudioError("Error opening InputStream: Device unavailable", -9985), "in use by another program"),
        (PortAudioError("Error opening InputStream: Unanticipated host error", -9999, (0, 1, "")), "privacy"),
    ],
)
def test_a_microphone_that_cannot_be_opened_is_explained(
    room: Room, error: PortAudioError, words: str
) -> None:
    room.card.plugged[0].error = error

    with pytest.raises(AssistantError, match=words) as raised:
        room.start()
    assert raised.value.kind is ErrorKind.DEVICE
    assert "Desk" in raised.value.message


def test_a_device_in_use_is_not_tried_in_every_format(room: Room) -> None:
    room.card.plugged[0].error = PortAudioError("Device unavailable", -9985)

    with pytest.raises(AssistantError):
        room.start()
    assert len(room.card.attempts) == 2, "once, and once more with a fresh list of devices"


def test_exact_zeros_from_the_start_hint_at_permission_and_mute_once(room: Room) -> None:
    stream = room.start()

    stream.speak(np.zeros(5 * 16_000, np.float32), block=320)
    room.listener.wait(lambda: room.listener.count == 5 * 16_000)

    assert len(room.listener.problems) == 1
    assert "mute switch" in room.listener.problems[0]
    assert "privacy settings" in room.listener.problems[0]


def test_a_quiet_room_and_a_later_mute_give_no_hint(room: Room) -> None:
    stream = room.start()
    quiet = np.zeros(16_000, np.float32)
    quiet[500] = 1 / 32768

    stream.speak(quiet, block=320)
    stream.speak(np.zeros(4 * 16_000, np.float32), block=320)
    room.listener.wait(lambda: room.listener.count == 5 * 16_000)

    assert room.listener.problems == []


def test_callbacks_that_just_stop_are_noticed_and_the_device_is_opened_again(room: Room) -> None:
    stream = room.start()
    stream.speak(tone(1.0, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 16_000)

    room.card.clock.advance(2.1)
    room.listener.wait(lambda: bool(room.listener.problems))
    room.card.streams[-1].speak(tone(1.0, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 32_000)

    assert stream.closed
    assert room.listener.problems == ["The microphone stopped for a moment; “Desk” is used now."]
    assert room.listener.ends == []
    first_after = room.listener.blocks[50]
    assert first_after.position == 16_000 + round(2.1 * 16_000), "the time without sound is a gap"
    assert room.microphone.lost_samples == round(2.1 * 16_000)


def test_an_unplugged_microphone_is_waited_for_and_another_one_is_taken(room: Room) -> None:
    stream = room.start()
    stream.speak(tone(0.1, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 1_600)
    room.card.plugged.clear()
    stream.active = False
    stream.finished_callback()
    room.listener.wait(lambda: len(room.listener.problems) == 1)
    assert room.listener.problems[0].startswith("The microphone “Desk” stopped. No microphone was found")
    room.listener.wait(lambda: room.listener.count == 1_600 + 51_200)
    assert not room.listener.blocks[-1].samples.any(), "silence ends the turn of whoever was speaking"

    room.card.plugged.append(FakeDevice("Headset", inputs=2, rate=44_100, rates=(44_100,)))
    room.listener.wait(lambda: len(room.listener.problems) == 2)
    room.card.streams[-1].speak(tone(1.0, 44_100), block=441)
    room.listener.wait(lambda: room.listener.count > 1_600 + 51_200 + 15_000)

    assert "“Headset” is used now" in room.listener.problems[1]
    assert room.microphone.name == "Headset"
    assert room.listener.ends == []


def test_stopping_while_no_microphone_is_there_ends_at_once(room: Room) -> None:
    stream = room.start()
    room.card.plugged.clear()
    stream.active = False
    stream.finished_callback()
    room.listener.wait(lambda: len(room.listener.problems) == 1)

    room.microphone.stop()

    assert room.listener.ends == []
    assert "microphone" not in [thread.name for thread in threading.enumerate()]


def test_a_lost_microphone_makes_the_speaker_let_portaudio_look_again(room: Room) -> None:
    """PortAudio does not see a new device while any stream is open."""
    room.card.plugged.append(FakeDevice("Loudspeaker", outputs=2))
    room.card._initialize()
    speaker = PortAudioSpeaker(on_problem=room.listener.on_problem, clock=room.card.clock)
    speaker.start()
    try:
        stream = room.start()
        speaker.play(tone(1.0, 48_000), 48_000)
        room.card.plugged[0] = FakeDevice("Headset", inputs=1)
        stream.active = False
        stream.finished_callback()

        room.listener.wait(lambda: room.microphone.name == "Headset" and len(room.listener.problems) == 2)

        played = [stream for stream in room.card.streams if stream.direction == "output"]
        while len(played) < 2 or not played[-1].started:
            played = [stream for stream in room.card.streams if stream.direction == "output"]
        assert np.array_equal(played[-1].listen(1.0), tone(1.0, 48_000)), "no voice is lost by that"
    finally:
        speaker.stop()


def test_the_chosen_microphone_is_taken_again_when_it_comes_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = ["without"]
    monkeypatch.setattr(device_changes, "fingerprint", lambda: connected[0])
    first = room.start("Studio")
    assert "“Studio” is not connected" in room.listener.problems[0]

    room.card.plugged.append(FakeDevice("Studio", inputs=1))
    connected[0] = "with"
    room.card.clock.advance(LOOK_INTERVAL_S)
    first.speak(tone(0.02, 16_000), block=320)
    room.listener.wait(lambda: len(room.listener.problems) == 2)

    assert room.listener.problems[1] == "“Studio” is the microphone now."
    assert first.closed


def test_a_device_that_starts_slowly_is_waited_for(room: Room) -> None:
    stream = room.start()
    room.card.clock.advance(4.0)
    stream.speak(tone(0.1, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 1_600)
    room.card.clock.advance(4.0)

    stream.speak(tone(0.1, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 3_200)

    assert room.listener.ends == []


def test_a_stream_ended_by_the_driver_is_noticed_at_once(room: Room) -> None:
    stream = room.start()

    stream.active = False
    stream.finished_callback()

    room.listener.wait(lambda: bool(room.listener.problems))
    assert "stopped for a moment" in room.listener.problems[0]


def test_stopping_gives_no_end_and_no_block_arrives_afterwards(room: Room) -> None:
    stream = room.start()
    stream.speak(tone(0.1, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 1_600)

    room.microphone.stop()
    stream.speak(tone(0.1, 16_000), block=320)
    room.microphone.stop()

    assert room.listener.count == 1_600
    assert room.listener.ends == []
    assert stream.closed


def test_stopping_returns_although_the_driver_hangs(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(portaudio, "_CLOSE_TIMEOUT_S", 0.01)
    unregistered: list[object] = []
    monkeypatch.setattr("atexit.unregister", unregistered.append)
    stream = room.start()
    stream.hang = threading.Event()

    with caplog.at_level(logging.WARNING):
        room.microphone.stop()

    assert not stream.closed
    assert "does not give back" in caplog.text
    assert unregistered == [room.card._exit_handler], "the end of the program must not wait for it either"
    assert not portaudio.reinitialize(), "the hanging stream still counts as open"
    stream.hang.set()
    closers = [thread for thread in threading.enumerate() if thread.name == "audio-close"]
    for closer in closers:
        closer.join(10)


def test_it_can_be_started_again(room: Room) -> None:
    stream = room.start()
    stream.speak(tone(0.1, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 1_600)
    room.microphone.stop()

    room.microphone.start(room.listener.on_block, room.listener.on_end)
    room.card.streams[-1].speak(tone(0.1, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 3_200)

    assert room.listener.blocks[5].position == 0


def test_a_consumer_that_stalls_loses_the_oldest_sound_and_positions_tell_it(room: Room) -> None:
    stream = room.start()
    stalled, go_on = threading.Event(), threading.Event()
    deliver = room.listener.on_block

    def stall_once(block: AudioBlock) -> None:
        if not stalled.is_set():
            stalled.set()
            assert go_on.wait(10)
        deliver(block)

    room.microphone._on_block = stall_once
    sound = np.arange(20 * 16_000, dtype=np.float32) / (20 * 16_000)
    stream.speak(sound[:320], block=320)
    assert stalled.wait(10)
    stream.speak(sound[320:], block=320)
    go_on.set()
    room.listener.wait(lambda: room.listener.count == 320 + RING_S * 16_000)

    blocks = room.listener.blocks
    assert room.microphone.lost_samples == (15 * 16_000) - 320
    assert blocks[1].position == 320 + room.microphone.lost_samples
    assert np.array_equal(room.listener.sound[320:], sound[-int(RING_S * 16_000) :])
    assert [b.position for b in blocks[1:]] == list(range(15 * 16_000, 20 * 16_000, 320))


def test_what_the_driver_lost_is_counted_by_the_clock(room: Room) -> None:
    stream = room.start()
    stream.speak(tone(0.1, 16_000), block=320)
    room.card.clock.advance(0.5)
    stream.deliver(tone(0.02, 16_000)[:, np.newaxis], overflow=True)
    room.listener.wait(lambda: room.listener.count == 1_920)

    assert room.microphone.lost_samples == pytest.approx(8_000, abs=1)
    assert room.listener.blocks[-1].position == pytest.approx(1_600 + 8_000, abs=1)


def test_a_fault_in_the_callback_is_survived_and_told_once(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stream = room.start()
    with monkeypatch.context() as broken:
        broken.setattr(CaptureRing, "put", lambda *_: (_ for _ in ()).throw(RuntimeError("full")))
        stream.speak(tone(0.1, 16_000), block=320)
    stream.speak(tone(0.1, 16_000), block=320)
    room.listener.wait(lambda: room.listener.count == 1_600 and len(room.listener.problems) == 1)

    assert room.listener.blocks[0].position == 1_600
    assert room.microphone.lost_samples == 1_600
    assert "full" in caplog.text


def test_a_consumer_that_raises_ends_the_microphone_with_a_sentence(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    stream = room.start()

    def fail(_: AudioBlock) -> None:
        raise RuntimeError("no more")

    room.microphone._on_block = fail
    stream.speak(tone(0.02, 16_000), block=320)
    room.listener.wait(lambda: bool(room.listener.ends))

    assert "fault of this program" in room.listener.ends[0]
    assert stream.closed
    assert "no more" in caplog.text
