"""Trying microphone and voice from the settings, without the conversation hearing of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import numpy as np
import pytest

from conversation.parts import (
    ManualSink,
    Recorder,
    ScriptedBackend,
    ScriptedDetector,
    ScriptedSource,
    SecondPerWordVoice,
    answer,
)
from fake_sound_card import FakeDevice, sound_card
from s2s_desktop.audio.speaker import PortAudioSpeaker
from s2s_desktop.conversation.events import MicrophoneChanged, TypedMessage, VoiceChunk
from s2s_desktop.conversation.session import Behavior, Session
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.engine import sound
from s2s_desktop.engine.sound_check import SAMPLE_SENTENCES, SoundCheck
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.history.history import History
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.speakable_text import SpeakableText
from s2s_desktop.tts.voices import VOICES, language_of


class Check:
    """A session with a scripted microphone and speaker, and the sound check beside it."""

    def __init__(self) -> None:
        self.sources: list[ScriptedSource] = []
        self.sink = ManualSink()
        self.stages = Stages(
            make_source=self._source,
            make_detector=ScriptedDetector,
            make_speakable=SpeakableText,
            make_clauses=ClauseSplitter,
            sink=self.sink,
        )
        self.session = Session(self.stages, History(), Behavior(system_prompt=""))
        self.seen = Recorder()
        self.session.add_observer(self.seen)
        paths = find_paths()
        self.settings = Settings()
        self.check = SoundCheck(
            self.session,
            ModelStore(paths),
            KeyStore(paths.settings_file.parent),
            lambda: self.settings,
            lambda sentence: None,
        )
        self.levels: list[tuple[float, float]] = []
        self.refuses: AssistantError | None = None

    def _source(self) -> ScriptedSource:
        self.sources.append(ScriptedSource(refuses=self.refuses))
        return self.sources[-1]

    def record(self, seconds: float) -> asyncio.Task[None]:
        return asyncio.ensure_future(
            self.check.test_recording(seconds, lambda rms, peak: self.levels.append((rms, peak)))
        )

    async def opened(self, count: int) -> ScriptedSource:
        async with asyncio.timeout(10):
            while len(self.sources) < count or not hasattr(self.sources[-1], "on_block"):  # noqa: ASYNC110
                await asyncio.sleep(0.002)
        return self.sources[-1]


@pytest.fixture
async def check() -> AsyncIterator[Check]:
    check = Check()
    yield check
    await check.session.close()


class TestRecording:
    async def test_what_was_said_is_measured_and_played_back(self, check: Check) -> None:
        task = check.record(0.5)
        source = await check.opened(1)
        source.deliver(np.full(6000, 0.5, np.float32))
        source.deliver(np.full(6000, 0.25, np.float32))
        await task
        assert source.stopped
        assert check.sink.played_seconds == pytest.approx(0.5)
        assert check.levels[0] == pytest.approx((-6.02, -6.02), abs=0.01)
        assert len(check.levels) == 2

    async def test_the_conversation_does_not_listen_meanwhile_and_goes_on_after(self, check: Check) -> None:
        check.session.set_microphone(True)
        listening = await check.opened(1)
        task = check.record(0.5)
        own = await check.opened(2)
        assert listening.stopped
        own.deliver(np.full(16_000, 0.1, np.float32))
        await task
        again = await check.opened(3)
        assert not again.stopped
        assert [event.on for event in check.seen.of(MicrophoneChanged)] == [True, False, True]

    async def test_a_microphone_that_refuses_is_a_sentence(self, check: Check) -> None:
        check.refuses = AssistantError(ErrorKind.DEVICE, "No microphone was found.")
        with pytest.raises(AssistantError, match="No microphone"):
            await check.record(0.5)

    async def test_one_that_is_unplugged_is_a_sentence(self, check: Check) -> None:
        task = check.record(0.5)
        source = await check.opened(1)
        source.on_end("The microphone stopped.")
        with pytest.raises(AssistantError, match="The microphone stopped"):
            await task
        assert source.stopped

    async def test_cancelling_releases_the_microphone(self, check: Check) -> None:
        task = check.record(5)
        source = await check.opened(1)
        task.cancel()
        await asyncio.wait([task])
        assert source.stopped


class TestPreview:
    @pytest.fixture
    def voice(self, check: Check, monkeypatch: pytest.MonkeyPatch) -> SecondPerWordVoice:
        voice = SecondPerWordVoice()

        async def synthesizer(
            settings: Settings, store: ModelStore, keys: KeyStore, loaded: object
        ) -> SecondPerWordVoice:
            self.chosen = (settings.speech.voice, settings.speech.speed)
            return voice

        monkeypatch.setattr(sound, "synthesizer", synthesizer)
        return voice

    async def test_a_voice_speaks_in_its_own_language(self, check: Check, voice: SecondPerWordVoice) -> None:
        await check.check.preview_voice("ff_siwis", 1.2)
        assert self.chosen == ("ff_siwis", 1.2)
        assert " ".join(voice.said).split() == SAMPLE_SENTENCES["fr"].split()
        assert check.sink.played_seconds > 0
        assert not check.seen.of(VoiceChunk)

    async def test_a_reply_ends_first(self, check: Check, voice: SecondPerWordVoice) -> None:
        backend = ScriptedBackend(answer("A long story", pause_before_end=True))
        check.stages.language_model = backend
        check.session.send_text("Tell me.")
        await backend.waiting.wait()
        await check.check.preview_voice("af_heart", 1.0)
        assert backend.closed == 1
        assert check.seen.of(TypedMessage)

    async def test_a_new_preview_ends_the_one_before(self, check: Check, voice: SecondPerWordVoice) -> None:
        check.sink.instant = False
        first = asyncio.ensure_future(check.check.preview_voice("af_heart", 1.0))
        await check.sink.queued.wait()
        check.sink.instant = True
        await check.check.preview_voice("bf_emma", 1.0)
        await first
        assert check.sink.flushed

    def test_every_voice_has_a_sentence(self) -> None:
        assert {language_of(voice).code for voice in VOICES} <= set(SAMPLE_SENTENCES)


async def test_devices_are_named_as_settings_store_them(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sound_card(monkeypatch, FakeDevice("Mic", inputs=1), FakeDevice("Box", outputs=2)) as card:
        card.plugged.append(FakeDevice("Headset", inputs=1, outputs=1))
        microphones, speakers = await check.check.devices()
    assert [(device.label, device.is_default) for device in microphones] == [
        ("Mic (Fake API)", True),
        ("Headset (Fake API)", False),
    ]
    assert [device.label for device in speakers] == ["Box (Fake API)", "Headset (Fake API)"]


async def test_a_silent_speaker_makes_way_for_new_devices_to_be_seen(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sound_card(monkeypatch, FakeDevice("Mic", inputs=1), FakeDevice("Box", outputs=2)) as card:
        speaker = PortAudioSpeaker()
        speaker.start()
        check.stages.sink = speaker
        card.plugged.append(FakeDevice("Headset", inputs=1, outputs=1))
        _, speakers = await check.check.devices()
        assert [device.label for device in speakers] == ["Box (Fake API)", "Headset (Fake API)"]
        assert [stream.closed for stream in card.streams] == [True, False]
        speaker.stop()
