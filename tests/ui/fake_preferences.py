"""Stands in for the engine behind the settings: remembers what was asked, answers what a test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from s2s_desktop.conversation.events import Event, SettingsChanged
from s2s_desktop.conversation.preferences import (
    ConnectionStep,
    DeviceChoice,
    KeyState,
    ModelChoice,
    VoiceChoice,
)
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.schema import Profile, Settings, SpeechServer

MODELS = (
    ModelChoice(
        "whisper-base", "Whisper base", "stt", "Understands 99 languages; fast on every machine.",
        "MIT", 147_882_941, "present", True, True,
    ),
    ModelChoice(
        "whisper-small", "Whisper small", "stt", "Fewer mistakes in 99 languages; wants four cores.",
        "MIT", 486_210_455, "missing", False, False,
    ),
    ModelChoice(
        "kokoro-82m", "Kokoro 82M voice", "tts", "Natural voices in eight languages.",
        "Apache-2.0", 92_361_271, "present", True, True,
    ),
    ModelChoice(
        "smollm2-135m", "SmolLM2 135M", "llm",
        "A trial model: short, simple answers at once on every machine.",
        "Apache-2.0", 98_362_432, "present", True, False,
    ),
    ModelChoice(
        "qwen2.5-1.5b", "Qwen2.5 1.5B", "llm", "Useful answers in many languages; wants four cores.",
        "Apache-2.0", 1_117_320_736, "incomplete", False, True,
    ),
    ModelChoice(
        "smart-turn-v3.2", "Smart Turn 3.2", "turn",
        "Hears whether a sentence is finished, for quicker replies.",
        "BSD-2-Clause", 8_679_182, "damaged", True, True,
    ),
)  # fmt: skip
VOICES = (
    VoiceChoice("af_heart", "Heart, American English", "en"),
    VoiceChoice("bf_emma", "Emma, British English", "en"),
    VoiceChoice("ff_siwis", "Siwis, French", "fr"),
)
MICROPHONES = (DeviceChoice("Built-in Microphone (ALSA)", True), DeviceChoice("USB Headset (ALSA)", False))
SPEAKERS = (DeviceChoice("Built-in Speakers (ALSA)", True), DeviceChoice("USB Headset (ALSA)", False))
STEPS = (
    ConnectionStep("Address", True, "Requests go to https://api.openai.com/v1/responses."),
    ConnectionStep("Name look-up", None, "The name was not looked up: a proxy does it."),
    ConnectionStep("Key", False, "The server refused the key. Enter another one."),
)


class FakePreferences:
    """`Preferences` of a test.

    Attributes:
        applied: Every settings that were applied.
        asked: What else was asked, in order.
        given: What overrides settings, by their paths.
        keys: By host.
        fails: Raised by the next call of that method's name.
        gate: While it is cleared, downloads, previews, recordings and tests wait.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self.applied: list[Settings] = []
        self.asked: list[tuple[object, ...]] = []
        self.given: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.keyring_problem = ""
        self.key_from_environment = False
        self.models_known = MODELS
        self.voices_known = VOICES
        self.microphones = MICROPHONES
        self.names: tuple[str, ...] = ("gpt-5.6-terra", "gpt-5.6-mini")
        self.steps = STEPS
        self.levels: tuple[tuple[float, float], ...] = ((-30.0, -20.0),)
        self.fails: dict[str, str] = {}
        self.gate = asyncio.Event()
        self.gate.set()
        self.tell: Callable[[Event], None] = lambda _: None

    @property
    def settings(self) -> Settings:
        return self._settings.model_copy(deep=True)

    def change_elsewhere(self, change: Callable[[Settings], None]) -> None:
        """Change the settings as another part of the program does."""
        settings = self.settings
        change(settings)
        self._settings = settings
        self.tell(SettingsChanged())

    def given_by(self, path: str) -> str:
        return self.given.get(path, "")

    async def apply(self, settings: Settings) -> None:
        await asyncio.sleep(0)
        self._may_fail("apply")
        self._settings = settings.model_copy(deep=True)
        self.applied.append(self._settings)
        self.tell(SettingsChanged())

    def final_endpoint(self, profile: Profile) -> str:
        if "<" in profile.base_url:
            return "Put the name of your resource into the base URL first."
        base = profile.base_url or "https://api.openai.com/v1"
        path = "responses" if profile.backend == "responses-api" else "chat/completions"
        return f"{base.rstrip('/')}/{path}"

    async def key_state(self, endpoint: Profile | SpeechServer) -> KeyState:
        await asyncio.sleep(0)
        host = _host(endpoint)
        if self.key_from_environment:
            return KeyState(host, True, "set by the environment variable OPENAI_API_KEY", "", True)
        where = self.keys.get(host, "")
        return KeyState(host, bool(where), where, self.keyring_problem)

    async def save_key(self, endpoint: Profile | SpeechServer, key: str, place: str) -> None:
        self._may_fail("save_key")
        self.asked.append(("save_key", _host(endpoint), key, place))
        self.keys[_host(endpoint)] = {
            "keyring": "kept in the key store of this computer",
            "session": "kept until the app closes",
            "file": "kept in a file that only you can read",
        }[place]

    async def delete_key(self, endpoint: Profile | SpeechServer) -> None:
        self.asked.append(("delete_key", _host(endpoint)))
        self.keys.pop(_host(endpoint), None)

    async def model_names(self, endpoint: Profile | SpeechServer) -> tuple[str, ...]:
        await asyncio.sleep(0)
        self._may_fail("model_names")
        return self.names

    async def check_connection(self, profile: Profile) -> AsyncIterator[ConnectionStep]:
        self.asked.append(("check_connection", profile.name, profile.base_url))
        for step in self.steps:
            yield step
            await self.gate.wait()

    def voices(self) -> tuple[VoiceChoice, ...]:
        return self.voices_known

    async def preview_voice(self, voice: str, speed: float) -> None:
        self._may_fail("preview_voice")
        self.asked.append(("preview_voice", voice, speed))
        await self.gate.wait()

    async def devices(self) -> tuple[tuple[DeviceChoice, ...], tuple[DeviceChoice, ...]]:
        await asyncio.sleep(0)
        self._may_fail("devices")
        return self.microphones, SPEAKERS

    async def test_recording(self, seconds: float, on_level: Callable[[float, float], None]) -> None:
        self._may_fail("test_recording")
        self.asked.append(("test_recording", seconds))
        for rms, peak in self.levels:
            on_level(rms, peak)
        await self.gate.wait()

    async def models(self) -> tuple[ModelChoice, ...]:
        await asyncio.sleep(0)
        return self.models_known

    def models_folder(self) -> str:
        return "/home/ada/.cache/s2s-desktop/models"

    async def get_model(self, name: str) -> None:
        self._may_fail("get_model")
        self.asked.append(("get_model", name))
        await self.gate.wait()

    async def verify_model(self, name: str) -> str:
        self.asked.append(("verify_model", name))
        return "All files are as they should be."

    async def remove_model(self, name: str) -> int:
        self.asked.append(("remove_model", name))
        return 147_882_941

    async def diagnostics(self) -> str:
        return "S2S Desktop on Linux"

    def logs_folder(self) -> str:
        return "/home/ada/.local/state/s2s-desktop/log"

    async def usage(self) -> str:
        await asyncio.sleep(0)
        return "12,480 tokens were used in all."

    def _may_fail(self, name: str) -> None:
        if name in self.fails:
            raise AssistantError(ErrorKind.INTERNAL, self.fails.pop(name))


def _host(endpoint: Profile | SpeechServer) -> str:
    return endpoint.base_url.partition("//")[2].partition("/")[0] or "api.openai.com"
