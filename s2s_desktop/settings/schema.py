"""Every setting, its type, its default and its bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    model_validator,
)

from s2s_desktop.settings.backend_names import BackendName
from s2s_desktop.settings.languages import language_code

SCHEMA_VERSION = 1

BUILT_IN = "built-in"
"""Name of the profile that runs the model on this computer."""

LanguageCode = Annotated[str, AfterValidator(language_code)]
"""A code of `settings/languages.py`; "" detects the language."""

Seconds = Annotated[float, Field(gt=0, le=3600)]


class Section(BaseModel):
    """A table of the settings file. Keys that this version does not know are kept."""

    # NaN passes every bound and then breaks the model that is given it.
    model_config = ConfigDict(extra="allow", validate_assignment=True, allow_inf_nan=False)


class Profile(Section):
    """A named set of backend, endpoint, model and options. The key is not here: see `settings/secrets.py`."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    backend: BackendName = "responses-api"
    base_url: str = ""
    """"" is OpenAI. Ignored by the built-in profile, whose server is on a port of its own."""
    api_key_env: str = ""
    """Environment variable that holds the key of this profile; "" goes by the host."""
    model: str = ""
    """For the built-in profile a name of the model catalog, else what the server calls it."""
    stream: bool = True
    disable_thinking: bool = False
    reasoning_effort: str = ""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    headers: dict[str, str] = {}
    query: dict[str, str] = {}
    connect_timeout_s: Seconds = 10.0
    first_token_timeout_s: Seconds = 60.0
    idle_timeout_s: Seconds = 30.0
    audio_input: bool = False
    """Send speech as audio instead of a transcript (chat-completions and a model that hears)."""
    audio_content_type: Literal["input_audio", "audio_url"] = "input_audio"
    audio_max_tokens: Annotated[int, Field(ge=1)] = 256
    audio_temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    audio_history_turns: Annotated[int, Field(ge=0, le=1000)] = 1
    preemptive_generation: Literal["auto", "on", "off"] = "auto"
    """Ask the model during the pause, before the turn is decided. "auto" does so for servers on this
    computer, where a request that turns out to be in vain costs nothing."""
    _given_key: str = PrivateAttr("")
    _temporary: bool = PrivateAttr(False)

    @property
    def given_key(self) -> str:
        """The key that the command line gave for this run; never saved, not in repr."""
        return self._given_key

    def give_key(self, key: str) -> None:
        """Use a key in this run only."""
        self._given_key = key

    @property
    def is_temporary(self) -> bool:
        """Whether the profile came from the command line and is not saved."""
        return self._temporary

    def mark_temporary(self) -> None:
        """Keep this profile out of the settings file."""
        self._temporary = True


def _default_profiles() -> list[Profile]:
    return [Profile(name=BUILT_IN, backend="chat-completions", model="smollm2-135m")]


class Persona(Section):
    """A character to talk with. What is "" stays as the settings say."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    system_prompt: str = ""
    voice: str = ""
    profile: str = ""
    """Name of the profile that answers."""


class AssistantSettings(Section):
    """How the assistant behaves."""

    personas: list[Persona] = []
    persona: str = ""
    """Name of the persona that new conversations begin with; "" is none."""

    system_prompt: str = ""
    """"" uses the voice prompt of `llm/prompts.py`."""
    chat_size: Annotated[int, Field(ge=0, le=1000)] = 30
    """How many turns of the user before the current one the language model is sent."""
    language_prompt: bool = False
    """Ask the model to answer in the language that was heard."""
    compact_history: bool = False
    tools: bool = True


class SpeechServer(Section):
    """A server that hears or speaks, over the audio endpoints of the OpenAI API."""

    base_url: str = ""
    """"" is OpenAI."""
    model: str = ""
    api_key_env: str = ""
    """Environment variable that holds the key; "" goes by the host, as for a profile."""
    voice: str = ""
    """What the server calls the voice; unused for hearing."""


class SpeechSettings(Section):
    """Hearing and voice."""

    stt_engine: Literal["faster-whisper", "remote"] = "faster-whisper"
    stt_model: str = "whisper-base"
    """A catalog name, a folder, or a Hugging Face name."""
    stt_language: LanguageCode = ""
    stt_device: Literal["auto", "cpu", "cuda"] = "auto"
    stt_compute_type: str = "auto"
    hotwords: str = ""
    """Names and terms that the user says often, separated by commas."""
    captions: bool = True
    """Show what is being said while it is being said."""
    stt_server: SpeechServer = Field(default_factory=SpeechServer)
    vad_engine: Literal["silero-onnx", "silero-torch"] = "silero-onnx"
    tts_engine: Literal["kokoro-onnx", "kokoro-torch", "remote"] = "kokoro-onnx"
    voice: str = "af_heart"
    """A voice of `tts/voices.py`, or a blend of some: "af_heart(2)+bf_emma(1)"."""
    speed: Annotated[float, Field(ge=0.5, le=2.0)] = 1.0
    tts_server: SpeechServer = Field(default_factory=SpeechServer)


class AudioSettings(Section):
    """Devices and turn-taking."""

    input_device: str = ""
    """Name as listed by `s2s-desktop doctor`; "" follows the system's default."""
    output_device: str = ""
    microphone_mode: Literal["hands-free", "push-to-talk", "toggle"] = "hands-free"
    """Who says where a turn begins and ends: the voice, a key that is held, or a key pressed twice."""
    vad_threshold: Annotated[float, Field(gt=0, lt=1)] = 0.5
    pause_ms: Annotated[int, Field(ge=200, le=3000)] = 600
    """Silence that ends a turn."""
    smart_turn: bool = True
    """Judge by its melody whether a sentence is finished: then a shorter pause is enough."""
    barge_in: Literal["careful", "immediate", "off"] = "careful"
    """Speaking into a reply: "careful" pauses it and goes on after a cough, "immediate" stops it
    (headphones), "off" closes the microphone meanwhile."""
    echo_cancelling: bool = True
    min_speech_ms: Annotated[int, Field(ge=50, le=2000)] = 250
    pre_roll_ms: Annotated[int, Field(ge=0, le=2000)] = 400


