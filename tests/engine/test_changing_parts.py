"""Hearing and voice change while the program runs, each by itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator

import pytest

from conversation.parts import ManualSink
from engine.kit import RunningEngine, profile_at
from fake_sound_card import FakeDevice, sound_card
from llm.fake_provider import FakeProvider, Reply
from s2s_desktop.audio.speaker import PortAudioSpeaker
from s2s_desktop.conversation.events import ModelProgress, Notice, Readiness
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.engine import build, sound
from s2s_desktop.engine.components import microphone_needs, needs
from s2s_desktop.engine.part import Component, Part
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Profile, Settings, SpeechServer
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.stt.remote import RemoteTranscriber
from s2s_desktop.tts.remote import RemoteSynthesizer
from s2s_desktop.vad.endpointing import Endpointer
from s2s_desktop.vad.held import HeldEndpointer


@pytest.fixture
def server() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        provider.script(Reply(b'{"text": ""}', content_type="application/json"), repeat=True)
        yield provider


@pytest.fixture
async def engine(server: FakeProvider) -> AsyncIterator[RunningEngine]:
    """An engine that hears with a server and speaks not at all."""
    settings = Settings()
    settings.audio.smart_turn = False
    settings.speech.stt_engine = "remote"
    settings.speech.stt_server = SpeechServer(base_url=server.base_url, model="hears")
    engine = RunningEngine(settings, parts={Part.HEARING})
    await engine.start()
    yield engine
    await engine.close()


def stages(engine: RunningEngine) -> Stages:
    return engine.engine.session.stages


class TestHearing:
    async def test_a_server_hears_when_the_settings_say_so(self, engine: RunningEngine) -> None:
        assert isinstance(stages(engine).transcriber, RemoteTranscriber)
        assert engine.readiness.hearing

    async def test_another_pause_makes_another_detector_and_leaves_the_rest(
        self, engine: RunningEngine
    ) -> None:
        transcriber, make_detector = stages(engine).transcriber, stages(engine).make_detector
        await engine.change(audio__pause_ms=900)
        assert stages(engine).transcriber is transcriber
        assert stages(engine).make_detector is not make_detector
        made = stages(engine).make_detector
        assert made is not None
        assert isinstance(made(), Endpointer)

    async def test_a_key_begins_and_ends_turns_when_the_settings_say_so(self, engine: RunningEngine) -> None:
        await engine.change(audio__microphone_mode="push-to-talk")
        made = stages(engine).make_detector
        assert made is not None
        assert isinstance(made(), HeldEndpointer)
        assert engine.engine.session.behavior.key_to_talk

    async def test_another_key_of_the_server_is_used_at_once(
        self, engine: RunningEngine, server: FakeProvider
    ) -> None:
        before = stages(engine).transcriber
        await engine.preferences.save_key(SpeechServer(base_url=server.base_url), "sk-1234567890", "session")
        await engine.ready()
        assert stages(engine).transcriber is not before
        assert server.requests[-1].headers["authorization"] == "Bearer sk-1234567890"

    async def test_one_that_cannot_be_used_is_told_and_the_one_before_goes_on(
        self, engine: RunningEngine
    ) -> None:
        before = stages(engine).transcriber
        await engine.change(speech__stt_server=SpeechServer(base_url="ftp://nowhere", model="x"))
        assert stages(engine).transcriber is before
        assert "ftp" in engine.seen.of(Notice)[-1].text
        assert "goes on" in engine.seen.of(Notice)[-1].text


class TestVoice:
    async def test_a_voice_is_replaced_and_the_old_one_closed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        closed: list[float] = []

        class Voice:
            name = "scripted"

            def __init__(self, speed: float) -> None:
                self.speed = speed

            def load(self) -> None:
                if self.speed == 2.0:
                    raise AssistantError(ErrorKind.INTERNAL, "Too fast.")

            def close(self) -> None:
                closed.append(self.speed)

        async def synthesizer(settings: Settings, *_: object) -> Voice:
            return Voice(settings.speech.speed)

        monkeypatch.setattr(sound, "synthesizer", synthesizer)
        monkeypatch.setattr(sound, "speaker", lambda settings, on_problem: ManualSink())
        settings = Settings()
        settings.speech.tts_engine = "remote"
        engine = RunningEngine(settings, parts={Part.VOICE})
        await engine.start()
        assert engine.readiness.voice
        await engine.change(speech__speed=1.5)
        assert stages(engine).synthesizer.speed == 1.5  # type: ignore[union-attr]
        assert closed == [1.0]
        await engine.change(speech__speed=2.0)
        assert stages(engine).synthesizer.speed == 1.5  # type: ignore[union-attr]
        assert engine.seen.of(Notice)[-1].text.startswith("Too fast.")
        sink = stages(engine).sink
        await engine.change(audio__output_device="Headset")
        assert stages(engine).sink is not sink
        await engine.close()

    async def test_a_speaker_that_opens_while_the_session_closes_is_given_back(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        may_open, voice_there = threading.Event(), threading.Event()

        class SlowSpeaker(PortAudioSpeaker):
            def start(self) -> None:
                assert may_open.wait(10)
                super().start()

        class Voice:
            name = "scripted"
            load = staticmethod(voice_there.set)

            def close(self) -> None:
                """Have nothing to free."""

        async def synthesizer(*_: object) -> Voice:
            return Voice()

        monkeypatch.setattr(sound, "synthesizer", synthesizer)
        monkeypatch.setattr(sound, "speaker", lambda settings, on_problem: SlowSpeaker())
        engine = RunningEngine(Settings(), parts={Part.VOICE})
        # Not the files of the voice are wanted here.
        monkeypatch.setattr(engine.engine._parts, "_is_missing", lambda name: False)
        close_session = engine.engine.session.close

        async def close_session_then_open() -> None:
            await close_session()
            may_open.set()
            await engine.ready()

        monkeypatch.setattr(engine.engine.session, "close", close_session_then_open)
        with sound_card(monkeypatch, FakeDevice("Box", outputs=2)) as card:
            engine.engine.prepare_in_background()
            assert await asyncio.to_thread(voice_there.wait, 10)
            await engine.close()
            assert card.streams, "the speaker was opened after all"

    async def test_a_server_speaks_when_the_settings_say_so(self, server: FakeProvider) -> None:
        settings = Settings()
        settings.speech.tts_engine = "remote"
        settings.speech.tts_server = SpeechServer(base_url=server.base_url, model="speaks", voice="nova")
        paths = find_paths()
        keys = KeyStore(paths.settings_file.parent)
        made = await sound.synthesizer(settings, ModelStore(paths), keys, None)
        assert isinstance(made, RemoteSynthesizer)
        made.close()


class TestNeeds:
    @pytest.mark.parametrize(
        ("component", "path", "value"),
        [
            (Component.TRANSCRIBER, "speech.stt_model", "whisper-small"),
            (Component.TRANSCRIBER, "speech.hotwords", "Zaphod"),
            (Component.TRANSCRIBER, "speech.stt_device", "cuda"),
            (Component.VOICE, "speech.voice", "bf_emma"),
            (Component.VOICE, "speech.tts_engine", "kokoro-torch"),
            (Component.SPEAKER, "audio.output_device", "Box"),
            (Component.DETECTOR, "audio.smart_turn", False),
            (Component.DETECTOR, "speech.vad_engine", "silero-torch"),
            (None, "speech.captions", False),
            (None, "speech.stt_language", "de"),
            (None, "audio.input_device", "Mic"),
            (None, "general.theme", "dark"),
            (None, "history.keep", False),
        ],
    )
    def test_a_setting_concerns_one_component_at_most(
        self, component: Component | None, path: str, value: object
    ) -> None:
        before, after = Settings(), Settings()
        section, _, name = path.partition(".")
        setattr(getattr(after, section), name, value)
        changed = [each for each in Component if needs(each, before) != needs(each, after)]
        assert changed == ([] if component is None else [component])

    def test_another_microphone_is_opened_anew(self) -> None:
        before, after = Settings(), Settings()
        after.audio.input_device = "Mic"
        assert microphone_needs(before) != microphone_needs(after)

    def test_a_model_that_hears_needs_no_transcriber(self) -> None:
        settings = Settings()
        settings.profiles.append(Profile(name="Ears", backend="chat-completions", audio_input=True))
        settings.profile = "Ears"
        assert needs(Component.TRANSCRIBER, settings) is None


@pytest.mark.parametrize(
    ("choice", "base_url", "asks"),
    [
        ("auto", "http://127.0.0.1:8000/v1", True),
        ("auto", "https://api.groq.com/openai/v1", False),
        ("auto", "ftp://x", False),
        ("on", "https://api.groq.com/openai/v1", True),
        ("off", "http://127.0.0.1:8000/v1", False),
    ],
)
def test_the_model_is_asked_early_where_that_costs_nothing(choice: str, base_url: str, asks: bool) -> None:
    profile = Profile(name="x", base_url=base_url, preemptive_generation=choice)  # type: ignore[arg-type]
    assert build.asks_early(profile) is asks


class TestReadiness:
    async def test_a_voice_that_fails_says_nothing_about_a_language_model_on_its_way(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        may_fail, voice_failed = asyncio.Event(), asyncio.Event()

        async def language_model(*_: object) -> None:
            await may_fail.wait()
            raise AssistantError(ErrorKind.CONNECTION, "No model.")

        async def synthesizer(*_: object) -> None:
            raise AssistantError(ErrorKind.INTERNAL, "No voice.")

        monkeypatch.setattr(build, "language_model", language_model)
        monkeypatch.setattr(sound, "synthesizer", synthesizer)
        settings = Settings(profiles=[Profile(name="Mine")], profile="Mine")
        settings.speech.tts_engine = "remote"
        engine = RunningEngine(settings, parts={Part.LLM, Part.VOICE})
        engine.engine.add_observer(
            lambda _, event: (
                voice_failed.set()
                if isinstance(event, ModelProgress) and event.error == "No voice."
                else None
            )
        )
        engine.engine.prepare_in_background()
        await voice_failed.wait()
        assert not any(ready.llm_failed for ready in engine.seen.of(Readiness))
        may_fail.set()
        await engine.ready()
        assert engine.readiness.llm_failed
        await engine.close()

    async def test_a_language_model_that_failed_is_on_its_way_again_with_other_settings(
        self, server: FakeProvider
    ) -> None:
        bad = Profile(name="Mine", backend="chat-completions", base_url="ftp://nowhere", model="x")
        engine = RunningEngine(Settings(profiles=[bad], profile="Mine"))
        await engine.start()
        assert engine.readiness.llm_failed
        before = len(engine.seen.of(Readiness))
        await engine.change(profiles=[profile_at(server, "Mine")])
        told = [(ready.llm, ready.llm_failed) for ready in engine.seen.of(Readiness)[before:]]
        assert told[0] == (False, False)
        assert told[-1] == (True, False)
        await engine.close()
