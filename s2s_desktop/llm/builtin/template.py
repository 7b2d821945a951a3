"""Chat templates for small models: tool calls for models whose own template knows none.

llama.cpp drops the tools of a request when the template in the model file does not mention them. Templates of
the ChatML family (`<|im_start|>`) can be extended with the notation of Hermes 2 Pro and Qwen 2.5, which
llama.cpp recognizes, constrains by grammar and turns back into tool calls.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_KEY = b"tokenizer.chat_template"
_TYPE_STRING = 8
"""The number of strings among the value types of GGUF:
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md"""

_CHATML = "<|im_start|>"

_TOOLS_TEMPLATE = """\
{%- if tools or messages | selectattr("role", "equalto", "tool") | list -%}
{%- set ns = namespace(system = "You are a helpful assistant.", rest = messages) -%}
{%- if messages and messages[0].role == "system" -%}
{%- set ns.system = messages[0].content -%}
{%- set ns.rest = messages[1:] -%}
{%- endif -%}
{{- "<|im_start|>system\\n" + ns.system -}}
{%- if tools -%}
{{- "\\n\\nYou answer questions with these functions:\\n<tools>" -}}
{%- for tool in tools -%}
{{- "\\n" + (tool | tojson) -}}
{%- endfor -%}
{{- "\\n</tools>\\n\\nExample of an answer:\\n<tool_call>\\n" -}}
{{- '{"name": "' + tools[0].function.name + '", "arguments": {}}\\n</tool_call>' -}}
{%- endif -%}
{{- "<|im_end|>\\n" -}}
{%- for message in ns.rest -%}
{{- "<|im_start|>" + message.role -}}
{%- if message.content -%}
{{- "\\n" + message.content -}}
{%- endif -%}
{%- for call in message.tool_calls or [] -%}
{{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' -}}
{{- call.function.arguments | tojson -}}
{{- "}\\n</tool_call>" -}}
{%- endfor -%}
{{- "<|im_end|>\\n" -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- "<|im_start|>assistant\\n" -}}
{%- endif -%}
{%- else -%}
"""
"""Jinja; the model's own template follows and covers conversations without tools.

The wording is what a model of 135 million parameters still follows once the conversation holds one example.
"""


def read_chat_template(model_file: Path) -> str:
    """Return the chat template stored in a GGUF file, or "" when there is none to be found."""
    with (
        model_file.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        at = data.find(_KEY)
        value = at + len(_KEY)
        if at < 0 or value + 12 > len(data):
            return ""
        kind, length = struct.unpack_from("<IQ", data, value)
        if kind != _TYPE_STRING:
            return ""
        return data[value + 12 : value + 12 + length].decode("utf-8", errors="replace")


def with_tools(template: str) -> str:
    """Return `template` with tool calls added, or "" when it needs none or cannot take them."""
    if _CHATML not in template or "tools" in template:
        return ""
    return _TOOLS_TEMPLATE + template + "{%- endif -%}"
