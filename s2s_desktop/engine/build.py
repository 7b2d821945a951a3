"""Makes each stage from the settings; engines are imported only when they are made."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import psutil

from s2s_desktop.audio.protocol import AudioSink, AudioSource
from s2s_desktop.conversation.hearing import TurnDetector
from s2s_desktop.conversation.session import Behaviour
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.engine.language_model import BuiltinLanguageModel, RemoteLanguageModel, backend_config
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm import prompts
from s2s_desktop.llm.config import BackendConfig
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.http.endpoint import normalize_base_url
from s2s_desktop.llm.http.negotiation import Quirks
from s2s_desktop.llm.items import Item, UserMessage
from s2s_desktop.llm.tools.runner import ToolRunner, built_in_tools
from s2s_desktop.models.catalog import CATALOG, recommend_llm
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import BUILT_IN, Profile, Settings
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.stt.protocol import Transcriber
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.protocol import Synthesizer
from s2s_desktop.tts.speakable_text import SpeakableText

TRIAL_MODEL = "smollm2-135m"
VOICE_MODEL = "kokoro-82m"


def is_builtin(profile: Profile) -> bool:
    """Return whether a profile runs its model on this computer."""
    return profile.name == BUILT_IN


def is_trial(profile: Profile) -> bool:
    """Return whether a profile runs the small trial model."""
    return is_builtin(profile) and profile.model == TRIAL_MODEL


def hears(profile: Profile) -> bool:
    """Return whether the model of a profile is sent speech as sound; only chat-completions can carry it."""
    return profile.audio_input and profile.backend == "chat-completions" and not is_builtin(profile)


def model_names(settings: Settings, parts: Iterable[Part]) -> list[str]:
    """Return the catalog names of the model files that `parts` need, the language model first."""
    parts = set(parts)
    names = []
    profile = settings.active_profile()
    if Part.LLM in parts and is_builtin(profile):
        names.append(profile.model)
    if Part.HEARING in parts and not hears(profile) and not _is_folder(settings.speech.stt_model):
        names.append(settings.speech.stt_model)
    if Part.VOICE in parts:
        names.append(VOICE_MODEL)
    return names


def history(settings: Settings, *, compacts: bool = False) -> History:
    """Return an empty history; see `History` for `compacts`."""
    profile = settings.active_profile()
    return History(
        chat_size=settings.assistant.chat_size,
        audio_history_turns=profile.audio_history_turns,
        priming=priming(settings),
        compacts=compacts,
    )


def warm_up_items(settings: Settings) -> list[Item]:
    """Return a shortest conversation, which begins like every one with these settings."""
    beginning = history(settings)
    beginning.begin_turn(UserMessage.of("Hello"))
    return beginning.items(behaviour(settings).system_prompt)


def priming(settings: Settings) -> tuple[Item, ...]:
    """Return the example exchanges that the model of the active profile needs ahead of a conversation."""
    return prompts.TRIAL_MODEL_PRIMING if is_trial(settings.active_profile()) else ()


def tools(settings: Settings) -> ToolRunner | None:
    """Return the tools to offer: none where they are off, none to the trial model, which misuses them."""
    if not settings.assistant.tools or is_trial(settings.active_profile()):
        return None
    return ToolRunner(built_in_tools())


def behaviour(settings: Settings) -> Behaviour:
    """Return how the conversation behaves."""
    profile = settings.active_profile()
    default = prompts.TRIAL_MODEL_PROMPT if is_trial(profile) else prompts.VOICE_PROMPT
    return Behaviour(
        system_prompt=settings.assistant.system_prompt or default,
        stt_language=settings.speech.stt_language,
        language_prompt=settings.assistant.language_prompt,
        audio_input=hears(profile),
    )


def stages(
    settings: Settings,
    *,
    sink: AudioSink | None,
    tools: ToolRunner | None,
    on_problem: Callable[[str], None],
) -> Stages:
    """Return the stages with nothing loaded yet; `on_problem` may be called from any thread."""
    return Stages(
        make_source=lambda: microphone(settings, on_problem),
        make_speakable=SpeakableText,
        make_clauses=ClauseSplitter,
        sink=sink,
        tools=tools,
    )


def microphone(settings: Settings, on_problem: Callable[[str], None]) -> AudioSource:
    """Return the microphone of the settings, not opened; `on_problem` may be called from any thread."""
    from s2s_desktop.audio.microphone import PortAudioMicrophone

    return PortAudioMicrophone(settings.audio.input_device, on_problem=on_problem)


def speaker(settings: Settings, on_problem: Callable[[str], None]) -> AudioSink:
    """Return the speaker of the settings, not opened; `on_problem` may be called from any thread."""
    from s2s_desktop.audio.speaker import PortAudioSpeaker

    return PortAudioSpeaker(settings.audio.output_device, on_problem=on_problem)


def detector_factory(settings: Settings) -> Callable[[], TurnDetector]:
    """Load the VAD model and return what makes the turn detector of a source.

    Raises:
        AssistantError: MODEL_MISSING.
    """
    from s2s_desktop.vad.endpointing import Endpointer
    from s2s_desktop.vad.silero import SileroDetector

    silero, audio = SileroDetector(), settings.audio
    return lambda: Endpointer(
        silero,
        threshold=audio.vad_threshold,
        pause_ms=audio.pause_ms,
        min_speech_ms=audio.min_speech_ms,
        pre_roll_ms=audio.pre_roll_ms,
    )


def transcriber(settings: Settings, store: ModelStore) -> Transcriber:
    """Return the speech recognition of the settings, not loaded.

    Raises:
        AssistantError: MODEL_MISSING.
    """
    from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber

    name = settings.speech.stt_model
    folder = Path(name).expanduser() if _is_folder(name) else store.folder(name)
    return FasterWhisperTranscriber(folder)


def synthesizer(settings: Settings, store: ModelStore) -> Synthesizer:
    """Return the voice of the settings, not loaded.

    Raises:
        AssistantError: MODEL_MISSING.
    """
    from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer

    model = store.file(VOICE_MODEL, "kokoro-v1.0.int8.onnx")
    return KokoroSynthesizer(model, voice=settings.speech.voice, speed=settings.speech.speed)


async def language_model(
    settings: Settings, store: ModelStore, paths: Paths, keys: KeyStore
) -> BuiltinLanguageModel | RemoteLanguageModel:
    """Return the language model of the active profile; nothing is started or asked yet.

    Raises:
        AssistantError: The profile cannot be used; says why and what to do.
    """
    profile = settings.active_profile()
    quirks = Quirks(paths.state / "server_quirks.json")
    if is_builtin(profile):
        from s2s_desktop.llm.builtin.server import BuiltinServer

        model = next(
            (model for model in CATALOG if model.name == profile.model and model.role == "llm"), None
        )
        if model is None:
            known = ", ".join(model.name for model in CATALOG if model.role == "llm")
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                f"There is no built-in model “{profile.model}”. Choose one of: {known}.",
            )
        file = store.file(model.name, model.files[0].name)
        server = BuiltinServer(file, paths.logs / "builtin-llm.log")
        if is_trial(profile):
            profile = profile.model_copy(update=prompts.TRIAL_MODEL_OPTIONS)
            return BuiltinLanguageModel(server, profile, prompts.TRIAL_MODEL_EXTRA_BODY, quirks)
        return BuiltinLanguageModel(server, profile, {}, quirks)
    profile, config = await endpoint(settings, keys)
    return RemoteLanguageModel(profile, config, quirks)


async def endpoint(settings: Settings, keys: KeyStore) -> tuple[Profile, BackendConfig]:
    """Return the active profile and its endpoint, with its key and what the environment says about it.

    Raises:
        AssistantError: AUTH; a place where the key may be could not be searched.
    """
    profile = settings.active_profile()
    base_url, _ = Environment().base_url(profile)
    address = normalize_base_url(base_url, profile.backend)
    if address.is_local:  # needs no key, so a locked key store is no reason to stop
        key = (await keys.find(address.host, profile)).value
    else:
        key = await keys.key_for(address.host, profile)
    return profile, replace(backend_config(profile, key), base_url=base_url)


def better_model(settings: Settings) -> str | None:
    """Return the language model that this machine should run, or None when it runs it already."""
    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    recommended = recommend_llm(psutil.virtual_memory().total, cores).name
    profile = settings.active_profile()
    return None if is_builtin(profile) and profile.model == recommended else recommended


def _is_folder(name: str) -> bool:
    return os.sep in name or Path(name).expanduser().is_dir()
