"""Backends by name."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BACKENDS, BackendConfig
from s2s_desktop.llm.protocol import LLMBackend
from s2s_desktop.llm.registry import select_backend

CONFIG = BackendConfig(model="demo")


@pytest.mark.parametrize("name", BACKENDS)
def test_both_backends_go_by_their_names(name: str, caplog: pytest.LogCaptureFixture) -> None:
    backend: LLMBackend = select_backend(name, CONFIG)

    assert backend.name == name
    assert backend.config is CONFIG
    assert caplog.records == []


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("chat", "chat-completions"),
        ("chat_completions", "chat-completions"),
        ("chat-completions-api", "chat-completions"),
        (" Chat-Completions-API ", "chat-completions"),
        ("responses", "responses-api"),
        ("responses_api", "responses-api"),
        ("open_api", "responses-api"),
        ("openai-api", "responses-api"),
    ],
)
def test_older_names_are_understood(alias: str, name: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert select_backend(alias, CONFIG).name == name

    exact = alias.strip().lower().replace("_", "-") in BACKENDS
    assert bool(caplog.records) is not exact


@pytest.mark.parametrize("name", ["", "transformers", "realtime", "responses-api2"])
def test_an_unknown_name_is_told_with_both_that_are_known(name: str) -> None:
    with pytest.raises(AssistantError) as caught:
        select_backend(name, CONFIG)

    assert caught.value.kind is ErrorKind.BAD_REQUEST
    assert all(known in caught.value.message for known in BACKENDS)


def test_choosing_a_backend_does_not_load_the_sdk() -> None:
    code = """
import sys
from s2s_desktop.llm.config import BackendConfig
from s2s_desktop.llm.registry import select_backend
select_backend("responses-api", BackendConfig(base_url="htp://broken", model=""))
assert not {"openai", "httpx2", "PySide6"} & set(sys.modules), "loaded too early"
"""
    subprocess.run([sys.executable, "-c", code], check=True)
