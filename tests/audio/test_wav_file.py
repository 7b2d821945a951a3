from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
import soundfile

from audio_listener import Listener
from fake_sound_card import FakeClock
from s2s_desktop.audio.protocol import AudioBlock
from s2s_desktop.audio.wav_file import WavSink, WavSource, read_wav
from s2s_desktop.errors import AssistantError, ErrorKind


@pytest.fixture
def question(tmp_path: Path) -> Path:
    path = tmp_path / "question.wav"
    soundfile.write(path, np.linspace(0.1, 0.9, 24_000), 16_000, subtype="FLOAT")
    return path


def heard(source: WavSource) -> Listener:
    listener = Listener()
    source.start(listener.on_block, listener.on_end)
    listener.wait(lambda: bool(listener.ends))
    source.stop()
    return listener


@pytest.mark.parametrize("realtime", [True, False])
def test_the_file_is_followed_by_silence_and_then_ends(question: Path, realtime: bool) -> None:
    clock = FakeClock()

    listener = heard(WavSource(question, realtime=realtime, trailing_silence_s=0.5, clock=clock))

    assert np.array_equal(listener.sound[:24_000], read_wav(question))
    assert not listener.sound[24_000:].any()
    assert len(listener.sound) == 32_000
    assert listener.ends == [""]
    assert [block.position for block in listener.blocks] == list(range(0, 32_000, 320))


def test_real_time_is_paced_by_the_clock(question: Path) -> None:
    clock = FakeClock()

    listener = heard(WavSource(question, trailing_silence_s=0.0, clock=clock))

    assert clock.now - 1000.0 == pytest.approx(1.5)
    assert listener.blocks[0].captured_at == pytest.approx(1000.02)
    assert listener.blocks[-1].captured_at == pytest.approx(1001.5)


def test_fast_takes_no_time_of_its_own(question: Path) -> None:
    clock = FakeClock()

    heard(WavSource(question, realtime=False, clock=clock))

    assert clock.now == 1000.0


def test_a_file_waits_for_a_consumer_that_holds_it_and_does_not_rush_afterwards(question: Path) -> None:
    clock = FakeClock()
    listener = Listener()

    def hold_one(block: AudioBlock) -> None:
        if block.position == 3_200:
            clock.advance(30.0)
        listener.on_block(block)

    source = WavSource(question, trailing_silence_s=0.0, clock=clock)
    source.start(hold_one, listener.on_end)
    listener.wait(lambda: bool(listener.ends))
    source.stop()

    gaps = np.diff([block.captured_at for block in listener.blocks])
    assert sum(gap > 1.0 for gap in gaps) == 1
    assert sorted(gaps)[-2] == pytest.approx(0.02, abs=1e-6)
    assert len(listener.sound) == 24_000


@pytest.mark.parametrize("calls", [1, 2])
def test_stopping_ends_delivery_without_an_end(question: Path, calls: int) -> None:
    listener = Listener()
    source = WavSource(question)
    source.start(listener.on_block, listener.on_end)
    listener.wait(lambda: len(listener.blocks) >= 2)

    for _ in range(calls):
        source.stop()
    count = len(listener.blocks)

    assert listener.ends == []
    assert not [thread for thread in threading.enumerate() if thread.name == "file question.wav"]
    assert len(listener.blocks) == count


def test_a_source_can_be_stopped_from_its_own_callback(question: Path) -> None:
    stopped = threading.Event()
    source = WavSource(question, realtime=False)

    def stop(_: AudioBlock) -> None:
        source.stop()
        stopped.set()

    source.start(stop, lambda _: None)

    assert stopped.wait(10)


def test_an_unreadable_file_is_said_at_the_start(tmp_path: Path) -> None:
    source = WavSource(tmp_path / "nothing.wav")

    with pytest.raises(AssistantError, match="does not exist") as raised:
        source.start(lambda _: None, lambda _: None)
    assert raised.value.kind is ErrorKind.BAD_REQUEST
    source.stop()


def test_a_consumer_that_raises_ends_the_source_with_a_sentence(
    question: Path, caplog: pytest.LogCaptureFixture
) -> None:
    listener = Listener()

    def fail(_: AudioBlock) -> None:
        raise RuntimeError("no more")

    source = WavSource(question, realtime=False)
    source.start(fail, listener.on_end)
    listener.wait(lambda: bool(listener.ends))

    assert "fault of this program" in listener.ends[0]
    assert "no more" in caplog.text


def voice(seconds: float) -> np.ndarray:
    return np.linspace(0.1, 0.9, round(seconds * 24_000), dtype=np.float32)


class Recorder:
    """A sink that has been started, and its clock."""

    def __init__(self, folder: Path) -> None:
        self.clock = FakeClock()
        self.path = folder / "answer.wav"
        self.sink = WavSink(self.path, clock=self.clock)
        self.sink.start()

    def stop(self) -> np.ndarray:
        self.sink.stop()
        samples, rate = soundfile.read(self.path, dtype="float32")
        assert rate == 24_000
        assert soundfile.info(self.path).subtype == "PCM_16"
        return samples


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    recorder = Recorder(tmp_path)
    yield recorder
    recorder.sink.stop()


