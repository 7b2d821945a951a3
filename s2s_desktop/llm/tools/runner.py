"""The tools that the model may call, and the one place where its calls are run."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, tzinfo
from typing import Generic, Protocol, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import BaseModel, Field, ValidationError

from s2s_desktop.llm.config import ToolSpec
from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.tools.calculator import CalculationError, calculate

_log = logging.getLogger(__name__)

MAX_CALLS_PER_TURN = 16
"""A model that calls more tools for one answer is going in circles."""

MAX_OUTPUT = 4000
"""Characters of an output; every one of them is read by the model again at each later turn."""

A = TypeVar("A", bound=BaseModel)


class ToolError(Exception):
    """A call that cannot be carried out; the message is written for the model."""


class Tool(Protocol):
    """Something the model may call. Tools of other sources (MCP servers) register through this as well."""

    @property
    def spec(self) -> ToolSpec:
        """Name, description and JSON Schema of the arguments."""

    async def run(self, arguments: Mapping[str, object]) -> str:
        """Carry out a call.

        Args:
            arguments: As the model wrote them; not checked against the schema yet.

        Raises:
            ToolError: The arguments are wrong, or it failed.
        """


class FunctionTool(Generic[A]):
    """A function as a tool; a pydantic model describes and checks its arguments.

    Args:
        name: What the model calls it.
        description: When to use it, for the model.
        arguments: The model of the arguments.
        function: Gets checked arguments; returns the output or raises `ToolError`. It must not block.
    """

    def __init__(self, name: str, description: str, arguments: type[A], function: Callable[[A], str]) -> None:
        self._arguments = arguments
        self._function = function
        self.spec = ToolSpec(name, description, _schema(arguments))

    async def run(self, arguments: Mapping[str, object]) -> str:
        """Check the arguments and call the function."""
        try:
            checked = self._arguments.model_validate(arguments)
        except ValidationError as error:
            problems = (
                f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
                for problem in error.errors(include_url=False, include_input=False, include_context=False)
            )
            raise ToolError(f"wrong arguments ({'; '.join(problems)})") from None
        return self._function(checked)


class ToolRunner:
    """Runs the calls of a model. Whatever it writes, the answer is a text that tells it what happened.

    Call `begin_turn` at the start of every turn of the user.

    Args:
        tools: What may be called.
        timeout_s: Limit of one call in seconds.
    """

    def __init__(self, tools: Iterable[Tool] = (), timeout_s: float = 10.0) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._timeout_s = timeout_s
        self._calls = 0

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What to offer the model."""
        return tuple(tool.spec for tool in self._tools.values())

    def register(self, tool: Tool) -> None:
        """Add a tool, in place of one with its name."""
        self._tools[tool.spec.name] = tool

    def remove(self, name: str) -> None:
        """Take a tool away, if it is there."""
        self._tools.pop(name, None)

    def begin_turn(self) -> None:
        """Count the calls of a new turn from zero."""
        self._calls = 0

    async def run(self, call: ToolCall) -> str:
        """Carry out a call and return its output, or "Error: …" when that is not possible.

        Args:
            call: As the model wrote it: nothing about it is trusted.
        """
        self._calls += 1
        if self._calls > MAX_CALLS_PER_TURN:
            return "Error: too many tool calls for one answer. Answer now with what you know."
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            return f"Error: there is no tool named {call.name[:100]!r}. The tools are: {known}."
        try:
            arguments = _parse_arguments(call.arguments)
            async with asyncio.timeout(self._timeout_s):
                output = await tool.run(arguments)
        except ToolError as error:
            output = f"Error: {error}"
        except TimeoutError:
            output = f"Error: {call.name} did not finish within {self._timeout_s:g} seconds."
        except Exception:
            _log.exception("the tool %s failed", call.name)
            output = f"Error: {call.name} failed for a reason inside it."
        if len(output) > MAX_OUTPUT:
            output = f"{output[:MAX_OUTPUT]}… (cut, it had {len(output)} characters)"
        return output


class _DateTimeArguments(BaseModel):
    time_zone: str = Field(
        default="",
        max_length=100,
        description="IANA name such as Europe/Berlin, or a city; empty for the user's own time zone.",
    )


class _CalculatorArguments(BaseModel):
    expression: str = Field(
        description="For example (3 + 4) * 2 or sqrt(2). Functions: abs, round, sqrt, sin, cos, tan, log, ln."
    )


def built_in_tools(now: Callable[[tzinfo | None], datetime] = datetime.now) -> tuple[Tool, ...]:
    """Return the tools that come with the program. They read the clock and calculate, and change nothing.

    Args:
        now: The clock.
    """

    def current_date_time(arguments: _DateTimeArguments) -> str:
        wanted = arguments.time_zone.strip()
        moment = now(_time_zone(wanted)) if wanted else now(None).astimezone()
        offset = moment.strftime("%z")
        return (
            f"{moment:%A}, {moment.day} {moment:%B} {moment.year}, {moment:%H:%M}, "
            f"time zone {moment.tzinfo} (UTC{offset[:3]}:{offset[3:5]})"
        )

    def calculator(arguments: _CalculatorArguments) -> str:
        try:
            return calculate(arguments.expression)
        except CalculationError as error:
            raise ToolError(str(error)) from None

    return (
        FunctionTool(
            "current_date_time",
            "Tells the current date, weekday and time. Use it whenever the answer depends on today or now.",
            _DateTimeArguments,
            current_date_time,
        ),
        FunctionTool(
            "calculator",
            "Works out an arithmetic expression exactly. Use it for any sum that is not trivial.",
            _CalculatorArguments,
            calculator,
        ),
    )


def _time_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        wanted = name.casefold().replace(" ", "_")
    by_name = {known.casefold(): known for known in available_timezones()}
    by_city = {known.rpartition("/")[2]: by_name[known] for known in sorted(by_name)}
    if found := by_name.get(wanted) or by_city.get(wanted):
        return ZoneInfo(found)
    raise ToolError(f"there is no time zone {name!r}; use an IANA name such as Europe/Berlin")


def _schema(arguments: type[BaseModel]) -> dict[str, object]:
    """Return the JSON Schema without pydantic's titles, which only cost tokens."""
    schema: dict[str, object] = arguments.model_json_schema()
    schema.pop("title", None)
    properties = schema.get("properties", {})
    assert isinstance(properties, dict)
    for field in properties.values():
        field.pop("title", None)
    return schema


def _parse_arguments(text: str) -> Mapping[str, object]:
    """Return the arguments of a call: an object, also where the model wrote nothing or quoted it twice."""
    try:
        value = json.loads(text) if text.strip() else {}
        if isinstance(value, str):
            value = json.loads(value)
    except (ValueError, RecursionError):
        raise ToolError("the arguments are no valid JSON; write one JSON object") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ToolError("the arguments must be one JSON object")
    return value
