"""The engine: a session and what belongs to it, put together and closed in the right order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from typing import Any

from s2s_desktop.audio.echo_memory import EchoMemory
from s2s_desktop.audio.protocol import AudioSink, Samples
from s2s_desktop.conversation.events import Notice, Observer, Readiness, SettingsChanged
from s2s_desktop.conversation.session import Session
from s2s_desktop.conversation.stages import LanguageModel
from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.engine import build, model_use
from s2s_desktop.engine.components import microphone_needs, needs
from s2s_desktop.engine.first_measurement import measure_hearing
from s2s_desktop.engine.idle_work import IdleWork
from s2s_desktop.engine.message_actions import MessageActions
from s2s_desktop.engine.part import Component, Part
from s2s_desktop.engine.parts import OnDownload, Parts
from s2s_desktop.engine.preferences import EnginePreferences
from s2s_desktop.engine.saved_conversations import SavedConversations
from s2s_desktop.engine.settings_in_use import Choice, SettingsInUse, with_profile
from s2s_desktop.engine.summarizer import Summarizer
from s2s_desktop.engine.title_writer import TitleWriter
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.store import ModelStore
from s2s_desktop.runtime.tasks import TaskGroup
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import BUILT_IN, Settings
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.stt.protocol import FinalTranscript

_log = logging.getLogger(__name__)


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
        preferences: What the settings dialog asks for.
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
        self._in_use = SettingsInUse(settings)
        self._wanted = frozenset(parts)
        self._tools = tools
        self._loop = asyncio.get_running_loop()
        self._tasks = TaskGroup()
        resolved = self._in_use.resolved
        store, keys = ModelStore(paths), keys or KeyStore(paths.settings_file.parent)
        self._store = store
        self._echoes = EchoMemory(paths.state / "echo.json")
        self._stages = build.stages(
            lambda: self._in_use.resolved,
            sink=sink,
            echoes=self._echoes,
            tools=build.tools(resolved) if tools else None,
            on_problem=self._device_problem,
        )
        self._history = build.history(resolved, compacts=conversations and resolved.assistant.compact_history)
        self.session = Session(self._stages, self._history, build.behavior(resolved))
        self._parts = Parts(
            self._stages,
            store,
            paths,
            keys,
            parts=self._wanted,
            publish=self.session.publish,
            idle=self.session.settled,
            on_loaded=self._part_loaded,
            on_device_problem=self._device_problem,
        )
        self.conversations = self._saved(paths) if conversations else None
        self._actions = MessageActions(self.session, self._history, self.conversations)
        self.session.add_observer(self._actions)
        self.preferences = EnginePreferences(
            in_use=self._in_use,
            paths=paths,
            keys=keys,
            store=store,
            session=self.session,
            conversations=self.conversations,
            changed=self._settings_changed,
            load_again=self._load,
            on_device_problem=self._device_problem,
        )
        self._idle_work: list[IdleWork] = []
        if self.conversations is not None:
            self._idle_work = [
                TitleWriter(self.conversations, self._model_with_time),
                Summarizer(self.conversations, self._history, self._model_with_time),
            ]
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

    def push_to_talk(self, pressed: bool) -> None:
        """Begin or end a turn by hand."""
        self.session.push_to_talk(pressed)

    def stop_reply(self) -> None:
        """Silence the voice and end the reply at once."""
        self.session.stop_reply()

    def regenerate(self) -> None:
        """Answer the last message of the user anew."""
        self._start(self._actions.regenerate(), "regenerate")

    def edit_and_resend(self, turn: int, text: str) -> None:
        """Take back a turn and all that followed, and send a text in its place."""
        self._start(self._actions.edit_and_resend(turn, text), "edit and resend")

    def delete_turn(self, turn: int) -> None:
        """Take a turn out of the conversation."""
        self._start(self._actions.delete_turn(turn), "delete turn")

    def fetch_better_model(self) -> None:
        """Use the recommended language model from now on; it is downloaded first."""
        self._start(self._use_better_model(), "better model")

    # Life

    async def prepare(self, on_download: OnDownload | None = None) -> None:
        """Fetch and load every wanted part.

        Raises:
            AssistantError: A part cannot be had; says what to do.
        """
        await self._parts.load_all(self._in_use.resolved, on_download)

    def prepare_in_background(self) -> None:
        """Fetch and load every wanted part, the language model first, so that typed chat works soonest.

        What goes wrong with one part is told to the observers and leaves the others alone.
        """
        self._publish_readiness()
        if self.conversations is not None:
            self._start(self.conversations.store.open(), "open conversations")
        self._parts.use(self._in_use.resolved)
        if Part.HEARING in self._wanted:
            self._start(self._measure_once(), "first measurement")

    async def _measure_once(self) -> None:
        """Find out how this computer runs speech recognition fastest, at the first start."""
        await self._parts.settled()
        if self._stages.transcriber is None:
            return
        found = await measure_hearing(
            self._parts.calibration, lambda: self._in_use.resolved, self._store, self.session
        )
        if found:
            self._load(again=[Component.TRANSCRIBER])

    async def transcribe(self, audio: Samples) -> FinalTranscript:
        """Transcribe a whole recording: float32, 16 kHz mono.

        Raises:
            AssistantError: The speech recognition failed or was not wanted.
        """
        transcriber = self._stages.transcriber
        if transcriber is None:
            raise AssistantError(ErrorKind.MODEL_MISSING, "Speech recognition is not ready.")
        language = self._in_use.resolved.speech.stt_language
        return await self._stages.stt_worker.run(lambda: transcriber.transcribe(audio, language))

    async def speak(self, text: str) -> str:
        """Speak a text into the sink and return what was said, once it has been heard.

        Raises:
            AssistantError: The voice failed or was not wanted.
        """
        return await self.session.speak(text)

    async def close(self) -> None:
        """End everything: session first, then conversations and the language model. Idempotent."""
        await self._tasks.cancel_all()
        for work in self._idle_work:
            await work.close()
        try:
            await self.session.close()
        finally:
            echoes = asyncio.to_thread(self._echoes.save)
            await asyncio.gather(self._close_conversations(), self._parts.close(), echoes)

    async def _close_conversations(self) -> None:
        if self.conversations is not None:
            await self.conversations.store.close()

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        async def told() -> None:
            try:
                await work
            except AssistantError as error:
                _log.error("%s: %s (%s)", name, error.message, error.details)
                self.session.publish(Notice(error.message))

        self._tasks.start(told(), name)

    def _saved(self, paths: Paths) -> SavedConversations:
        return SavedConversations(
            self._in_use.current,
            paths,
            self.session,
            self._history,
            choose=self._choose,
            on_kept=self._kept,
        )

    # Settings

    async def _settings_changed(self, before: Settings) -> None:
        """Use what the settings say by now."""
        self._use(before)
        self.session.publish(SettingsChanged())
        if self.conversations is not None:
            await self.conversations.use(self._in_use.current)
            await self.conversations.belong(self._in_use.choice)

    def _choose(self, conversation: Conversation | None) -> Choice:
        """Use profile and persona of a conversation that is about to be opened."""
        before = self._in_use.resolved
        if conversation is None:
            self._in_use.begin()
        elif notice := self._in_use.go_on(conversation.profile, conversation.persona):
            self.session.publish(Notice(notice))
        if self._use(before):
            self.session.publish(SettingsChanged())
        return self._in_use.choice

    def _kept(self, on: bool) -> None:
        self._in_use.keep(on)
        self.session.publish(SettingsChanged())

    def _use(self, before: Settings) -> bool:
        """Bring everything to the settings in use.

        Args:
            before: What was in use, with the persona.

        Returns:
            Whether that is different.
        """
        settings = self._in_use.resolved
        if settings == before:
            return False
        self._history.chat_size = settings.assistant.chat_size
        self._history.compacts = self.conversations is not None and settings.assistant.compact_history
        self._behave()
        self._load()
        if microphone_needs(settings) != microphone_needs(before):
            self._tasks.start(self._reopen_microphone(), "reopen microphone")
        return True

    async def _reopen_microphone(self) -> None:
        """Open the microphone anew between two turns, if it is open."""
        await self.session.settled()
        self.session.reopen_microphone()

    def _load(self, again: Iterable[Component] = ()) -> None:
        """Load what the settings in use ask for, and these although their settings are the same."""
        failed = self._parts.failed(Component.LLM)
        self._parts.use(self._in_use.resolved, again)
        if failed:
            self._publish_readiness()

    def _behave(self) -> None:
        """Behave as the settings say, and as suits the language model that answers."""
        settings = self._answered_settings()
        self._history.audio_history_turns = settings.active_profile().audio_history_turns
        self._stages.tools = build.tools(settings) if self._tools else None
        self.session.behave(build.behavior(settings), build.priming(settings))
        if self.conversations is not None:
            self.conversations.use_profile(settings.active_profile().name)

    def _answered_settings(self) -> Settings:
        """The settings with the profile that answers: until another one is loaded, the one before."""
        settings, answering = self._in_use.resolved, self._parts.answering
        if answering is None or needs(Component.LLM, settings) == needs(
            Component.LLM, with_profile(settings, answering)
        ):
            return settings
        return with_profile(settings, answering)

    async def _use_better_model(self) -> None:
        better = model_use.better_model(self._in_use.resolved)
        if better is None:
            self.session.publish(
                Notice("This computer runs the trial model best. For better answers, choose a provider.")
            )
            return
        await self.preferences.get_model(better)
        settings = self.preferences.settings
        model_use.builtin_profile(settings).model = better
        settings.profile = BUILT_IN
        await self.preferences.apply(settings)

    # What observers see

    def _part_loaded(self, component: Component) -> None:
        if component is Component.LLM:
            self._behave()
        if component is Component.DETECTOR:
            self._tasks.start(self._reopen_microphone(), "reopen microphone")
        self._publish_readiness()

    def _device_problem(self, sentence: str) -> None:
        """Called on threads of the sound card."""
        self._loop.call_soon_threadsafe(self.session.publish, Notice(sentence))

    def _model_with_time(self) -> LanguageModel | None:
        """Return the model for work beside the conversation: none where it is the trial model."""
        trial = model_use.is_trial(self._answered_settings().active_profile())
        return None if trial else self._stages.language_model

    def _publish_readiness(self) -> None:
        stages, profile = self._stages, self._answered_settings().active_profile()
        self.session.publish(
            Readiness(
                hearing=stages.make_detector is not None
                and (stages.transcriber is not None or model_use.hears(profile)),
                voice=stages.synthesizer is not None and stages.sink is not None,
                llm=stages.language_model is not None,
                model_name=model_use.model_title(profile),
                trial_model=model_use.is_trial(profile),
                llm_failed=stages.language_model is None and self._parts.failed(Component.LLM),
            )
        )