def test_a_recording_holds_what_was_played_without_the_silence_between(recorder: Recorder) -> None:
    recorder.sink.play(voice(1.0), 24_000)
    recorder.clock.advance(5.0)
    recorder.sink.play(voice(0.5), 24_000)
    recorder.clock.advance(5.0)

    samples = recorder.stop()

    assert np.allclose(samples, np.concatenate([voice(1.0), voice(0.5)]), atol=1e-4)


def test_the_position_advances_with_the_clock(recorder: Recorder) -> None:
    recorder.clock.advance(100.0)
    recorder.sink.play(voice(2.0), 24_000)
    assert (recorder.sink.played_seconds, recorder.sink.queued_seconds) == (0.0, 2.0)

    recorder.clock.advance(0.5)
    assert recorder.sink.played_seconds == pytest.approx(0.5, abs=1e-4)
    assert recorder.sink.queued_seconds == pytest.approx(1.5, abs=1e-4)

    recorder.clock.advance(60.0)
    assert (recorder.sink.played_seconds, recorder.sink.queued_seconds) == (2.0, 0.0)


def test_a_paused_voice_waits_and_then_goes_on(recorder: Recorder) -> None:
    recorder.sink.play(voice(1.0), 24_000)
    recorder.clock.advance(0.5)
    recorder.sink.pause()
    recorder.clock.advance(10.0)
    assert recorder.sink.played_seconds == pytest.approx(0.508, abs=1e-3)
    assert recorder.sink.queued_seconds == pytest.approx(0.492, abs=1e-3)

    recorder.sink.resume()
    recorder.clock.advance(1.0)
    recorder.sink.stop()

    assert len(soundfile.read(recorder.path)[0]) == 24_000
    assert recorder.sink.underruns == 0


def test_flushed_voice_is_not_recorded(recorder: Recorder) -> None:
    recorder.sink.play(voice(10.0), 24_000)
    recorder.clock.advance(1.0)

    recorder.sink.flush()
    recorder.clock.advance(5.0)

    assert len(recorder.stop()) == pytest.approx(1.008 * 24_000, abs=2)
    assert recorder.sink.underruns == 0


def test_stopping_drops_what_was_not_heard_yet(recorder: Recorder) -> None:
    recorder.sink.play(voice(10.0), 24_000)
    recorder.clock.advance(1.0)

    assert len(recorder.stop()) == pytest.approx(24_000, abs=2)
    assert recorder.sink.queued_seconds == 0.0


def test_running_dry_within_a_reply_is_an_underrun(recorder: Recorder) -> None:
    recorder.sink.play(voice(0.5), 24_000)
    recorder.clock.advance(1.0)
    recorder.sink.play(voice(0.5), 24_000)
    recorder.clock.advance(10.0)
    recorder.sink.play(voice(0.5), 24_000)

    assert recorder.sink.underruns == 1


def test_other_rates_are_resampled(recorder: Recorder) -> None:
    recorder.sink.play(np.full(48_000, 0.5, np.float32), 48_000)
    recorder.clock.advance(2.0)

    assert len(recorder.stop()) == 24_000


def test_a_fast_sink_has_heard_everything_at_once(tmp_path: Path) -> None:
    sink = WavSink(tmp_path / "a.wav", realtime=False)
    sink.start()
    for _ in range(3):
        sink.play(voice(1.0), 24_000)
        assert sink.queued_seconds == 0.0
    sink.stop()

    assert sink.played_seconds == 3.0
    assert sink.underruns == 0
    assert len(soundfile.read(tmp_path / "a.wav")[0]) == 72_000


def test_without_a_file_it_is_a_clock_alone() -> None:
    clock = FakeClock()
    sink = WavSink(clock=clock)
    sink.start()
    sink.play(voice(1.0), 24_000)
    clock.advance(0.25)

    assert sink.played_seconds == pytest.approx(0.25, abs=1e-4)
    sink.stop()


def test_nothing_played_leaves_an_older_file_alone(recorder: Recorder) -> None:
    recorder.path.write_bytes(b"older")

    recorder.sink.stop()
    recorder.sink.stop()

    assert recorder.path.read_bytes() == b"older"
    assert list(recorder.path.parent.iterdir()) == [recorder.path]


def test_a_place_that_cannot_be_written_is_said_at_the_start(tmp_path: Path) -> None:
    sink = WavSink(tmp_path / "missing" / "a.wav")

    with pytest.raises(AssistantError, match="cannot be written") as raised:
        sink.start()
    assert raised.value.kind is ErrorKind.DEVICE
    sink.stop()


def test_a_disk_that_fills_up_does_not_stop_the_talk_and_is_said_at_the_end(
    recorder: Recorder, full_disk: Callable[[], AbstractContextManager[None]]
) -> None:
    recorder.sink.play(voice(10.0), 24_000)
    with full_disk():
        recorder.clock.advance(20.0)
        assert recorder.sink.played_seconds == 10.0
        with pytest.raises(AssistantError, match="cannot be written"):
            recorder.sink.stop()
    recorder.sink.stop()
    assert not recorder.path.exists()


def test_voice_before_the_start_and_after_the_stop_is_dropped(recorder: Recorder) -> None:
    recorder.sink.stop()

    recorder.sink.play(voice(1.0), 24_000)

    assert recorder.sink.queued_seconds == 0.0
