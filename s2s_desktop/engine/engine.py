"""The engine: a session and the stages behind it, fetched, loaded and closed in the right order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from s2s_desktop.audio.protocol import AudioSink, Samples
from s2s_desktop.conversation.events import ModelProgress, Notice, Observer, Readiness
from s2s_desktop.conversation.session import Session
from s2s_desktop.conversation.speaking import Speaking
from s2s_desktop.conversation.stages import LanguageModel
from s2s_desktop.engine import build
from s2s_desktop.engine.idle_work import IdleWork
from s2s_desktop.engine.language_model import BuiltinLanguageModel, RemoteLanguageModel
from s2s_desktop.engine.part import Part
from s2s_desktop.engine.saved_conversations import SavedConversations
from s2s_desktop.engine.summariser import Summariser
from s2s_desktop.engine.title_writer import TitleWriter
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.catalog import find_model
from s2s_desktop.models.progress import DownloadProgress
from s2s_desktop.models.store import ModelStore
from s2s_desktop.runtime.tasks import TaskGroup
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.stt.protocol import FinalTranscript

_log = logging.getLogger(__name__)

OnDownload = Callable[[DownloadProgress], None]


class Engine:
    """Owns the session and everything that must be closed with it.

    Args:
        settings: The settings with every override applied.
        paths: The folders of this installation.
        parts: What is wanted.
        sink: Where the voice goes; None opens the speaker of the settings.
        tools: Whether the model may call the built-in tools.
        keys: Where API keys are found; None makes the store of this installation.
        conversations: Save what is said, as far as the settings say so, and offer what was saved.

    Attributes:
        session: Runs the turns.
        conversations: The saved conversations; None where they are not wanted.
    """

    def __init__(
        self,
        settings: Settings,
        paths: Paths,
        *,
        parts: Iterable[Part],
        sink: AudioSink | None = None,
        tools: bool = True,
        keys: KeyStore | None = None,
        conversations: bool = False,
    ) -> None:
        self._settings = settings
        self._paths = paths
        self._parts = frozenset(parts)
        self._store = ModelStore(paths)
        self._keys = keys or KeyStore(paths.settings_file.parent)
        self._tasks = TaskGroup()
        self._language_model: BuiltinLanguageModel | RemoteLanguageModel | None = None
        self._loop = asyncio.get_running_loop()
        self._stages = build.stages(
            settings,
            sink=sink,
            tools=build.tools(settings) if tools else None,
            on_problem=self._device_problem,
        )
        history = build.history(settings, compacts=conversations and settings.assistant.compact_history)
        self.session = Session(self._stages, history, build.behaviour(settings))
        self.conversations = SavedConversations(settings, paths, self.session) if conversations else None
        self._idle_work: list[IdleWork] = []
        if self.conversations is not None:
            self._idle_work.append(TitleWriter(self.conversations, self._model_with_time))
            if history.compacts:
                self._idle_work.append(Summariser(self.conversations, history, self._model_with_time))
            for work in self._idle_work:
                self.session.add_observer(work)

    # Commands of the window

    def add_observer(self, observer: Observer) -> None:
        """Send every event from now on to `observer`."""
        self.session.add_observer(observer)

    def send_text(self, text: str) -> None:
        """Begin a turn with a typed message."""
        self.session.send_text(text)

    def set_microphone(self, on: bool) -> None:
        """Listen, or stop listening."""
        self.session.set_microphone(on)

    def stop_reply(self) -> None:
        """Silence the voice and end the reply at once."""
        self.session.stop_reply()

    def fetch_better_model(self) -> None:
        """Download the recommended language model and use it from then on."""
        self._tasks.start(self._use_better_model(), "better model")

    # Life

    async def prepare(self, on_download: OnDownload | None = None) -> None:
        """Fetch and load every wanted part.

        Raises:
            AssistantError: A part cannot be had; says what to do.
        """
        names = build.model_names(self._settings, self._parts)
        await self._store.ensure_async(names, on_download)
        await asyncio.gather(*(self._load(part) for part in sorted(self._parts)))

    def prepare_in_background(self) -> None:
        """Fetch and load every wanted part, the language model first, so that typed chat works soonest.

        What goes wrong with one part is told to the observers and leaves the others alone.
        """
        self._publish_readiness()
        if self.conversations is not None:
            self._tasks.start(self.conversations.store.open(), "open conversations")
        self._tasks.start(self._prepare_parts(), "prepare")

    async def transcribe(self, audio: Samples) -> FinalTranscript:
        """Transcribe a whole recording: float32, 16 kHz mono.

        Raises:
            AssistantError: The speech recognition failed or was not wanted.
        """
        transcriber = self._stages.transcriber
        if transcriber is None:
            raise AssistantError(ErrorKind.MODEL_MISSING, "Speech recognition is not ready.")
        language = self._settings.speech.stt_language
        return await self._stages.stt_worker.run(lambda: transcriber.transcribe(audio, language))

    async def speak(self, text: str) -> str:
        """Speak a text into the sink and return what was said, once it has been heard.

        Raises:
            AssistantError: The voice failed or was not wanted.
        """
        if self._stages.synthesizer is None or self._stages.sink is None:
            raise AssistantError(ErrorKind.MODEL_MISSING, "The voice is not ready.")
        said: list[str] = []
        speaking = Speaking(
            synthesizer=self._stages.synthesizer,
            worker=self._stages.tts_worker,
            sink=self._stages.sink,
            speakable=self._stages.make_speakable(),
            clauses=self._stages.make_clauses(),
            on_voice=lambda chunk: said.append(chunk.text.strip()),
            on_heard=lambda heard: None,
        )
        speaking.say(text)
        speaking.finish()
        await speaking.run()
        return " ".join(said)

    async def close(self) -> None:
        """End everything: session first, then conversations and the language model. Idempotent."""
        await self._tasks.cancel_all()
        for work in self._idle_work:
            await work.close()
        try:
            await self.session.close()
        finally:
            await asyncio.gather(self._close_conversations(), self._close_language_model())

    async def _close_conversations(self) -> None:
        if self.conversations is not None:
            await self.conversations.store.close()

    async def _close_language_model(self) -> None:
        model, self._language_model = self._language_model, None
        if model is not None:
            await model.close()

    def _model_with_time(self) -> LanguageModel | None:
        """Return the model for work beside the conversation: none where it is the trial model."""
        trial = build.is_trial(self._settings.active_profile())
        return None if trial else self._stages.language_model

    async def _prepare_parts(self) -> None:
        loading: list[asyncio.Task[None]] = []
        for part in (Part.LLM, Part.HEARING, Part.VOICE):
            if part in self._parts:
                try:
                    names = build.model_names(self._settings, {part})
                    await self._store.ensure_async(names, self._download_progressed)
                except AssistantError as error:
                    self._part_failed(part, error)
                    continue
                loading.append(self._tasks.start(self._load_in_background(part), f"load {part}"))
        await asyncio.gather(*loading)

    async def _load_in_background(self, part: Part) -> None:
        title = _TITLES[part]
        self.session.publish(ModelProgress(title, text=f"Loading {title.lower()}…"))
        try:
            await self._load(part)
        except AssistantError as error:
            self._part_failed(part, error)
            return
        self.session.publish(ModelProgress(title))
        self._publish_readiness()

    async def _load(self, part: Part) -> None:
        match part:
            case Part.LLM:
                await self._load_language_model(self._settings)
            case Part.HEARING:
                if not build.hears(self._settings.active_profile()):
                    transcriber = build.transcriber(self._settings, self._store)
                    await self._stages.stt_worker.run(transcriber.load)
                    self._stages.transcriber = transcriber
                self._stages.make_detector = await self._stages.stt_worker.run(
                    lambda: build.detector_factory(self._settings)
                )
            case Part.VOICE:
                synthesizer = build.synthesizer(self._settings, self._store)
                await self._stages.tts_worker.run(synthesizer.load)
                await self._open_speaker()
                self._stages.synthesizer = synthesizer

    async def _open_speaker(self) -> None:
        if self._stages.sink is None:
            try:
                sink = build.speaker(self._settings, self._device_problem)
                await self._stages.tts_worker.run(sink.start)
            except AssistantError as error:
                self.session.publish(Notice(f"{error.message} Replies are shown and not spoken."))
                return
            self._stages.sink = sink

    def _device_problem(self, sentence: str) -> None:
        """Called on threads of the sound card."""
        self._loop.call_soon_threadsafe(self.session.publish, Notice(sentence))

    async def _load_language_model(self, settings: Settings) -> None:
        model = await build.language_model(settings, self._store, self._paths, self._keys)
        try:
            await model.backend()
            if isinstance(model, BuiltinLanguageModel):
                await model.warm_up(build.warm_up_items(settings))
        except AssistantError:
            await model.close()
            raise
        before, self._language_model = self._language_model, model
        self._stages.language_model = model
        if before is not None:
            await before.close()

    async def _use_better_model(self) -> None:
        better = build.better_model(self._settings)
        if better is None:
            self.session.publish(
                Notice("This computer runs the trial model best. For better answers, choose a provider.")
            )
            return
        settings = self._settings.model_copy(deep=True)
        profile = settings.active_profile()
        profile.model = better
        try:
            await self._store.ensure_async([better], self._download_progressed)
            await self._load_language_model(settings)
        except AssistantError as error:
            self._part_failed(Part.LLM, error)
            return
        self._settings = settings
        if self.conversations is not None:
            self.conversations.use_profile(profile.name)
        self._stages.tools = build.tools(settings)
        self.session.behave(build.behaviour(settings), build.priming(settings))
        self._publish_readiness()

    def _part_failed(self, part: Part, error: AssistantError) -> None:
        _log.error("%s: %s (%s)", part, error.message, error.details)
        self.session.publish(ModelProgress(_TITLES[part], error=error.message))
        self._publish_readiness()

    def _download_progressed(self, progress: DownloadProgress) -> None:
        done = progress.done_bytes >= progress.total_bytes
        text = "" if done else progress.note or f"Downloading from {progress.source or 'the internet'}"
        self.session.publish(ModelProgress(progress.title, progress.done_bytes, progress.total_bytes, text))

    def _publish_readiness(self) -> None:
        profile = self._settings.active_profile()
        builtin = build.is_builtin(profile)
        name = find_model(profile.model).title if builtin else profile.model
        self.session.publish(
            Readiness(
                hearing=self._stages.make_detector is not None,
                voice=self._stages.synthesizer is not None and self._stages.sink is not None,
                llm=self._stages.language_model is not None,
                model_name=f"{'Built-in' if builtin else profile.name} · {name}",
                trial_model=build.is_trial(profile),
            )
        )


_TITLES = {Part.LLM: "Language model", Part.HEARING: "Speech recognition", Part.VOICE: "Voice"}
