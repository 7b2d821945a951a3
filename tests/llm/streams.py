"""Builds the bytes of replies in both protocols, so that tests can say what a server sends."""

from __future__ import annotations

import json

DONE = b"data: [DONE]\n\n"


def sse(value: object, event: str = "") -> bytes:
    """Return one record."""
    name = f"event: {event}\n" if event else ""
    return f"{name}data: {json.dumps(value)}\n\n".encode()


def chat_delta(delta: object = None, *, finish: str | None = None, **extra: object) -> bytes:
    """Return a chat chunk with one choice."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return sse({"id": "cc-1", "object": "chat.completion.chunk", "model": "m", "choices": [choice], **extra})


def chat_text(*pieces: str) -> bytes:
    """Return chat chunks with text."""
    return b"".join(chat_delta({"content": piece}) for piece in pieces)


def chat_reply(*pieces: str, finish: str = "stop", usage: tuple[int, int] | None = None) -> bytes:
    """Return a whole streamed chat reply of text."""
    end = chat_delta({}, finish=finish)
    if usage is not None:
        end += sse({"choices": [], "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}})
    return chat_delta({"role": "assistant", "content": ""}) + chat_text(*pieces) + end + DONE


def chat_tool(name: str = "", arguments: object = "", *, index: object = 0, call_id: object = None) -> bytes:
    """Return a chat chunk with a piece of a tool call."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value != ""}
    piece: dict[str, object] = {"index": index, "type": "function", "function": function}
    if call_id is not None:
        piece["id"] = call_id
    if index is None:
        del piece["index"]
    return chat_delta({"tool_calls": [piece]})


def response_event(name: str, **fields: object) -> bytes:
    """Return a Responses event."""
    kind = name if name == "error" else f"response.{name}"
    return sse({"type": kind, **fields}, kind)


def message_item(text: str, item_id: str = "msg_1", kind: str = "output_text") -> dict[str, object]:
    """Return a message item as it is when it is done."""
    key = "refusal" if kind == "refusal" else "text"
    return {
        "type": "message",
        "id": item_id,
        "role": "assistant",
        "status": "completed",
        "content": [{"type": kind, key: text}],
    }


def call_item(name: str, arguments: str, call_id: str = "call_1", item_id: str = "fc_1") -> dict[str, object]:
    """Return a function call item as it is when it is done."""
    return {"type": "function_call", "id": item_id, "call_id": call_id, "name": name, "arguments": arguments}


def response_message(
    *pieces: str, index: int = 0, item_id: str = "msg_1", kind: str = "output_text"
) -> bytes:
    """Return the events of one message item in the usual order."""
    where = {"item_id": item_id, "output_index": index, "content_index": 0}
    text = "".join(pieces)
    added = {"type": "message", "id": item_id, "role": "assistant", "content": []}
    whole = {"refusal" if kind == "refusal" else "text": text}
    return b"".join(
        [
            response_event("output_item.added", output_index=index, item=added),
            response_event("content_part.added", **where, part={"type": kind, "text": ""}),
            *(response_event(f"{kind}.delta", **where, delta=piece) for piece in pieces),
            response_event(f"{kind}.done", **where, **whole),
            response_event("content_part.done", **where, part={"type": kind, **whole}),
            response_event("output_item.done", output_index=index, item=message_item(text, item_id, kind)),
        ]
    )


def response_call(
    name: str, *pieces: str, index: int = 1, call_id: str = "call_1", item_id: str = "fc_1"
) -> bytes:
    """Return the events of one function call item in the usual order."""
    where = {"item_id": item_id, "output_index": index}
    arguments = "".join(pieces)
    return b"".join(
        [
            response_event(
                "output_item.added", output_index=index, item=call_item(name, "", call_id, item_id)
            ),
            *(response_event("function_call_arguments.delta", **where, delta=piece) for piece in pieces),
            response_event("function_call_arguments.done", **where, arguments=arguments),
            response_event(
                "output_item.done", output_index=index, item=call_item(name, arguments, call_id, item_id)
            ),
        ]
    )


def response_end(
    *output: dict[str, object],
    usage: tuple[int, int] | None = None,
    status: str = "completed",
    **fields: object,
) -> bytes:
    """Return the closing event."""
    tokens = None if usage is None else {"input_tokens": usage[0], "output_tokens": usage[1]}
    response = {"id": "resp_1", "status": status, "output": list(output), "usage": tokens, **fields}
    return response_event(status, response=response)


def response_reply(*pieces: str, usage: tuple[int, int] | None = None) -> bytes:
    """Return a whole streamed Responses reply of text."""
    created = response_event("created", response={"id": "resp_1", "status": "in_progress"})
    return created + response_message(*pieces) + response_end(message_item("".join(pieces)), usage=usage)
