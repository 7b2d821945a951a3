from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import soxr

from fake_sound_card import FakeDevice, FakeSoundCard, FakeStream, PortAudioError, sound_card
from s2s_desktop.audio import device_changes, device_follower
from s2s_desktop.audio import speaker as speaker_module
from s2s_desktop.audio.device_follower import LOOK_INTERVAL_S, DeviceFollower
from s2s_desktop.audio.devices import choose_device
from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.speaker import KEEP_S, REST_AFTER_S, SETTLE_S, PortAudioSpeaker
from s2s_desktop.audio.voice_queue import VoiceQueue
from s2s_desktop.errors import AssistantError, ErrorKind


class Desk:
    """A speaker of the program on a fake sound card."""

    def __init__(self, card: FakeSoundCard) -> None:
        self.card = card
        self.problems: list[str] = []
        self._changed = threading.Condition()
        self.speaker = PortAudioSpeaker(on_problem=self._note, clock=card.clock)

    def start(self) -> FakeStream:
        self.speaker.start()
        return self.stream

    @property
    def stream(self) -> FakeStream:
        return self.card.streams[-1]

    def _note(self, problem: str) -> None:
        with self._changed:
            self.problems.append(problem)
            self._changed.notify_all()

    def wait_for_problems(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.problems) >= count, timeout=10)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(speaker_module, "TICK_S", 0.01)
    monkeypatch.setattr(speaker_module, "LOOK_INTERVAL_S", 0.01)
    monkeypatch.setattr(device_follower, "REOPEN_INTERVAL_S", 0.01)
    with sound_card(monkeypatch, FakeDevice("Loudspeaker", outputs=2)) as card:
        desk = Desk(card)
        yield desk
        desk.speaker.stop()


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for the watching thread, which has no event of its own to wait for."""
    gave_up = threading.Event()
    for _ in range(1000):
        if condition():
            return
        gave_up.wait(0.01)
    pytest.fail("the watching thread did not act")


def ramp(seconds: float, rate: int = 48_000) -> Samples:
    return np.linspace(0.1, 0.9, round(seconds * rate), dtype=np.float32)


def resampled(sound: Samples) -> Samples:
    return np.asarray(soxr.resample(sound, 48_000, 16_000), np.float32)


def test_voice_is_played_on_all_channels_and_silence_when_there_is_none(desk: Desk) -> None:
    stream = desk.start()
    assert not stream.pull(480).any()

    desk.speaker.play(ramp(0.1), 48_000)
    played = np.concatenate([stream.pull(480) for _ in range(12)])

    assert np.array_equal(played[:4800, 0], ramp(0.1))
    assert np.array_equal(played[:, 0], played[:, 1])
    assert not played[4800:].any()


@pytest.mark.parametrize("rate", [44_100, 48_000, 16_000])
def test_the_device_keeps_its_rate_and_voice_is_resampled(desk: Desk, rate: int) -> None:
    desk.card.plugged[0].rate = rate
    stream = desk.start()
    voice = (0.5 * np.sin(2 * np.pi * 300 * np.arange(24_000) / 24_000)).astype(np.float32)

    desk.speaker.play(voice, 24_000)
    played = stream.listen(1.0, block=rate // 100)

    assert stream.samplerate == rate
    assert np.argmax(np.abs(np.fft.rfft(played))) == 300
    assert stream.listen(0.1, block=rate // 100).any() == False  # noqa: E712


def test_a_sound_server_is_opened_at_48_khz_whatever_alsa_tells(desk: Desk) -> None:
    desk.card.plugged[0].outputs, desk.card.plugged[0].rate = 32, 44_100

    stream = desk.start()

    assert (stream.samplerate, stream.channels) == (48_000, 2)


def test_pieces_of_voice_join_without_a_seam(desk: Desk) -> None:
    stream = desk.start()
    voice = (0.5 * np.sin(2 * np.pi * 997 * np.arange(12_000) / 24_000)).astype(np.float32)

    for piece in np.array_split(voice, 7):
        desk.speaker.play(piece, 24_000)
    played = stream.listen(0.5)

    expected = 0.5 * np.sin(2 * np.pi * 997 * np.arange(24_000) / 48_000)
    assert np.max(np.abs(played - expected)[240:-240]) < 1e-4


def test_a_mono_only_device_plays_mono(desk: Desk) -> None:
    desk.card.plugged[0].outputs = 1

    assert desk.start().channels == 1


def test_too_loud_voice_is_clipped_and_nan_is_silence(desk: Desk) -> None:
    stream = desk.start()

    desk.speaker.play(np.array([2.0, -3.0, np.nan, 0.5], np.float32), 48_000)

    assert stream.pull(4)[:, 0].tolist() == [1.0, -1.0, 0.0, 0.5]


def test_played_seconds_is_what_was_heard_and_queued_includes_the_device(desk: Desk) -> None:
    stream = desk.start()
    stream.dac_delay = 0.03
    desk.speaker.play(ramp(1.0), 48_000)
    assert (desk.speaker.played_seconds, desk.speaker.queued_seconds) == (0.0, 1.0)

    stream.listen(0.5)
    assert desk.speaker.played_seconds == pytest.approx(0.47)
    assert desk.speaker.queued_seconds == pytest.approx(0.53)

    stream.listen(0.51)
    assert desk.speaker.queued_seconds == pytest.approx(0.02)
    stream.listen(0.5)
    assert (desk.speaker.played_seconds, desk.speaker.queued_seconds) == (pytest.approx(1.0), 0.0)


@pytest.mark.parametrize("nonsense", [0.0, -3.0, 1e9])
def test_a_driver_that_tells_no_time_is_taken_at_its_latency(desk: Desk, nonsense: float) -> None:
    stream = desk.start()
    stream.dac_delay = nonsense
    desk.speaker.play(ramp(1.0), 48_000)

    stream.listen(0.5)

    assert desk.speaker.played_seconds == pytest.approx(0.5 - stream.latency)


def test_played_seconds_never_goes_back(desk: Desk) -> None:
    stream = desk.start()
    desk.speaker.play(ramp(1.0), 48_000)
    heard = []
    for delay in (0.01, 0.09, 0.02, 0.15, 0.01):
        stream.dac_delay = delay
        stream.listen(0.05)
        heard.append(desk.speaker.played_seconds)

    assert heard == sorted(heard)


def test_flush_fades_out_within_8_ms_and_the_next_voice_is_played_at_once(desk: Desk) -> None:
    stream = desk.start()
    desk.speaker.play(np.full(48_000, 0.8, np.float32), 48_000)
    stream.listen(0.1)

    desk.speaker.flush()
    after = stream.listen(0.1)

    assert not after[384:].any()
    assert np.all(np.diff(after[:384]) < 0), "the voice ends without a click"
    assert after[0] == pytest.approx(0.8)
    desk.speaker.play(ramp(0.01), 48_000)
    assert np.array_equal(stream.pull(480)[:, 0], ramp(0.01))
    assert desk.speaker.underruns == 0


def test_flush_counts_dropped_voice_as_neither_played_nor_queued(desk: Desk) -> None:
    stream = desk.start()
    desk.speaker.play(ramp(10.0), 48_000)
    stream.listen(1.0)

    desk.speaker.flush()
    stream.listen(0.2)

    assert desk.speaker.queued_seconds == 0.0
    assert desk.speaker.played_seconds == pytest.approx(1.008)


def test_pause_keeps_the_voice_and_the_clock_stands_still(desk: Desk) -> None:
    stream = desk.start()
    desk.speaker.play(ramp(1.0), 48_000)
    stream.listen(0.5)

    desk.speaker.pause()
    assert not stream.listen(0.1)[384:].any()
    stream.listen(5.0)
    assert desk.speaker.played_seconds == pytest.approx(0.508)
    assert desk.speaker.queued_seconds == pytest.approx(0.492)

    desk.speaker.resume()
    assert np.array_equal(stream.listen(0.3)[384:], ramp(1.0)[24_768:38_784])
    stream.listen(1.0)
    assert desk.speaker.played_seconds == pytest.approx(1.0)
    assert desk.speaker.underruns == 0


def test_the_canceller_is_told_what_was_really_played_and_when(desk: Desk) -> None:
    stream = desk.start()
    stream.dac_delay = 0.03
    began = desk.card.clock.now
    desk.speaker.play(ramp(0.5), 48_000)
    stream.listen(0.25)
    desk.speaker.flush()
    stream.listen(0.25)
    reference = desk.speaker.reference
    assert reference is not None

    heard = reference.read(8_000, began + 0.53)

    expected = resampled(np.concatenate([ramp(0.5)[:12_000], np.zeros(12_000, np.float32)]))
    assert np.max(np.abs(heard[:3_900] - expected[:3_900])[100:]) < 1e-3
    assert not heard[4_200:7_000].round(6).any(), "what was flushed was never played"


def test_a_device_that_is_opened_again_tells_the_canceller_anew(desk: Desk) -> None:
    stream = desk.start()
    desk.speaker.play(ramp(1.0), 48_000)
    stream.listen(0.5)

    desk.speaker.stop()

    assert desk.speaker.reference is not None
    assert not desk.speaker.reference.read(1_600, desk.card.clock.now).any()


def test_running_dry_within_a_reply_is_an_underrun_and_the_end_of_a_reply_is_none(desk: Desk) -> None:
    stream = desk.start()
    desk.speaker.play(ramp(0.1), 48_000)
    stream.listen(0.3)
    desk.speaker.play(ramp(0.1), 48_000)
    stream.listen(0.1)
    assert desk.speaker.underruns == 1

    stream.listen(3.0)
    desk.speaker.play(ramp(0.1), 48_000)
    assert desk.speaker.underruns == 1


def test_the_callback_survives_a_fault_fills_with_silence_and_tells_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stream = desk.start()
    with monkeypatch.context() as broken:
        broken.setattr(VoiceQueue, "pull", lambda *_: (_ for _ in ()).throw(RuntimeError("broken")))
        assert not stream.listen(0.1).any()
    desk.wait_for_problems(1)

    desk.speaker.play(ramp(0.01), 48_000)
    assert np.array_equal(stream.pull(480)[:, 0], ramp(0.01))
    assert len(desk.problems) == 1
    assert "broken" in caplog.text


@pytest.mark.parametrize("shape", [(480, 1), (480, 2), (2, 480)])
def test_voice_of_the_wrong_shape_is_refused_before_it_reaches_the_callback(
    desk: Desk, shape: tuple[int, int]
) -> None:
    stream = desk.start()

    with pytest.raises(ValueError, match="shape"):
        desk.speaker.play(np.zeros(shape, np.float32), 48_000)
    assert not stream.listen(0.1).any()


def test_no_speaker_is_said(desk: Desk) -> None:
    desk.card.plugged.clear()
    desk.card._initialize()

    with pytest.raises(AssistantError, match="No speaker was found") as raised:
        desk.start()
    assert raised.value.kind is ErrorKind.DEVICE
    desk.speaker.play(ramp(1.0), 48_000)
    assert desk.speaker.queued_seconds == 0.0


def test_a_speaker_that_cannot_be_opened_is_explained(desk: Desk) -> None:
    desk.card.plugged[0].error = PortAudioError("Unanticipated host error", -9999)

    with pytest.raises(AssistantError, match="speaker “Loudspeaker” cannot be opened"):
        desk.start()


def test_a_lost_speaker_is_opened_again_and_the_queued_voice_goes_on(desk: Desk) -> None:
    first = desk.start()
    desk.speaker.play(ramp(2.0), 48_000)
    first.listen(1.0)

    desk.card.clock.advance(2.1)
    desk.wait_for_problems(1)

    assert first.closed
    assert desk.problems == ["The speaker stopped for a moment; “Loudspeaker” is used now."]
    assert np.array_equal(desk.stream.listen(1.0), ramp(2.0)[48_000:])


def test_without_any_speaker_voice_is_dropped_until_one_is_there_again(desk: Desk) -> None:
    first = desk.start()
    desk.speaker.play(ramp(2.0), 48_000)
    desk.card.plugged.clear()

    first.active = False
    first.finished_callback()
    desk.wait_for_problems(1)

    assert "No speaker was found" in desk.problems[0]
    assert desk.speaker.queued_seconds == 2.0, "it may come back soon"
    desk.card.clock.advance(KEEP_S)
    wait_until(lambda: desk.speaker.queued_seconds == 0.0)
    desk.speaker.play(ramp(2.0), 48_000)
    assert desk.speaker.queued_seconds == 0.0, "a reply must not wait for a speaker that is not there"

    desk.card.plugged.append(FakeDevice("Other", outputs=2, rate=44_100))
    desk.wait_for_problems(2)
    assert "“Other” is used now" in desk.problems[1]
    desk.speaker.play(ramp(0.01, 44_100), 44_100)
    assert np.array_equal(desk.stream.pull(441)[:, 0], ramp(0.01, 44_100))


def test_a_speaker_that_comes_back_soon_plays_what_was_queued(desk: Desk) -> None:
    first = desk.start()
    desk.speaker.play(ramp(2.0), 48_000)
    first.listen(1.0)
    desk.card.plugged.clear()
    first.active = False
    first.finished_callback()
    desk.wait_for_problems(1)
    desk.speaker.play(ramp(1.0), 48_000)

    desk.card.plugged.append(FakeDevice("Other", outputs=2))
    desk.wait_for_problems(2)

    heard = desk.stream.listen(2.0)
    assert np.array_equal(heard, np.concatenate([ramp(2.0)[48_000:], ramp(1.0)]))


def test_a_new_device_of_another_rate_goes_on_with_the_queued_voice(desk: Desk) -> None:
    first = desk.start()
    desk.speaker.play(ramp(2.0), 48_000)
    first.listen(1.0)
    desk.card.plugged[:] = [FakeDevice("Headset", outputs=1, rate=16_000, rates=(16_000,))]
    desk.card.clock.advance(2.1)
    desk.wait_for_problems(1)

    assert "“Headset” is used now" in desk.problems[0]
    heard = desk.stream.listen(1.0, block=160)
    assert np.max(np.abs(heard - resampled(ramp(2.0)[48_000:]))[200:-200]) < 1e-3


def test_a_new_default_is_followed_and_what_is_queued_goes_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = ["first"]
    monkeypatch.setattr(device_changes, "fingerprint", lambda: connected[0])
    first = desk.start()
    desk.speaker.play(ramp(2.0), 48_000)
    first.listen(1.0)

    desk.card.plugged.insert(0, FakeDevice("Headphones", outputs=2))
    connected[0] = "second"
    desk.card.clock.advance(LOOK_INTERVAL_S)
    desk.wait_for_problems(1)

    assert desk.problems == ["“Headphones” is the speaker now."]
    assert first.closed
    assert np.array_equal(desk.stream.listen(1.0), ramp(2.0)[48_000:])


def test_a_chosen_speaker_is_not_left_for_a_new_default(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    follower = DeviceFollower("Loudspeaker", desk.card.clock)
    connected = ["first"]
    monkeypatch.setattr(device_changes, "fingerprint", lambda: connected[0])
    follower.opened(choose_device("output", "Loudspeaker")[0])

    connected[0] = "second"
    desk.card.clock.advance(LOOK_INTERVAL_S)

    assert not follower.should_reopen


def test_a_device_that_underflows_gets_a_larger_buffer_and_a_single_hiccup_does_not(desk: Desk) -> None:
    stream = desk.start()
    assert stream.latency == pytest.approx(0.04)
    stream.pull(480, underflow=True)
    desk.speaker.play(ramp(1.0), 48_000)
    stream.pull(480, underflow=True)
    assert desk.speaker.underruns == 1

    stream.pull(480, underflow=True)
    wait_until(lambda: len(desk.card.streams) == 2 and desk.stream.started)

    assert desk.stream.latency == pytest.approx(0.08)
    assert stream.closed
    assert desk.stream.pull(480)[0, 0] == ramp(1.0)[960], "the voice goes on where it was"
    assert desk.problems == []


def test_the_buffer_does_not_grow_for_ever(desk: Desk) -> None:
    desk.start()
    for opened in (2, 3):
        for _ in range(3):
            desk.stream.pull(480, underflow=True)
        wait_until(lambda wanted=opened: len(desk.card.streams) == wanted and desk.stream.started)
    for _ in range(10):
        desk.stream.pull(480, underflow=True)

    assert desk.stream.latency == pytest.approx(0.16)
    desk.speaker.stop()
    assert len(desk.card.streams) == 3


def test_stopping_drops_what_is_queued_and_can_be_repeated(desk: Desk) -> None:
    stream = desk.start()
    desk.speaker.play(ramp(5.0), 48_000)

    desk.speaker.stop()
    desk.speaker.stop()

    assert stream.closed
    assert desk.speaker.queued_seconds == 0.0
    assert desk.problems == []


def test_starting_again_begins_at_zero(desk: Desk) -> None:
    desk.start().listen(0.1)
    desk.speaker.play(ramp(1.0), 48_000)
    desk.stream.listen(2.0)
    desk.speaker.stop()

    desk.start()

    assert desk.speaker.played_seconds == 0.0


def rest(desk: Desk) -> None:
    stream = desk.stream
    desk.card.clock.advance(REST_AFTER_S)
    stream.pull(480)
    wait_until(lambda: stream.closed)


def test_where_nobody_has_spoken_yet_the_device_is_given_back_soon(desk: Desk) -> None:
    stream = desk.start()

    desk.card.clock.advance(SETTLE_S)
    stream.pull(480)

    wait_until(lambda: stream.closed)
    assert desk.problems == []


def test_within_a_conversation_the_device_stays_open(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = threading.Semaphore(0)
    monkeypatch.setattr(DeviceFollower, "should_reopen", property(lambda _: looks.release() or False))
    stream = desk.start()
    desk.speaker.play(ramp(0.1), 48_000)
    stream.listen(0.5)

    desk.card.clock.advance(REST_AFTER_S / 2)
    stream.pull(480)
    for _ in range(5):
        assert looks.acquire(timeout=10)

    assert not stream.closed


@pytest.mark.parametrize("expected", [True, False])
def test_voice_is_played_from_its_beginning_after_a_rest(desk: Desk, expected: bool) -> None:
    desk.start()
    rest(desk)

    if expected:
        desk.speaker.expect_voice(True)
        wait_until(lambda: len(desk.card.streams) == 2 and desk.stream.started)
    desk.speaker.play(ramp(0.1), 48_000)
    wait_until(lambda: len(desk.card.streams) == 2 and desk.stream.started)

    assert np.array_equal(desk.stream.listen(0.1), ramp(0.1))
    assert desk.speaker.underruns == 0
    assert desk.problems == []


def test_while_voice_is_expected_the_device_stays_open(desk: Desk) -> None:
    stream = desk.start()
    desk.speaker.expect_voice(True)
    wait_until(lambda: desk.speaker._needed)

    desk.card.clock.advance(10 * REST_AFTER_S)
    stream.pull(480)
    desk.speaker.play(ramp(0.1), 48_000)

    assert np.array_equal(stream.listen(0.1), ramp(0.1))


def test_a_device_that_came_during_a_rest_is_the_one_that_speaks(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = ["first"]
    monkeypatch.setattr(device_changes, "fingerprint", lambda: connected[0])
    desk.start()
    rest(desk)

    desk.card.plugged.insert(0, FakeDevice("Headphones", outputs=2))
    connected[0] = "second"
    desk.card.clock.advance(LOOK_INTERVAL_S)
    wait_until(lambda: len(desk.card.listed) == 2)
    desk.speaker.expect_voice(True)

    desk.wait_for_problems(1)
    assert desk.problems == ["“Headphones” is the speaker now."]


def test_a_device_that_went_during_a_rest_is_missed_when_it_shall_speak(desk: Desk) -> None:
    desk.start()
    rest(desk)
    desk.card.plugged.clear()

    desk.speaker.play(ramp(0.1), 48_000)

    desk.wait_for_problems(1)
    assert "No speaker was found" in desk.problems[0]


def test_a_resting_speaker_is_stopped_and_started_again(desk: Desk) -> None:
    desk.start()
    rest(desk)

    desk.speaker.stop()
    desk.start()
    desk.speaker.play(ramp(0.1), 48_000)

    assert np.array_equal(desk.stream.listen(0.1), ramp(0.1))
