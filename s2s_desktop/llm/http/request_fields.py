"""The request fields that a server may refuse, and how servers name them."""

from __future__ import annotations

from s2s_desktop.llm.http.negotiation import OptionalField

NO_THINKING: dict[str, object] = {"chat_template_kwargs": {"enable_thinking": False}}
"""Asks servers of open models not to think. OpenAI's own service has an effort of "none" for that."""

STREAM = OptionalField("stream", by_param_only=True)
STREAM_OPTIONS = OptionalField("stream_options", ("include_usage",))
STORE = OptionalField("store")
TEMPLATE = OptionalField("chat_template_kwargs", ("enable_thinking",))
TOOL_CHOICE = OptionalField("tool_choice")
TOOLS = OptionalField(
    "tools", ("tool choice", "tool use", "tool calling", "function calling"), chosen="tools"
)
TEMPERATURE = OptionalField("temperature", chosen="the temperature")
AUDIO_TEMPERATURE = OptionalField("temperature")
MAX_TOKENS = OptionalField("max_tokens", chosen="the length limit", renamed="max_completion_tokens")
MAX_OUTPUT_TOKENS = OptionalField("max_output_tokens", chosen="the length limit")


def effort_field(key: str, *, chosen: bool) -> OptionalField:
    """Return the field that sets how much a model thinks.

    Args:
        key: `reasoning` or `reasoning_effort`.
        chosen: The user set the effort. Otherwise it stands for "do not think", and the least effort that the
            server names will do.
    """
    words = ("reasoning", "reasoning.effort", "reasoning_effort", "effort")
    if chosen:
        return OptionalField(key, words, chosen="the reasoning effort")
    return OptionalField(key, words, values=("minimal", "low"))
