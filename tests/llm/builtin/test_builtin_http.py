"""What the built-in server says to the app, and what to everybody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from llm.builtin_kit import QUESTION
from s2s_desktop.llm.builtin.child import API_PREFIX
from s2s_desktop.llm.builtin.server import BuiltinServer
from s2s_desktop.llm.http.endpoint import normalize_base_url

pytestmark = pytest.mark.models

_TOOL = {
    "name": "get_time",
    "description": "Current time in a city",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
_ORIGINS = ["https://evil.example", "http://localhost:3000", "http://127.0.0.1:8000", "null"]


def _events(answer: httpx2.Response) -> list[dict[str, Any]]:
    data = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    return [json.loads(item) for item in data if item != "[DONE]"]


def test_answers_a_chat_completion(client: httpx2.Client) -> None:
    body = {"messages": QUESTION, "temperature": 0, "max_tokens": 4}
    reply = client.post("/chat/completions", json=body).raise_for_status().json()
    assert reply["choices"][0]["message"]["content"]
    assert reply["usage"]["completion_tokens"] == 4


def test_streams_a_chat_completion(client: httpx2.Client) -> None:
    body = {
        "messages": QUESTION,
        "temperature": 0,
        "max_tokens": 4,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    answer = client.post("/chat/completions", json=body).raise_for_status()
    events = _events(answer)
    deltas = [choice["delta"].get("content") for event in events for choice in event["choices"]]
    assert len([delta for delta in deltas if delta]) > 1
    assert events[-1]["usage"]["completion_tokens"] == 4
    assert answer.text.rstrip().endswith("[DONE]")


def test_answers_a_response(client: httpx2.Client) -> None:
    reply = (
        client.post("/responses", json={"input": QUESTION, "temperature": 0, "max_output_tokens": 4})
        .raise_for_status()
        .json()
    )
    assert reply["output"][0]["content"][0]["text"]
    assert reply["usage"]["output_tokens"] == 4


def test_streams_a_response(client: httpx2.Client) -> None:
    body = {"input": QUESTION, "temperature": 0, "max_output_tokens": 4, "stream": True}
    events = _events(client.post("/responses", json=body).raise_for_status())
    assert len([event for event in events if event["type"] == "response.output_text.delta"]) > 1
    assert events[-1]["type"] == "response.completed"
    assert events[-1]["response"]["usage"]["output_tokens"] == 4


def test_names_the_model_and_not_its_path(client: httpx2.Client, shared_server: BuiltinServer) -> None:
    answer = client.get("/models").raise_for_status()
    assert [model["id"] for model in answer.json()["data"]] == [shared_server.model]
    assert str(shared_server.model_file.parent) not in answer.text


def test_calls_a_tool_on_chat_completions(client: httpx2.Client) -> None:
    function = {"name": "get_time", "arguments": '{"city": "Rome"}'}
    example = {"id": "1", "type": "function", "function": function}
    body = {
        "messages": [
            {"role": "system", "content": "You are a helpful assistant."},
            {"role": "user", "content": "What time is it in Rome?"},
            {"role": "assistant", "content": None, "tool_calls": [example]},
            {"role": "tool", "tool_call_id": "1", "content": "12:00"},
            {"role": "assistant", "content": "It is 12:00 in Rome."},
            {"role": "user", "content": "What time is it in Paris?"},
        ],
        "tools": [{"type": "function", "function": _TOOL}],
        "temperature": 0,
        "max_tokens": 60,
    }
    choice = client.post("/chat/completions", json=body).raise_for_status().json()["choices"][0]
    call = choice["message"]["tool_calls"][0]["function"]
    assert (call["name"], json.loads(call["arguments"])) == ("get_time", {"city": "Paris"})
    assert choice["finish_reason"] == "tool_calls"


def test_streams_a_tool_call_on_responses(client: httpx2.Client) -> None:
    said = [{"type": "output_text", "text": "It is 12:00 in Rome."}]
    body = {
        "input": [
            {"role": "system", "content": "You are a helpful assistant."},
            {"role": "user", "content": "What time is it in Rome?"},
            {"type": "function_call", "call_id": "1", "name": "get_time", "arguments": '{"city": "Rome"}'},
            {"type": "function_call_output", "call_id": "1", "output": "12:00"},
            {"type": "message", "role": "assistant", "content": said},
            {"role": "user", "content": "What time is it in Paris?"},
        ],
        "tools": [{"type": "function", **_TOOL}],
        "temperature": 0,
        "max_output_tokens": 60,
        "stream": True,
    }
    events = _events(client.post("/responses", json=body).raise_for_status())
    call = next(item for item in events[-1]["response"]["output"] if item["type"] == "function_call")
    assert (call["name"], json.loads(call["arguments"])) == ("get_time", {"city": "Paris"})


def test_a_conversation_without_tools_reads_as_the_model_learned_it(client: httpx2.Client) -> None:
    url = str(client.base_url).removesuffix("/v1/") + "/apply-template"
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    prompt = client.post(url, json={"messages": messages}).raise_for_status().json()["prompt"]
    assert prompt == (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    )


def test_the_start_of_a_conversation_is_computed_once(client: httpx2.Client) -> None:
    system = {"role": "system", "content": "You are a friendly assistant with a calm voice. " * 8}

    def cached_tokens(question: str) -> int:
        body = {"messages": [system, {"role": "user", "content": question}], "max_tokens": 1}
        usage = client.post("/chat/completions", json=body).raise_for_status().json()["usage"]
        return int(usage["prompt_tokens_details"]["cached_tokens"])

    cached_tokens("What is a tree?")
    other = {"messages": [{"role": "user", "content": "Give it a title."}], "max_tokens": 1}
    client.post("/chat/completions", json=other).raise_for_status()
    assert cached_tokens("Where do birds sleep?") > 60


def test_a_closed_stream_ends_the_work_for_it(client: httpx2.Client, shared_server: BuiltinServer) -> None:
    body = {"messages": QUESTION, "stream": True, "max_tokens": 3000, "ignore_eos": True}
    with client.stream("POST", "/chat/completions", json=body) as stream:
        next(stream.iter_lines())
    client.post("/chat/completions", json={"messages": QUESTION, "max_tokens": 1}).raise_for_status()
    log = shared_server.log_file.read_text()
    assert "cancel task" in log
    assert "n_gen =   3000" not in log


def test_a_prompt_that_is_too_long_is_refused_by_name(client: httpx2.Client) -> None:
    body = {"messages": [{"role": "user", "content": "word " * 5000}]}
    answer = client.post("/chat/completions", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "exceed_context_size_error"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer guess"}, {"X-Api-Key": "guess"}])
@pytest.mark.parametrize(
    "path",
    [
        "/v1/models",
        "/health",
        "/v1/health",
        "/props",
        "/slots",
        "/metrics",
        "/tokenize",
        "/v1/chat/completions",
    ],
)
def test_says_nothing_without_the_key(
    shared_server: BuiltinServer, path: str, headers: dict[str, str]
) -> None:
    root = shared_server.base_url.removesuffix("/v1")
    for method in ("GET", "POST"):
        answer = httpx2.request(method, root + path, headers=headers, trust_env=False)
        assert answer.status_code == 401, f"{method} {path}"


@pytest.mark.parametrize("path", ["/", "/index.html", "/health", "/v1/models", "/v1/chat/completions"])
def test_serves_nothing_at_the_paths_a_page_would_guess(shared_server: BuiltinServer, path: str) -> None:
    root = shared_server.base_url.removesuffix(f"{API_PREFIX}/v1")
    assert httpx2.get(root + path, trust_env=False).status_code in (401, 404)


@pytest.mark.parametrize("origin", _ORIGINS)
def test_a_web_page_gets_no_leave_to_read(
    client: httpx2.Client, shared_server: BuiltinServer, origin: str
) -> None:
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    url = f"{shared_server.base_url}/chat/completions"
    preflight = httpx2.options(url, headers=asked, trust_env=False)
    refused = httpx2.post(url, headers={"Origin": origin}, json={"messages": QUESTION}, trust_env=False)
    answered = client.get("/models", headers={"Origin": origin})
    for answer in (preflight, refused, answered):
        granted = {
            name: value for name, value in answer.headers.items() if name.startswith("access-control-")
        }
        assert granted in ({}, {"access-control-allow-credentials": "false"})
    assert preflight.text == ""
    assert refused.status_code == 401


def test_a_page_whose_name_was_rebound_to_this_machine_is_refused(shared_server: BuiltinServer) -> None:
    port = urlsplit(shared_server.base_url).port
    headers = {"Host": f"evil.example:{port}", "Content-Type": "text/plain"}
    answer = httpx2.post(
        f"{shared_server.base_url}/chat/completions", headers=headers, content="{}", trust_env=False
    )
    assert answer.status_code == 401


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads the socket table of Linux")
def test_listens_on_loopback_alone(shared_server: BuiltinServer) -> None:
    port = f":{urlsplit(shared_server.base_url).port:04X}"
    rows = [
        line.split()
        for table in ("/proc/net/tcp", "/proc/net/tcp6")
        for line in Path(table).read_text().splitlines()[1:]
    ]
    listening = [row[1] for row in rows if row[3] == "0A" and row[1].endswith(port)]
    assert listening == [f"0100007F{port}"]


def test_the_app_takes_its_base_url_as_it_is(shared_server: BuiltinServer) -> None:
    endpoint = normalize_base_url(shared_server.base_url, "chat-completions")
    assert (endpoint.base_url, endpoint.is_local, endpoint.warning) == (shared_server.base_url, True, "")
