"""Everything a backend needs to know about an endpoint; immutable, so that instances can share it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from s2s_desktop.settings.backend_names import BACKEND_NAMES, BackendName

BACKENDS = BACKEND_NAMES

__all__ = ["BACKENDS", "BackendConfig", "BackendName", "Timeouts", "ToolSpec"]


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Limits in seconds.

    Attributes:
        connect: Name look-up, TCP and TLS.
        first_token: From the request to the first event that carries content. Keep-alive comments do not
            count. Local servers load models in this time.
        idle: Between two reads after the first token.
    """

    connect: float = 10.0
    first_token: float = 60.0
    idle: float = 30.0


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool offered to the model; `parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class BackendConfig:
    """One endpoint and how to talk to it. None, "" and empty mean: leave the field out of the request.

    Attributes:
        base_url: As the user wrote it; "" is OpenAI. `llm/http/endpoint.py` normalizes it.
        model: The model name; must not be empty.
        api_key: "" for servers that need none. Hidden from repr.
        stream: False asks for one whole reply, delivered through the same events.
        disable_thinking: Ask hybrid reasoning models to answer at once (dropped where a server refuses it).
        reasoning_effort: Sent as it is when not "".
        max_output_tokens: Limit of one reply.
        temperature: 0..2.
        extra_body: Fields that the user (or the trial model's profile) adds to the request body.
        audio_content_type: How `AudioPart` is sent on chat-completions.
        audio_max_tokens: `max_tokens` of a request that carries audio.
        audio_temperature: Temperature of a request that carries audio.
        max_retries: Retries before the first byte of output.
    """

    base_url: str = field(default="", repr=False)
    model: str = ""
    api_key: str = field(default="", repr=False)
    stream: bool = True
    disable_thinking: bool = False
    reasoning_effort: str = ""
    temperature: float | None = None
    max_output_tokens: int | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    query: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    extra_body: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    audio_content_type: Literal["input_audio", "audio_url"] = "input_audio"
    audio_max_tokens: int = 256
    audio_temperature: float = 0.0
    timeouts: Timeouts = Timeouts()
    max_retries: int = 2
