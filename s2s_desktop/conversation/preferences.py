"""What the settings dialog and the first-run pages can ask of the program."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Protocol

from s2s_desktop.settings.schema import Profile, Settings, SpeechServer


@dataclass(frozen=True, slots=True)
class KeyState:
    """Where the key of an endpoint is.

    Attributes:
        host: Whose key it is; a key never goes to another host.
        present: There is a key.
        where: In words, for example "in the key store of this computer" or "from OPENAI_API_KEY"; "" without
            a key.
        keyring_problem: Why the key store of the system cannot be used; "" when it can.
        from_environment: The key comes from a variable, so it can be neither changed nor deleted here.
    """

    host: str
    present: bool
    where: str = ""
    keyring_problem: str = ""
    from_environment: bool = False


@dataclass(frozen=True, slots=True)
class ConnectionStep:
    """One step of a connection test.

    Attributes:
        name: For people, for example "Server".
        ok: None when the step says nothing either way.
        sentence: What was found, with what to do.
    """

    name: str
    ok: bool | None
    sentence: str


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model of the catalog.

    Attributes:
        name: In the catalog.
        title: For people.
        role: "stt", "tts", "llm" or "turn".
        summary: What it is good for, in one sentence.
        license: Its license.
        size: Bytes.
        status: "present", "missing", "incomplete" or "damaged".
        in_use: The settings ask for it.
        recommended: Best for this computer.
    """

    name: str
    title: str
    role: str
    summary: str
    license: str
    size: int
    status: str
    in_use: bool
    recommended: bool


@dataclass(frozen=True, slots=True)
class DeviceChoice:
    """A microphone or a speaker.

    Attributes:
        label: What the settings store: name and host API.
        is_default: The system uses it by default.
    """

    label: str
    is_default: bool


@dataclass(frozen=True, slots=True)
class VoiceChoice:
    """A voice of the chosen engine.

    Attributes:
        name: What the settings store.
        title: For people, for example "Heart, American English".
        language: ISO 639-1.
    """

    name: str
    title: str
    language: str


class Preferences(Protocol):
    """Settings, keys, model files and devices as the window sees them.

    Called on the event loop; nothing blocks it. Every coroutine raises AssistantError with a sentence for the
    user. A change of settings is told to the observers as `SettingsChanged`, progress of downloads as
    `ModelProgress`.
    """

    @property
    def settings(self) -> Settings:
        """The settings in use. A copy: change it and give it to `apply`."""

    def given_by(self, path: str) -> str:
        """Return what overrides the setting at `path` ("speech.voice"), for example "--voice"; else ""."""

    async def apply(self, settings: Settings) -> None:
        """Save these settings and use them from the next turn on; returns when they are saved.

        What must be loaded is loaded behind; until then the parts before go on.
        """

    # Language model

    def final_endpoint(self, profile: Profile) -> str:
        """Return the address that requests of a profile go to, or a sentence that says why there is none."""

    async def key_state(self, endpoint: Profile | SpeechServer) -> KeyState:
        """Say where the key of an endpoint is."""

    async def save_key(self, endpoint: Profile | SpeechServer, key: str, place: str) -> None:
        """Keep a key: place is "keyring", "session" or "file" (readable by this user only)."""

    async def delete_key(self, endpoint: Profile | SpeechServer) -> None:
        """Delete the key everywhere it was saved."""

    async def model_names(self, endpoint: Profile | SpeechServer) -> tuple[str, ...]:
        """Ask the server which models it has."""

    def check_connection(self, profile: Profile) -> AsyncIterator[ConnectionStep]:
        """Try an endpoint step by step; costs the provider a few tokens."""

    # Voice and devices

    def voices(self) -> tuple[VoiceChoice, ...]:
        """Return the voices of the local engine."""

    async def preview_voice(self, voice: str, speed: float) -> None:
        """Speak a sentence with a voice in its own language; returns when it has been heard.

        A new preview ends the one before.
        """

    async def devices(self) -> tuple[tuple[DeviceChoice, ...], tuple[DeviceChoice, ...]]:
        """Look for microphones and speakers anew and return them."""

    async def test_recording(self, seconds: float, on_level: Callable[[float, float], None]) -> None:
        """Record the microphone and play it back.

        Args:
            seconds: Length of the recording.
            on_level: Called on the loop with RMS and peak in dBFS while recording.
        """

    # Model files

    async def models(self) -> tuple[ModelChoice, ...]:
        """Return the catalog with what is on this computer."""

    def models_folder(self) -> str:
        """Return the folder of the model files."""

    async def get_model(self, name: str) -> None:
        """Download a model; cancelling the task stops it and keeps what was received."""

    async def verify_model(self, name: str) -> str:
        """Check the files of a model against their checksums and return the finding as a sentence."""

    async def remove_model(self, name: str) -> int:
        """Delete the files of a model and return the bytes freed."""

    # Program

    async def diagnostics(self) -> str:
        """Return what helps to find a fault, without keys and without what was said."""

    def logs_folder(self) -> str:
        """Return the folder of the logs."""

    async def usage(self) -> str:
        """Return how many tokens were used in all, as a sentence."""
