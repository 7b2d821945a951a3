"""Makes each stage from the settings; engines are imported only when they are made."""

from __future__ import annotations

from collections.abc import Callable

from s2s_desktop.audio.echo_memory import EchoMemory
from s2s_desktop.audio.protocol import AudioSink
from s2s_desktop.conversation.job_gate import JobGate
from s2s_desktop.conversation.session import Behavior
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.engine import model_use, sound
from s2s_desktop.engine.addresses import endpoint_of
from s2s_desktop.engine.language_model import BuiltinLanguageModel, RemoteLanguageModel
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm import prompts
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.http.endpoint import normalize_base_url
from s2s_desktop.llm.http.negotiation import Quirks
from s2s_desktop.llm.items import Item, UserMessage
from s2s_desktop.llm.tools.runner import ToolRunner, built_in_tools
from s2s_desktop.models.catalog import CATALOG
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Profile, Settings
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.speakable_text import SpeakableText
from s2s_desktop.tts.verbalize import read_out


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
    return beginning.items(behavior(settings).system_prompt)


def priming(settings: Settings) -> tuple[Item, ...]:
    """Return the example exchanges that the model of the active profile needs ahead of a conversation."""
    return prompts.TRIAL_MODEL_PRIMING if model_use.is_trial(settings.active_profile()) else ()


def tools(settings: Settings) -> ToolRunner | None:
    """Return the tools to offer: none where they are off, none to the trial model, which misuses them."""
    if not settings.assistant.tools or model_use.is_trial(settings.active_profile()):
        return None
    return ToolRunner(built_in_tools())


def behavior(settings: Settings) -> Behavior:
    """Return how the conversation behaves."""
    profile = settings.active_profile()
    default = prompts.TRIAL_MODEL_PROMPT if model_use.is_trial(profile) else prompts.VOICE_PROMPT
    return Behavior(
        system_prompt=settings.assistant.system_prompt or default,
        stt_language=settings.speech.stt_language,
        language_prompt=settings.assistant.language_prompt,
        audio_input=model_use.hears(profile),
        barge_in=settings.audio.barge_in,
        preemptive_generation=asks_early(profile),
        captions=settings.speech.captions,
        key_to_talk=settings.audio.microphone_mode != "hands-free",
    )


def asks_early(profile: Profile) -> bool:
    """Return whether the model is asked during the pause: a request in vain costs nothing on own machines."""
    if profile.preemptive_generation != "auto":
        return profile.preemptive_generation == "on"
    if model_use.is_builtin(profile):
        return True
    try:
        return normalize_base_url(Environment().base_url(profile)[0], profile.backend).is_local
    except AssistantError:
        return False


def stages(
    settings: Callable[[], Settings],
    *,
    sink: AudioSink | None,
    tools: ToolRunner | None,
    echoes: EchoMemory,
    on_problem: Callable[[str], None],
) -> Stages:
    """Return the stages with nothing loaded yet.

    Args:
        settings: Asked for the settings whenever the microphone is opened.
        sink: The speaker; None while there is none.
        tools: Offered to the model.
        echoes: What is known about the echo between devices.
        on_problem: Told about devices, from any thread.
    """
    made = Stages(
        make_source=lambda: sound.microphone(settings(), on_problem),
        make_canceller=lambda: sound.canceller(settings(), made.sink, echoes),
        make_language=sound.reply_language,
        make_captions=sound.captions,
        read_out=read_out,
        make_speakable=SpeakableText,
        make_clauses=ClauseSplitter,
        sink=sink,
        tools=tools,
        gate=JobGate.for_cores(model_use.machine()[1]),
    )
    return made


async def language_model(
    settings: Settings, store: ModelStore, paths: Paths, keys: KeyStore
) -> BuiltinLanguageModel | RemoteLanguageModel:
    """Return the language model of the active profile; nothing is started or asked yet.

    Raises:
        AssistantError: The profile cannot be used; says why and what to do.
    """
    profile = settings.active_profile()
    quirks = Quirks(paths.state / "server_quirks.json")
    if model_use.is_builtin(profile):
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
        server = BuiltinServer(
            file, paths.logs / "builtin-llm.log", prompt_folder=paths.state / "builtin-llm-prompt"
        )
        if model_use.is_trial(profile):
            profile = profile.model_copy(update=prompts.TRIAL_MODEL_OPTIONS)
            return BuiltinLanguageModel(server, profile, prompts.TRIAL_MODEL_EXTRA_BODY, quirks)
        return BuiltinLanguageModel(server, profile, {}, quirks)
    return RemoteLanguageModel(profile, await endpoint_of(profile, keys), quirks)