class HistorySettings(Section):
    """What is kept of conversations."""

    keep: bool = True
    """Save conversations. Off saves nothing; what was saved before stays until it is wiped."""
    keep_audio: bool = False
    """Save the sound of turns too."""
    audio_limit_mb: Annotated[int, Field(ge=1, le=1_000_000)] = 500
    """Recordings together stay below this; the oldest go first."""


class GeneralSettings(Section):
    """The program itself."""

    theme: Literal["system", "light", "dark"] = "system"
    text_scale: Annotated[float, Field(ge=0.75, le=2.0)] = 1.0
    """Size of all text, relative to the usual one."""
    tray: bool = True
    start_with_login: bool = False
    talk_shortcut: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] = ""
    """Keys that talk from any program, as "Ctrl+Alt+Space"; "" is none."""
    welcomed: bool = False
    """The pages of the first start were seen or skipped."""


class Settings(Section):
    """The whole settings file."""

    schema_version: int = SCHEMA_VERSION
    profile: str = BUILT_IN
    profiles: list[Profile] = Field(default_factory=_default_profiles)
    assistant: AssistantSettings = Field(default_factory=AssistantSettings)
    speech: SpeechSettings = Field(default_factory=SpeechSettings)
    audio: AudioSettings = Field(default_factory=AudioSettings)
    history: HistorySettings = Field(default_factory=HistorySettings)
    general: GeneralSettings = Field(default_factory=GeneralSettings)
    _given: dict[str, str] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _names_every_profile_once(self) -> Settings:
        taken: set[str] = set()
        for profile in self.profiles:
            name, number = profile.name, 1
            while profile.name in taken:
                number += 1
                profile.name = f"{name} ({number})"
            taken.add(profile.name)
        return self

    @model_validator(mode="after")
    def _has_the_built_in_profile(self) -> Settings:
        if not any(profile.name == BUILT_IN for profile in self.profiles):
            self.profiles.insert(0, _default_profiles()[0])
        return self

    def given_by(self, path: str) -> str:
        """Return what gave a setting for this run only, for example "--voice"; "" where nothing did.

        Args:
            path: Section and name ("speech.voice"); "profile" is the chosen profile, "profile.model" the
                model of that profile.
        """
        return self._given.get(path, "")

    @property
    def given(self) -> dict[str, str]:
        """What was given for this run only: path to what gave it. A copy."""
        return dict(self._given)

    def mark_given(self, path: str, by: str) -> None:
        """Note that a setting was given for this run; `by` "" says that it no longer is."""
        if by:
            self._given[path] = by
        else:
            self._given.pop(path, None)

    def active_profile(self) -> Profile:
        """Return the chosen profile, or the built-in one when the chosen name is gone."""
        by_name = {profile.name: profile for profile in self.profiles}
        return by_name.get(self.profile, by_name[BUILT_IN])

    def active_persona(self) -> Persona | None:
        """Return the chosen persona; None where none is chosen or the chosen name is gone."""
        return next((each for each in self.assistant.personas if each.name == self.assistant.persona), None)
