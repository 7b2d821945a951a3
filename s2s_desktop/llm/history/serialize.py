"""Items and tools as the JSON of both protocols.

The shapes are those of POST /v1/responses and POST /v1/chat/completions as OpenAI publishes them
(https://platform.openai.com/docs/api-reference). No item carries an id of ours except `call_id`, which ties a
tool call to its output.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from typing import assert_never

from s2s_desktop.llm.config import ToolSpec
from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.items import (
    AssistantText,
    AudioPart,
    ImagePart,
    Item,
    SystemMessage,
    TextPart,
    ToolOutput,
    UserMessage,
    UserPart,
)

AUDIO_PLACEHOLDER = "[User audio input]"
"""Stands for speech that is not sent (any more)."""

CUT_OFF = "…"
"""Ends a reply that the user interrupted. Models that imitate it do no harm, unlike words in brackets."""

AUDIO_CONTENT_TYPES = ("input_audio", "audio_url")

Json = dict[str, object]


def responses_input(items: Sequence[Item]) -> list[Json]:
    """Return the `input` of a Responses request.

    The protocol takes no audio; a message with audio says `[User audio input]` once instead.
    """
    return [_responses_item(item) for item in items]


def chat_messages(items: Sequence[Item], audio_content_type: str = "input_audio") -> list[Json]:
    """Return the `messages` of a Chat Completions request.

    Text and the tool calls right behind it are one assistant message, and so are parallel calls; their
    outputs follow as tool messages. A message of calls alone has the content "" because chat templates fail
    without one (https://github.com/huggingface/speech-to-speech/issues/414).

    Args:
        items: The conversation.
        audio_content_type: How an `AudioPart` is sent: `input_audio` (base64) or `audio_url` (data URL).

    Raises:
        ValueError: Another `audio_content_type`.
    """
    if audio_content_type not in AUDIO_CONTENT_TYPES:
        raise ValueError(f"audio_content_type must be one of {', '.join(AUDIO_CONTENT_TYPES)}")
    messages: list[Json] = []
    previous: Item | None = None
    for item in items:
        if isinstance(item, ToolCall):
            if not isinstance(previous, ToolCall | AssistantText):
                messages.append({"role": "assistant", "content": ""})
            calls = messages[-1].setdefault("tool_calls", [])
            assert isinstance(calls, list)
            calls.append(_chat_call(item))
        else:
            messages.append(_chat_message(item, audio_content_type))
        previous = item
    return messages


def responses_tools(tools: Iterable[ToolSpec]) -> list[Json]:
    """Return the `tools` of a Responses request (flat functions)."""
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
        }
        for tool in tools
    ]


def chat_tools(tools: Iterable[ToolSpec]) -> list[Json]:
    """Return the `tools` of a Chat Completions request (functions nested under `function`)."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def valid_arguments(arguments: str) -> str:
    """Return `arguments` when it is the JSON text of an object, else "{}": servers refuse anything else."""
    try:
        parsed = json.loads(arguments, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return "{}"
    return arguments if isinstance(parsed, dict) else "{}"


def _refuse_constant(name: str) -> object:
    """NaN and Infinity are Python's extension; no server takes them."""
    raise ValueError(f"{name} is not JSON")


def _responses_item(item: Item) -> Json:
    match item:
        case SystemMessage():
            return _responses_message("system", [{"type": "input_text", "text": item.text}])
        case UserMessage():
            return _responses_message("user", _responses_parts(item.parts))
        case AssistantText():
            part: Json = {"type": "output_text", "text": _assistant_text(item), "annotations": []}
            return _responses_message("assistant", [part])
        case ToolCall():
            return {
                "type": "function_call",
                "call_id": item.call_id,
                "name": item.name,
                "arguments": valid_arguments(item.arguments),
            }
        case ToolOutput():
            return {"type": "function_call_output", "call_id": item.call_id, "output": item.output}
        case _:
            assert_never(item)


def _responses_message(role: str, content: list[Json]) -> Json:
    return {"type": "message", "role": role, "content": content}


def _responses_parts(parts: Sequence[UserPart]) -> list[Json]:
    content: list[Json] = []
    audio_seen = False
    for part in parts:
        match part:
            case TextPart():
                content.append({"type": "input_text", "text": part.text})
            case ImagePart():
                content.append({"type": "input_image", "image_url": part.url, "detail": part.detail})
            case AudioPart() if not audio_seen:
                content.append({"type": "input_text", "text": AUDIO_PLACEHOLDER})
                audio_seen = True
    return content


_Message = SystemMessage | UserMessage | AssistantText | ToolOutput


def _chat_message(item: _Message, audio_content_type: str) -> Json:
    match item:
        case SystemMessage():
            return {"role": "system", "content": item.text}
        case UserMessage():
            return {"role": "user", "content": _chat_parts(item.parts, audio_content_type)}
        case AssistantText():
            return {"role": "assistant", "content": _assistant_text(item)}
        case ToolOutput():
            return {"role": "tool", "tool_call_id": item.call_id, "content": item.output}
        case _:
            assert_never(item)


def _chat_parts(parts: Sequence[UserPart], audio_content_type: str) -> str | list[Json]:
    """Text alone stays a plain string, which every server and chat template takes."""
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if len(texts) == len(parts):
        return " ".join(texts)
    content: list[Json] = []
    for part in parts:
        match part:
            case TextPart():
                content.append({"type": "text", "text": part.text})
            case ImagePart():
                image = {"url": part.url, "detail": part.detail}
                content.append({"type": "image_url", "image_url": image})
            case AudioPart():
                content.append(_chat_audio(part, audio_content_type))
    return content


def _chat_audio(part: AudioPart, audio_content_type: str) -> Json:
    data = base64.b64encode(part.wav).decode("ascii")
    if audio_content_type == "audio_url":
        return {"type": "audio_url", "audio_url": {"url": f"data:audio/wav;base64,{data}"}}
    return {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}}


def _chat_call(call: ToolCall) -> Json:
    function = {"name": call.name, "arguments": valid_arguments(call.arguments)}
    return {"id": call.call_id, "type": "function", "function": function}


def _assistant_text(item: AssistantText) -> str:
    text = item.text.rstrip()
    if not item.interrupted or text.endswith(CUT_OFF):
        return item.text
    return f"{text} {CUT_OFF}"
