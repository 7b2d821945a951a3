"""Devices, a test recording and a taste of a voice, for the settings dialog."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import numpy as np

from s2s_desktop.audio.level import measure_level
from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, AudioSink, Samples
from s2s_desktop.conversation.events import Event, MicrophoneChanged, State, TurnId
from s2s_desktop.conversation.preferences import DeviceChoice, VoiceChoice
from s2s_desktop.conversation.session import Session
from s2s_desktop.engine import sound
from s2s_desktop.engine.announcement import announce, play_out
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.store import ModelStore
from s2s_desktop.runtime.tasks import to_thread_and_back
from s2s_desktop.settings.schema import Settings
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.tts.voices import VOICES, language_of

SAMPLE_SENTENCES = {
    "en": "Hello! This is how I sound when we talk.",
    "es": "¡Hola! Así sueno cuando hablamos.",
    "fr": "Bonjour ! Voici ma voix quand nous parlons.",
    "hi": "नमस्ते! हमारी बातचीत में मेरी आवाज़ ऐसी होगी।",
    "it": "Ciao! Ecco come suono quando parliamo.",
    "ja": "こんにちは。お話しするときは、こんな声です。",
    "pt": "Olá! É assim que eu soo quando conversamos.",
    "zh": "你好！我们聊天的时候，我的声音就是这样。",
}
"""What a voice says of itself, by ISO 639-1."""

_MAX_RECORDING_S = 60.0


class SoundCheck:
    """Uses speaker and microphone beside the conversation, which meanwhile hears nothing.

    Args:
        session: Has the speaker and the microphone.
        store: The model files.
        keys: Where API keys are found.
        settings: Gives the settings in use.
        on_problem: Told about devices, from any thread.
    """

    def __init__(
        self,
        session: Session,
        store: ModelStore,
        keys: KeyStore,
        settings: Callable[[], Settings],
        on_problem: Callable[[str], None],
    ) -> None:
        self._session = session
        self._store = store
        self._keys = keys
        self._settings = settings
        self._on_problem = on_problem
        self._preview: asyncio.Task[None] | None = None
        self._using_sound = asyncio.Lock()
        self._closed_microphone = asyncio.Event()
        session.add_observer(self._observe)

    async def devices(self) -> tuple[tuple[DeviceChoice, ...], tuple[DeviceChoice, ...]]:
        """Look for microphones and speakers anew and return them.

        PortAudio sees new ones only while no device is open. A speaker that is silent is closed for that
        moment; while the microphone is on or a reply is heard, new devices are not seen.

        Raises:
            AssistantError: DEVICE; the sound system does not answer.
        """
        from s2s_desktop.audio import devices

        async with self._using_sound:
            if not await asyncio.to_thread(devices.refresh) and not self._session.microphone_on:
                await self._refresh_without_speaker(devices.refresh)
            found = await asyncio.to_thread(devices.list_devices)
        return (
            tuple(DeviceChoice(each.label, each.default_input) for each in found if each.inputs),
            tuple(DeviceChoice(each.label, each.default_output) for each in found if each.outputs),
        )

    async def _refresh_without_speaker(self, refresh: Callable[[], bool]) -> None:
        sink = self._session.stages.sink
        if sink is None or self._session.state not in (State.IDLE, State.INTERRUPTED, State.ERROR):
            return
        await asyncio.to_thread(sink.stop)
        try:
            await asyncio.to_thread(refresh)
        finally:
            await to_thread_and_back(sink.start)

    def voices(self) -> tuple[VoiceChoice, ...]:
        """Return the voices of the local engine."""
        return tuple(VoiceChoice(voice.name, voice.title, voice.language.code) for voice in VOICES.values())

    async def preview_voice(self, voice: str, speed: float) -> None:
        """Speak a sentence with a voice; returns when it has been heard, or a new preview has begun.

        Raises:
            AssistantError: The voice cannot be loaded, or there is no speaker.
        """
        before = self._preview
        if before is not None:
            before.cancel()
        preview = self._preview = asyncio.ensure_future(self._preview_voice(voice, speed))
        try:
            await asyncio.wait([preview])
        finally:
            preview.cancel()
        if not preview.cancelled():
            preview.result()

    async def _preview_voice(self, voice: str, speed: float) -> None:
        settings = self._settings().model_copy(deep=True)
        settings.speech.speed = speed
        if settings.speech.tts_engine == "remote":
            settings.speech.tts_server.voice = voice
        else:
            settings.speech.voice = voice
        worker, speaking = self._session.stages.tts_worker, self._session.stages.synthesizer
        synthesizer = await sound.synthesizer(settings, self._store, self._keys, speaking)
        async with self._alone(), self._speaker() as sink:
            try:
                await worker.run(synthesizer.load)
                await announce(_sentence(voice), synthesizer, worker, sink)
            finally:
                await worker.run(synthesizer.close)

    async def test_recording(self, seconds: float, on_level: Callable[[float, float], None]) -> None:
        """Record the microphone and play it back.

        Args:
            seconds: Length of the recording, up to a minute.
            on_level: Called on the loop with RMS and peak in dBFS while recording.

        Raises:
            AssistantError: DEVICE; the microphone or the speaker cannot be used.
        """
        seconds = min(max(seconds, 0.0), _MAX_RECORDING_S)
        async with self._alone():
            recording = await self._record(seconds, on_level)
            if not recording.size:
                raise AssistantError(ErrorKind.DEVICE, "The microphone sent no sound. Check its mute switch.")
            async with self._speaker() as sink:
                await play_out(recording, PIPELINE_RATE, sink)

    async def _record(self, seconds: float, on_level: Callable[[float, float], None]) -> Samples:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[str] = loop.create_future()
        blocks: list[Samples] = []
        wanted, count = round(seconds * PIPELINE_RATE), 0

        def end(problem: str) -> None:
            if not ended.done():
                ended.set_result(problem)

        def take(block: AudioBlock) -> None:
            """On the thread of the microphone."""
            nonlocal count
            blocks.append(block.samples)
            count += block.samples.size
            level = measure_level(block.samples)
            loop.call_soon_threadsafe(on_level, level.rms_dbfs, level.peak_dbfs)
            if count >= wanted:
                loop.call_soon_threadsafe(end, "")

        def source_ended(problem: str) -> None:
            """On the thread of the microphone."""
            loop.call_soon_threadsafe(end, problem)

        source = self._session.stages.make_source()
        try:
            await to_thread_and_back(source.start, take, source_ended)
            problem = await ended
        finally:
            await asyncio.to_thread(source.stop)
        if problem:
            raise AssistantError(ErrorKind.DEVICE, problem)
        return np.concatenate([*blocks, np.zeros(0, np.float32)])[:wanted]

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Let nobody else use sound: a reply ends, and the conversation does not listen meanwhile."""
        session = self._session
        async with self._using_sound:
            session.stop_reply()
            await session.settled()
            listened = session.microphone_on
            if listened:
                self._closed_microphone.clear()
                session.set_microphone(False)
                await self._closed_microphone.wait()
            try:
                yield
            finally:
                if listened:
                    session.set_microphone(True)

    @asynccontextmanager
    async def _speaker(self) -> AsyncIterator[AudioSink]:
        """Give the speaker of the conversation, or open one as long as it has none."""
        sink = self._session.stages.sink
        if sink is not None:
            yield sink
            return
        own = sound.speaker(self._settings(), self._on_problem)
        try:
            await to_thread_and_back(own.start)
            yield own
        finally:
            await asyncio.to_thread(own.stop)

    def _observe(self, turn: TurnId | None, event: Event) -> None:
        if isinstance(event, MicrophoneChanged) and not event.on:
            self._closed_microphone.set()


def _sentence(voice: str) -> str:
    """Return what a voice or a blend says; one that cannot be used is refused when it is loaded."""
    try:
        return SAMPLE_SENTENCES[language_of(voice).code]
    except AssistantError:
        return SAMPLE_SENTENCES["en"]
