"""Tools: every call gets an answer that the model can use, whatever it wrote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo

import pytest

from s2s_desktop.llm.config import ToolSpec
from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.tools.runner import MAX_CALLS_PER_TURN, MAX_OUTPUT, ToolError, ToolRunner, built_in_tools


def fixed_clock(zone: tzinfo | None) -> datetime:
    return datetime(2026, 3, 4, 23, 5, tzinfo=UTC).astimezone(zone)


@pytest.fixture
def runner() -> ToolRunner:
    return ToolRunner(built_in_tools(fixed_clock))


def call(name: str, arguments: str = "{}") -> ToolCall:
    return ToolCall("call_1", name, arguments)


class Scripted:
    """A tool of another source, such as an MCP server."""

    def __init__(self, result: str | Exception) -> None:
        self.spec = ToolSpec("scripted", "Does what the test says.", {"type": "object", "properties": {}})
        self.result = result

    async def run(self, arguments: Mapping[str, object]) -> str:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


class Endless(Scripted):
    async def run(self, arguments: Mapping[str, object]) -> str:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("Europe/Berlin", "Thursday, 5 March 2026, 00:05, time zone Europe/Berlin (UTC+01:00)"),
        ("tokyo", "Thursday, 5 March 2026, 08:05, time zone Asia/Tokyo (UTC+09:00)"),
        ("New York", "Wednesday, 4 March 2026, 18:05, time zone America/New_York (UTC-05:00)"),
        ("utc", "Wednesday, 4 March 2026, 23:05, time zone UTC (UTC+00:00)"),
    ],
)
async def test_the_time_somewhere(runner: ToolRunner, zone: str, expected: str) -> None:
    assert await runner.run(call("current_date_time", json.dumps({"time_zone": zone}))) == expected


@pytest.mark.parametrize("arguments", ["", "{}", "null", '{"time_zone": ""}', '"{}"', '{"unknown": 1}'])
async def test_the_time_here(runner: ToolRunner, arguments: str) -> None:
    assert "March 2026" in await runner.run(call("current_date_time", arguments))


@pytest.mark.parametrize("zone", ["Atlantis", "../../etc/passwd", "/etc/passwd", "Europe", "\x00"])
async def test_a_place_without_a_time_zone(runner: ToolRunner, zone: str) -> None:
    output = await runner.run(call("current_date_time", json.dumps({"time_zone": zone})))

    assert output.startswith("Error: there is no time zone")


async def test_the_calculator(runner: ToolRunner) -> None:
    assert await runner.run(call("calculator", '{"expression": "(3 + 4) * 2"}')) == "14"
    assert "divides by zero" in await runner.run(call("calculator", '{"expression": "1/0"}'))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("{", "no valid JSON"),
        ("[1]", "one JSON object"),
        ("7", "one JSON object"),
        ("[" * 100_000, "no valid JSON"),
        ("{}", "expression: Field required"),
        ('{"expression": 7}', "expression: Input should be a valid string"),
    ],
)
async def test_wrong_arguments_are_explained_to_the_model(
    runner: ToolRunner, arguments: str, why: str
) -> None:
    output = await runner.run(call("calculator", arguments))

    assert output.startswith("Error: ")
    assert why in output


async def test_an_unknown_tool_is_answered_with_those_there_are(runner: ToolRunner) -> None:
    output = await runner.run(call("web_search"))

    assert output == (
        "Error: there is no tool named 'web_search'. The tools are: current_date_time, calculator."
    )


async def test_a_tool_that_fails_does_not_fail_the_turn(caplog: pytest.LogCaptureFixture) -> None:
    runner = ToolRunner([Scripted(RuntimeError("boom at /home/user"))])

    output = await runner.run(call("scripted"))

    assert output == "Error: scripted failed for a reason inside it."
    assert "boom" in caplog.text


async def test_a_tool_can_say_what_the_model_did_wrong() -> None:
    assert await ToolRunner([Scripted(ToolError("try again"))]).run(call("scripted")) == "Error: try again"


async def test_a_tool_that_hangs_is_given_up() -> None:
    output = await ToolRunner([Endless("")], timeout_s=0.05).run(call("scripted"))

    assert output == "Error: scripted did not finish within 0.05 seconds."


async def test_cancelling_a_turn_cancels_its_tool() -> None:
    task = asyncio.ensure_future(ToolRunner([Endless("")]).run(call("scripted")))
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_long_output_is_cut() -> None:
    output = await ToolRunner([Scripted("x" * 100_000)]).run(call("scripted"))

    assert len(output) < MAX_OUTPUT + 60
    assert output.endswith("(cut, it had 100000 characters)")


async def test_calls_are_limited_for_each_turn(runner: ToolRunner) -> None:
    request = call("calculator", '{"expression": "1"}')
    outputs = [await runner.run(request) for _ in range(MAX_CALLS_PER_TURN + 1)]
    assert outputs[:-1] == ["1"] * MAX_CALLS_PER_TURN
    assert outputs[-1].startswith("Error: too many tool calls")

    runner.begin_turn()
    assert await runner.run(request) == "1"


async def test_tools_of_other_sources_come_and_go(runner: ToolRunner) -> None:
    runner.register(Scripted("hello"))
    assert await runner.run(call("scripted")) == "hello"
    assert [spec.name for spec in runner.specs] == ["current_date_time", "calculator", "scripted"]

    runner.remove("scripted")
    assert (await runner.run(call("scripted"))).startswith("Error: there is no tool")


def test_schemas_are_objects_without_needless_titles(runner: ToolRunner) -> None:
    for spec in runner.specs:
        assert spec.parameters["type"] == "object"
        assert "title" not in json.dumps(spec.parameters)
