"""Tries a profile step by step, so that the user sees where it stops and what to do."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import ipaddress
import logging
import socket
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from enum import StrEnum

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BackendConfig, BackendName
from s2s_desktop.llm.events import FinishReason, ReasoningDelta, ReplyFinished, TextDelta, ToolCall
from s2s_desktop.llm.http.endpoint import Endpoint, normalize_base_url
from s2s_desktop.llm.http.proxies import find_proxy
from s2s_desktop.llm.items import UserMessage
from s2s_desktop.llm.model_list import ModelList, closest, list_models
from s2s_desktop.llm.protocol import LLMBackend
from s2s_desktop.llm.registry import select_backend

_log = logging.getLogger(__name__)

_QUESTION = "Say hello in one word."


class StepName(StrEnum):
    """What is tried, in this order."""

    ADDRESS = "Address"
    NAME = "Name look-up"
    CONNECTION = "Connection"
    KEY = "Key"
    PATH = "Path"
    MODEL = "Model"
    REPLY = "Reply"


@dataclass(frozen=True, slots=True)
class Step:
    """The outcome of one step.

    Attributes:
        name: The step.
        ok: Whether it went well; None when it does not apply or cannot be told yet.
        sentence: What was found, and what to do when it failed. Never holds a key.
    """

    name: StepName
    ok: bool | None
    sentence: str


MakeBackend = Callable[[BackendName, BackendConfig], LLMBackend]


def _select(name: BackendName, config: BackendConfig) -> LLMBackend:
    return select_backend(name, config)


async def check_connection(
    config: BackendConfig, backend: BackendName, make_backend: MakeBackend = _select
) -> AsyncGenerator[Step, None]:
    """Try an endpoint and yield what each step found.

    Ends at the first step that failed for certain. A server without a model list is asked for a reply all
    the same: only that decides. Costs a few tokens.

    Args:
        config: The profile with its key.
        backend: Its protocol.
        make_backend: Makes the backend that is asked for a reply.

    Yields:
        Steps in the order of `StepName`. Never raises, except when it is cancelled.
    """
    name = StepName.ADDRESS
    try:
        async with contextlib.aclosing(_steps(config, backend, make_backend)) as steps:
            async for step in steps:
                yield step
                name = step.name
    except AssistantError as error:
        yield Step(name, False, error.message)
    except Exception:
        _log.exception("the connection test failed")
        yield Step(name, False, "The test itself failed for a reason inside this program; see the log.")


async def _steps(
    config: BackendConfig, backend: BackendName, make_backend: MakeBackend
) -> AsyncGenerator[Step, None]:
    endpoint = normalize_base_url(config.base_url, backend)
    sentence = f"Requests go to {endpoint.final_url}. {endpoint.warning}".strip()
    yield Step(StepName.ADDRESS, True, sentence)

    step = await _look_up(endpoint, config.timeouts.connect)
    yield step
    if step.ok is False:
        return

    models = await list_models(config, backend)
    for step in _judge(models, endpoint, config):
        yield step
        if step.ok is False:
            return

    yield await _reply(config, backend, make_backend)


async def _look_up(endpoint: Endpoint, timeout_s: float) -> Step:
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(endpoint.hostname.split("%")[0])
        return Step(StepName.NAME, None, "The base URL holds an address: there is no name to look up.")
    scheme = endpoint.base_url.partition(":")[0]
    if not endpoint.is_local and find_proxy(scheme, endpoint.hostname) is not None:
        return Step(StepName.NAME, None, "A proxy is set; it looks the name up.")
    try:
        async with asyncio.timeout(timeout_s):
            loop = asyncio.get_running_loop()
            found = await loop.getaddrinfo(endpoint.hostname, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, TimeoutError):
        return Step(
            StepName.NAME,
            False,
            f"The name {endpoint.hostname} was not found. Check the base URL and the network connection.",
        )
    return Step(StepName.NAME, True, f"{endpoint.hostname} is {found[0][4][0]}.")


def _judge(models: ModelList, endpoint: Endpoint, config: BackendConfig) -> list[Step]:
    """Return what the answer to the request for the model list says about connection, key, path and model."""
    if models.status is None:
        return [Step(StepName.CONNECTION, False, models.problem)]
    secure = "over TLS" if endpoint.base_url.startswith("https:") else "without encryption"
    steps = [Step(StepName.CONNECTION, True, f"{endpoint.host} answers, {secure}.")]
    steps.append(_judge_key(models, has_key=bool(config.api_key)))
    steps.append(_judge_path(models))
    steps.append(_judge_model(models, config.model.strip()))
    return steps


def _judge_key(models: ModelList, has_key: bool) -> Step:
    if models.status == 401:
        return Step(StepName.KEY, False, models.problem)
    if models.status == 403:
        return Step(StepName.KEY, None, f"The key may not be used to list models. {models.problem}")
    if not has_key:
        return Step(StepName.KEY, None, "No key is set, and none was asked for so far.")
    return Step(StepName.KEY, True, "The key was sent and not refused.")


def _judge_path(models: ModelList) -> Step:
    if models.names:
        return Step(StepName.PATH, True, f"The server lists {len(models.names)} models.")
    if models.status is not None and 200 <= models.status < 400 and models.kind is not None:
        return Step(StepName.PATH, False, models.problem)
    return Step(StepName.PATH, None, f"The server gives no list of models. {models.problem}")


def _judge_model(models: ModelList, model: str) -> Step:
    if not model:
        some = f" This server has {', '.join(models.names[:5])}." if models.names else ""
        return Step(StepName.MODEL, False, f"No model is chosen. Enter its name in this profile.{some}")
    if not models.names:
        return Step(StepName.MODEL, None, "Whether the server has the model shows when it is asked.")
    if closest(model, models.names):
        return Step(StepName.MODEL, True, f"The server has {model}.")
    similar = difflib.get_close_matches(model, models.names, n=3, cutoff=0.4)
    hint = f" Similar: {', '.join(similar)}." if similar else ""
    return Step(StepName.MODEL, None, f"{model} is not in the server's list.{hint}")


async def _reply(config: BackendConfig, backend: BackendName, make_backend: MakeBackend) -> Step:
    client = make_backend(backend, config)
    began = time.monotonic()
    try:
        async with contextlib.aclosing(client.reply([UserMessage.of(_QUESTION)])) as events:
            async for event in events:
                took = f"after {time.monotonic() - began:.1f} s"
                match event:
                    case TextDelta() | ToolCall():
                        return Step(StepName.REPLY, True, f"The first words came {took}.")
                    case ReasoningDelta():
                        sentence = f"The model began to think {took}; it answers when it has finished."
                        return Step(StepName.REPLY, True, sentence)
                    case ReplyFinished(reason=FinishReason.LENGTH):
                        return Step(StepName.REPLY, True, f"A reply came {took}, cut by the length limit.")
                    case ReplyFinished(error=AssistantError() as error):
                        return Step(_blamed(error.kind), False, error.message)
        return Step(StepName.REPLY, False, "The server answered without a word.")
    finally:
        await client.aclose()


def _blamed(kind: ErrorKind) -> StepName:
    """Return the step that a failed reply speaks about."""
    return {ErrorKind.AUTH: StepName.KEY, ErrorKind.MODEL_MISSING: StepName.MODEL}.get(kind, StepName.REPLY)
