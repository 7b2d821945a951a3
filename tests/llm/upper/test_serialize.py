"""The bodies of both protocols, item by item."""

from __future__ import annotations

import base64

import pytest

from s2s_desktop.llm.config import ToolSpec
from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.history.serialize import (
    chat_messages,
    chat_tools,
    responses_input,
    responses_tools,
    valid_arguments,
)
from s2s_desktop.llm.items import (
    AssistantText,
    AudioPart,
    ImagePart,
    Item,
    SystemMessage,
    TextPart,
    ToolOutput,
    UserMessage,
)

WAV = b"RIFF\x00\x00"
WAV_BASE64 = base64.b64encode(WAV).decode()
CONVERSATION: list[Item] = [
    SystemMessage("Be kind."),
    UserMessage.of("What is the time in Paris?"),
    AssistantText("Let me look."),
    ToolCall("call_1", "clock", '{"zone": "Europe/Paris"}'),
    ToolCall("call_2", "clock", ""),
    ToolOutput("call_1", "noon"),
    ToolOutput("call_2", "11"),
    AssistantText("It is noon."),
]


def test_a_conversation_with_tools_as_responses_input() -> None:
    assert responses_input(CONVERSATION) == [
        {"type": "message", "role": "system", "content": [{"type": "input_text", "text": "Be kind."}]},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "What is the time in Paris?"}],
        },
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Let me look.", "annotations": []}],
        },
        {
            "type": "function_call",
            "call_id": "call_1",
            "name": "clock",
            "arguments": '{"zone": "Europe/Paris"}',
        },
        {"type": "function_call", "call_id": "call_2", "name": "clock", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "call_1", "output": "noon"},
        {"type": "function_call_output", "call_id": "call_2", "output": "11"},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "It is noon.", "annotations": []}],
        },
    ]


def test_a_conversation_with_tools_as_chat_messages() -> None:
    def call(call_id: str, arguments: str) -> dict[str, object]:
        return {"id": call_id, "type": "function", "function": {"name": "clock", "arguments": arguments}}

    assert chat_messages(CONVERSATION) == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "What is the time in Paris?"},
        {
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [call("call_1", '{"zone": "Europe/Paris"}'), call("call_2", "{}")],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "noon"},
        {"role": "tool", "tool_call_id": "call_2", "content": "11"},
        {"role": "assistant", "content": "It is noon."},
    ]


def test_a_chat_message_of_calls_alone_has_empty_content() -> None:
    items: list[Item] = [
        UserMessage.of("Now?"),
        ToolCall("call_1", "clock", "{}"),
        ToolOutput("call_1", "noon"),
    ]

    assert chat_messages(items)[1]["content"] == ""


def test_calls_of_two_steps_stay_in_two_chat_messages() -> None:
    items: list[Item] = [
        ToolCall("call_1", "clock", "{}"),
        ToolOutput("call_1", "noon"),
        ToolCall("call_2", "clock", "{}"),
        ToolOutput("call_2", "noon"),
    ]

    assert [message["role"] for message in chat_messages(items)] == ["assistant", "tool", "assistant", "tool"]


@pytest.mark.parametrize("arguments", ["", "{", "[1]", '"x"', "null", "7", '{"a": NaN}', "[" * 100_000])
def test_arguments_that_are_no_json_object_are_sent_as_an_empty_one(arguments: str) -> None:
    assert valid_arguments(arguments) == "{}"


def test_good_arguments_are_sent_as_the_model_wrote_them() -> None:
    assert valid_arguments('{"a" : 1.50}') == '{"a" : 1.50}'


MIXED = UserMessage((TextPart("Look"), ImagePart("https://x/y.png", "low"), AudioPart(WAV), AudioPart(WAV)))


def test_image_and_audio_parts_on_chat() -> None:
    assert chat_messages([MIXED])[0]["content"] == [
        {"type": "text", "text": "Look"},
        {"type": "image_url", "image_url": {"url": "https://x/y.png", "detail": "low"}},
        {"type": "input_audio", "input_audio": {"data": WAV_BASE64, "format": "wav"}},
        {"type": "input_audio", "input_audio": {"data": WAV_BASE64, "format": "wav"}},
    ]


def test_audio_as_a_data_url_on_chat() -> None:
    message = chat_messages([UserMessage((AudioPart(WAV),))], "audio_url")[0]

    assert message["content"] == [
        {"type": "audio_url", "audio_url": {"url": f"data:audio/wav;base64,{WAV_BASE64}"}}
    ]


def test_another_audio_content_type_is_refused() -> None:
    with pytest.raises(ValueError, match="input_audio, audio_url"):
        chat_messages([], "mp3")


def test_responses_takes_no_audio_and_says_so_once() -> None:
    assert responses_input([MIXED])[0]["content"] == [
        {"type": "input_text", "text": "Look"},
        {"type": "input_image", "image_url": "https://x/y.png", "detail": "low"},
        {"type": "input_text", "text": "[User audio input]"},
    ]


def test_several_text_parts_are_one_string_on_chat() -> None:
    message = UserMessage((TextPart("What is the weather"), TextPart("in Paris?")))

    assert chat_messages([message])[0]["content"] == "What is the weather in Paris?"


def test_an_interrupted_reply_ends_in_an_ellipsis_on_both_protocols() -> None:
    item = AssistantText("One, two, ", interrupted=True)

    assert chat_messages([item])[0]["content"] == "One, two, …"
    assert responses_input([item])[0]["content"] == [
        {"type": "output_text", "text": "One, two, …", "annotations": []}
    ]


def test_tools_are_flat_on_responses_and_nested_on_chat() -> None:
    tool = ToolSpec("clock", "Tells the time.", {"type": "object", "properties": {}})
    schema = {"type": "object", "properties": {}}

    assert responses_tools([tool]) == [
        {"type": "function", "name": "clock", "description": "Tells the time.", "parameters": schema}
    ]
    assert chat_tools([tool]) == [
        {
            "type": "function",
            "function": {"name": "clock", "description": "Tells the time.", "parameters": schema},
        }
    ]
