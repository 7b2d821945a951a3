"""The backend `responses-api`: POST /responses."""

from __future__ import annotations

from collections.abc import Sequence

from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.config import BackendName, ToolSpec
from s2s_desktop.llm.history.serialize import responses_input, responses_tools
from s2s_desktop.llm.http import request_fields as fields
from s2s_desktop.llm.http.endpoint import Endpoint
from s2s_desktop.llm.http.negotiation import OptionalField
from s2s_desktop.llm.items import Item
from s2s_desktop.llm.stream.reader import ReplyReader
from s2s_desktop.llm.stream.reply_builder import ReplyBuilder
from s2s_desktop.llm.stream.responses_reader import ResponsesReader


class ResponsesBackend(HttpBackend):
    """Asks servers that speak the Responses API. A request holds the whole conversation; none is stored."""

    name: BackendName = "responses-api"

    def _reader(self, builder: ReplyBuilder) -> ReplyReader:
        return ResponsesReader(builder)

    def _request(
        self, items: Sequence[Item], tools: Sequence[ToolSpec], endpoint: Endpoint
    ) -> tuple[dict[str, object], list[OptionalField]]:
        config = self.config
        effort = config.reasoning_effort
        body: dict[str, object] = {
            "model": config.model.strip(),
            "input": responses_input(items),
            "stream": True if config.stream else None,
            "store": False,
            "max_output_tokens": config.max_output_tokens,
            "temperature": config.temperature,
        }
        if tools:
            body |= {"tools": responses_tools(tools), "tool_choice": "auto"}
        if effort:
            body["reasoning"] = {"effort": effort}
        elif config.disable_thinking:
            body |= {"reasoning": {"effort": "none"}} if endpoint.is_openai else fields.NO_THINKING
        return body, [
            fields.effort_field("reasoning", chosen=bool(effort)),
            fields.TEMPLATE,
            fields.STORE,
            fields.TOOL_CHOICE,
            fields.TOOLS,
            fields.MAX_OUTPUT_TOKENS,
            fields.TEMPERATURE,
            fields.STREAM,
        ]
