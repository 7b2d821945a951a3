"""The connection test: which step is blamed for which fault, over real sockets."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from llm.fake_provider import FakeProvider, Reply, Request
from llm.streams import chat_delta, chat_reply
from s2s_desktop.llm.config import BackendConfig
from s2s_desktop.llm.connection_test import Step, StepName, check_connection

KEY = "sk-canary-1234567890"


def json_reply(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status=status, content_type="application/json", mode="length")


MODELS = json_reply({"data": [{"id": "m"}, {"id": "other-model"}]})
HELLO = Reply(chat_reply("Hello", "!"))


def serve(models: Reply, completion: Reply = HELLO) -> Callable[[Request], Reply]:
    return lambda request: models if request.method == "GET" else completion


async def run(config: BackendConfig) -> list[Step]:
    steps = [step async for step in check_connection(config, "chat-completions")]
    assert all(step.sentence and KEY not in step.sentence for step in steps)
    return steps


def verdicts(steps: list[Step]) -> dict[str, bool | None]:
    return {step.name.value: step.ok for step in steps}


async def test_everything_is_well(provider: FakeProvider, config: BackendConfig) -> None:
    provider.answer(serve(MODELS))

    steps = await run(replace(config, api_key=KEY))

    assert [step.name for step in steps] == list(StepName)
    assert verdicts(steps) == {
        "Address": True,
        "Name look-up": None,
        "Connection": True,
        "Key": True,
        "Path": True,
        "Model": True,
        "Reply": True,
    }
    assert f"{provider.base_url}/chat/completions" in steps[0].sentence


async def test_a_local_server_needs_no_key(provider: FakeProvider, config: BackendConfig) -> None:
    provider.answer(serve(MODELS))

    steps = await run(config)

    assert verdicts(steps)["Key"] is None
    assert steps[-1].ok


async def test_the_reply_is_broken_off_at_its_first_words(
    provider: FakeProvider, config: BackendConfig
) -> None:
    provider.answer(serve(MODELS, Reply([chat_delta({"content": "Hello"}), b""], mode="close")))

    last = (await run(config))[-1]
    assert (last.name, last.ok) == (StepName.REPLY, True)
    assert last.sentence.startswith("The first words came after")


@pytest.mark.parametrize(
    ("models", "completion", "blamed"),
    [
        (json_reply({"error": {"message": "bad key"}}, 401), HELLO, StepName.KEY),
        (Reply(b"<html>hi", content_type="text/html"), HELLO, StepName.PATH),
        (json_reply({"error": "Unexpected endpoint or method. (GET /models)"}), HELLO, StepName.PATH),
        (MODELS, json_reply({"error": {"message": "bad key"}}, 401), StepName.KEY),
        (MODELS, json_reply({"error": {"message": "boom"}}, 500), StepName.REPLY),
        (MODELS, Reply(b"data: [DONE]\n\n"), StepName.REPLY),
    ],
    ids=[
        "key refused",
        "web page",
        "error with status 200",
        "key refused later",
        "server error",
        "no answer",
    ],
)
async def test_the_fault_is_blamed_on_its_step_and_ends_the_test(
    provider: FakeProvider, config: BackendConfig, models: Reply, completion: Reply, blamed: StepName
) -> None:
    provider.answer(serve(models, completion))

    steps = await run(replace(config, api_key=KEY))

    assert [step.name for step in steps if step.ok is False] == [blamed]
    assert steps[-1].name is blamed


@pytest.mark.parametrize("status", [403, 404, 405, 500])
async def test_a_server_without_a_model_list_is_asked_all_the_same(
    provider: FakeProvider, config: BackendConfig, status: int
) -> None:
    provider.answer(serve(json_reply({"error": {"message": "not here"}}, status)))

    steps = await run(replace(config, api_key=KEY))

    assert verdicts(steps)["Path"] is None
    assert verdicts(steps)["Model"] is None
    assert steps[-1] == Step(StepName.REPLY, True, steps[-1].sentence)


async def test_a_model_the_server_does_not_list_is_named_with_similar_ones(
    provider: FakeProvider, config: BackendConfig
) -> None:
    provider.answer(serve(MODELS, json_reply({"error": {"message": "model 'other-modle' not found"}}, 404)))

    steps = await run(replace(config, model="other-modle"))

    model = next(step for step in steps if step.name is StepName.MODEL)
    assert model.ok is None
    assert "Similar: other-model" in model.sentence
    assert steps[-1].ok is False


async def test_without_a_model_the_choice_is_shown(provider: FakeProvider, config: BackendConfig) -> None:
    provider.answer(serve(MODELS))

    steps = await run(replace(config, model=" "))

    assert steps[-1].name is StepName.MODEL
    assert steps[-1].ok is False
    assert "m, other-model" in steps[-1].sentence


async def test_nothing_answers(provider: FakeProvider, config: BackendConfig) -> None:
    provider.close()

    steps = await run(config)

    assert steps[-1].name is StepName.CONNECTION
    assert steps[-1].ok is False


async def test_plain_http_behind_https_is_a_connection_fault(
    provider: FakeProvider, config: BackendConfig
) -> None:
    steps = await run(replace(config, base_url=provider.base_url.replace("http:", "https:")))

    assert steps[-1].name is StepName.CONNECTION
    assert "http://" in steps[-1].sentence


async def test_a_name_that_does_not_exist(config: BackendConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "https_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)

    steps = await run(replace(config, base_url="http://does-not-exist.local:9/v1"))

    assert steps[-1].name is StepName.NAME
    assert steps[-1].ok is False


@pytest.mark.parametrize(
    ("base_url", "api_key"), [("htp://x", ""), ("http://", ""), ("http://127.0.0.1:9", "sk\u200b-key")]
)
async def test_what_cannot_be_sent_is_a_step_that_failed(
    config: BackendConfig, base_url: str, api_key: str
) -> None:
    steps = await run(replace(config, base_url=base_url, api_key=api_key))

    assert steps[-1].ok is False


async def test_a_fault_inside_the_program_is_a_step_too(
    provider: FakeProvider, config: BackendConfig, caplog: pytest.LogCaptureFixture
) -> None:
    provider.answer(serve(MODELS))

    def broken(name: object, config: object) -> object:
        raise RuntimeError("boom")

    steps = [step async for step in check_connection(config, "chat-completions", broken)]  # type: ignore[arg-type]

    assert steps[-1].ok is False
    assert "boom" in caplog.text
