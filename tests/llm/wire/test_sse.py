"""Server-sent events come out whole, however the bytes are cut."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.llm.stream.sse import Record, RecordTooLong, SseDecoder


def decode(*chunks: bytes) -> list[Record]:
    decoder = SseDecoder()
    records = [record for chunk in chunks for record in decoder.feed(chunk)]
    return records + decoder.close()


@pytest.mark.parametrize(
    ("body", "records"),
    [
        (b"data: a\n\n", [Record("", "a")]),
        (b"data:a\n\n", [Record("", "a")]),
        (b"data:  a\n\n", [Record("", " a")]),
        (b"event: x\ndata: a\n\n", [Record("x", "a")]),
        (b"data: a\ndata: b\n\n", [Record("", "a\nb")]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [Record("", "a"), Record("", "b")]),
        (b"event: x\r\ndata: a\r\ndata: b\r\n\r\n", [Record("x", "a\nb")]),
        (b"event: x\rdata: a\rdata: b\r\r", [Record("x", "a\nb")]),
        (b"data: a\r\rdata: b\r\r", [Record("", "a"), Record("", "b")]),
        (b"data: a\n\r\ndata: b\r\n\n", [Record("", "a"), Record("", "b")]),
        (b"\xef\xbb\xbfdata: a\n\n", [Record("", "a")]),
        (b": comment\n\ndata: a\n: another\n\n", [Record("", "a")]),
        (b": comment\ndata: a\n\n", [Record("", "a")]),
        (b"id: 7\nretry: 3000\n\ndata: a\nid\n\n", [Record("", "a")]),
        (b"event: ping\n\ndata: a\n\n", [Record("", "a")]),
        (b"data\n\ndata:\n\ndata: \n\ndata: a\n\n", [Record("", "a")]),
        (b"data: a\n\ndata: b", [Record("", "a"), Record("", "b")]),
        (b"data: a\n\ndata: b\n", [Record("", "a"), Record("", "b")]),
        (b'error: {"code":500}\n\n', [Record("error", '{"code":500}')]),
        ("data: a\u2028b\u0085c\n\n".encode(), [Record("", "a\u2028b\u0085c")]),
        (b"data: \xff\n\n", [Record("", "\ufffd")]),
        (b"", []),
        (b"\n\n\n", []),
    ],
)
def test_the_records_of_a_body(body: bytes, records: list[Record]) -> None:
    assert decode(body) == records


LINES = st.lists(
    st.sampled_from(
        [
            "data: é",
            "data: 日本語 🙂",
            "data:",
            "event: x",
            ": comment",
            "id: 1",
            "",
            "",
            "data: [DONE]",
            "\ufeffdata: b",
        ]
    ),
    max_size=12,
)


@settings(deadline=None)
@given(
    lines=LINES, end=st.sampled_from(["\n", "\r\n", "\r"]), cuts=st.lists(st.integers(0, 200), max_size=20)
)
def test_the_same_records_however_the_bytes_are_cut(lines: list[str], end: str, cuts: list[int]) -> None:
    body = end.join(lines).encode()
    edges = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]

    assert decode(*(body[a:b] for a, b in pairwise(edges))) == decode(body)
    assert decode(*(bytes([byte]) for byte in body)) == decode(body)


def test_a_record_comes_out_with_its_blank_line_and_not_later() -> None:
    decoder = SseDecoder()

    assert decoder.feed(b"data: a\n") == []
    assert decoder.feed(b"\n") == [Record("", "a")]


@pytest.mark.parametrize("chunk", [b"x" * 100, b"data: 12345678\n"])
def test_an_endless_line_or_record_is_given_up(chunk: bytes) -> None:
    decoder = SseDecoder(max_record_bytes=1_000)

    with pytest.raises(RecordTooLong):
        feed_many(decoder, chunk)


def feed_many(decoder: SseDecoder, chunk: bytes) -> None:
    for _ in range(1_000):
        decoder.feed(chunk)
