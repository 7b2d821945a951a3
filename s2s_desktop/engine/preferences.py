"""What the settings dialog asks of the engine: fulfils `conversation.preferences.Preferences`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from s2s_desktop.conversation.events import Notice
from s2s_desktop.conversation.preferences import (
    ConnectionStep,
    DeviceChoice,
    KeyState,
    ModelChoice,
    VoiceChoice,
)
from s2s_desktop.conversation.session import Session
from s2s_desktop.engine import diagnostics, model_use
from s2s_desktop.engine.endpoints import Endpoints
from s2s_desktop.engine.model_files import ModelFiles
from s2s_desktop.engine.part import Component, Part
from s2s_desktop.engine.saved_conversations import SavedConversations
from s2s_desktop.engine.settings_in_use import SettingsInUse
from s2s_desktop.engine.sound_check import SoundCheck
from s2s_desktop.errors import AssistantError
from s2s_desktop.models.catalog import find_model
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings import file as settings_file
from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Profile, Settings, SpeechServer
from s2s_desktop.settings.secrets import KeyStore

_COMPONENT_OF_ROLE = {"llm": Component.LLM, "stt": Component.TRANSCRIBER, "turn": Component.DETECTOR}


class EnginePreferences:
    """Settings that are saved and used at once, and everything around them.

    Args:
        in_use: The settings of this run.
        paths: The folders of this installation.
        keys: Where API keys are kept.
        store: The model files.
        session: Has the devices, and is told what happened.
        conversations: The saved conversations; None where they are not wanted.
        changed: Brings the engine to the settings in use, given those before (with the persona).
        load_again: Loads components anew whose settings are the same (another key, other files).
        on_device_problem: Told about devices, from any thread.
    """

    def __init__(
        self,
        *,
        in_use: SettingsInUse,
        paths: Paths,
        keys: KeyStore,
        store: ModelStore,
        session: Session,
        conversations: SavedConversations | None,
        changed: Callable[[Settings], Awaitable[None]],
        load_again: Callable[[Iterable[Component]], None],
        on_device_problem: Callable[[str], None],
    ) -> None:
        self._in_use = in_use
        self._paths = paths
        self._store = store
        self._session = session
        self._conversations = conversations
        self._changed = changed
        self._load_again = load_again
        self._saving = asyncio.Lock()
        self._endpoints = Endpoints(keys)
        self._files = ModelFiles(store, lambda: in_use.resolved, session.publish)
        self._sound = SoundCheck(session, store, keys, lambda: in_use.resolved, on_device_problem)

    # Settings

    @property
    def settings(self) -> Settings:
        """The settings in use, with profile and persona of the conversation. A copy."""
        return self._in_use.current

    def given_by(self, path: str) -> str:
        """Return what overrides a setting: an option of the command line, a variable, or nothing ("")."""
        settings = self._in_use.current
        if by := settings.given_by(path):
            return by
        if path == "profile.base_url":
            return Environment().base_url(settings.active_profile())[1]
        return ""

    async def apply(self, settings: Settings) -> None:
        """Save these settings and use them from the next turn on; returns when they are saved.

        Raises:
            AssistantError: INTERNAL; they could not be saved. They are used all the same.
        """
        async with self._saving:
            current, before = self._in_use.current, self._in_use.resolved
            self._in_use.change(settings)
            problem: AssistantError | None = None
            try:
                await asyncio.to_thread(self._save)
            except AssistantError as error:
                problem = error
            await self._changed(before)
            self._explain(current)
        if problem is not None:
            raise problem

    def _save(self) -> None:
        path = self._paths.settings_file
        settings_file.save(path, self._in_use.for_file(settings_file.load(path).settings))

    def _explain(self, before: Settings) -> None:
        """Say so when another voice has no effect because the persona brings its own."""
        after = self._in_use.current
        persona, chosen = after.active_persona(), after.speech.voice
        if persona is not None and persona.voice and chosen not in (before.speech.voice, persona.voice):
            self._session.publish(
                Notice(f"The persona “{persona.name}” speaks with a voice of its own. Change it there.")
            )

    # Language model

    def final_endpoint(self, profile: Profile) -> str:
        """Return the address that requests of a profile go to, or a sentence that says why there is none."""
        return self._endpoints.final_endpoint(profile)

    async def key_state(self, endpoint: Profile | SpeechServer) -> KeyState:
        """Say where the key of an endpoint is."""
        return await self._endpoints.key_state(endpoint)

    async def save_key(self, endpoint: Profile | SpeechServer, key: str, place: str) -> None:
        """Keep a key and use it at once."""
        await self._endpoints.save_key(endpoint, key, place)
        self._load_again(self._components_at(endpoint))

    async def delete_key(self, endpoint: Profile | SpeechServer) -> None:
        """Delete the key everywhere it was saved, and use it no longer."""
        try:
            await self._endpoints.delete_key(endpoint)
        finally:
            self._load_again(self._components_at(endpoint))

    async def model_names(self, endpoint: Profile | SpeechServer) -> tuple[str, ...]:
        """Ask the server which models it has."""
        return await self._endpoints.model_names(endpoint)

    def check_connection(self, profile: Profile) -> AsyncIterator[ConnectionStep]:
        """Try an endpoint step by step; costs the provider a few tokens."""
        return self._endpoints.check_connection(profile)

    def _components_at(self, endpoint: Profile | SpeechServer) -> list[Component]:
        """Return what in use sends the key of an endpoint."""
        settings = self._in_use.resolved
        servers: dict[Component, Profile | SpeechServer] = {}
        if not model_use.is_builtin(settings.active_profile()):
            servers[Component.LLM] = settings.active_profile()
        if settings.speech.stt_engine == "remote":
            servers[Component.TRANSCRIBER] = settings.speech.stt_server
        if settings.speech.tts_engine == "remote":
            servers[Component.VOICE] = settings.speech.tts_server
        host = self._endpoints.host_of(endpoint)
        return [component for component, server in servers.items() if self._endpoints.host_of(server) == host]

    # Voice and devices

    def voices(self) -> tuple[VoiceChoice, ...]:
        """Return the voices of the local engine."""
        return self._sound.voices()

    async def preview_voice(self, voice: str, speed: float) -> None:
        """Speak a sentence with a voice in its own language; returns when it has been heard."""
        await self._sound.preview_voice(voice, speed)

    async def devices(self) -> tuple[tuple[DeviceChoice, ...], tuple[DeviceChoice, ...]]:
        """Look for microphones and speakers anew and return them."""
        return await self._sound.devices()

    async def test_recording(self, seconds: float, on_level: Callable[[float, float], None]) -> None:
        """Record the microphone and play it back."""
        await self._sound.test_recording(seconds, on_level)

    # Model files

    async def models(self) -> tuple[ModelChoice, ...]:
        """Return the catalog with what is on this computer."""
        return await self._files.models()

    def models_folder(self) -> str:
        """Return the folder of the model files."""
        return str(self._paths.models)

    async def get_model(self, name: str) -> None:
        """Download a model; cancelling the task stops it and keeps what was received."""
        await self._files.get(name)
        if name in model_use.model_names(self._in_use.resolved, set(Part)):
            component = _COMPONENT_OF_ROLE.get(find_model(name).role, Component.VOICE)
            self._load_again([component])

    async def verify_model(self, name: str) -> str:
        """Check the files of a model against their checksums and return the finding as a sentence."""
        return await self._files.verify(name)

    async def remove_model(self, name: str) -> int:
        """Delete the files of a model and return the bytes freed."""
        return await self._files.remove(name)

    # Program

    async def diagnostics(self) -> str:
        """Return what helps to find a fault, without keys and without what was said."""
        return await asyncio.to_thread(diagnostics.report, self._in_use.resolved, self._paths, self._store)

    def logs_folder(self) -> str:
        """Return the folder of the logs."""
        return str(self._paths.logs)

    async def usage(self) -> str:
        """Return how many tokens were used in all, as a sentence."""
        if self._conversations is None:
            return "No conversations are saved here, so nothing was counted."
        used = await self._conversations.usage()
        total = used.input_tokens + used.output_tokens
        if not total:
            return "No tokens have been counted in the saved conversations."
        return (
            f"{total:,} tokens in the saved conversations: {used.input_tokens:,} read and "
            f"{used.output_tokens:,} written by language models."
        )
