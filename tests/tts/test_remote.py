"""A voice from a server, over a real socket."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from llm.fake_provider import Drop, FakeProvider, Reply, Stall, WaitFor
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.speech_server.client import SpeechServerClient
from s2s_desktop.tts.protocol import VoiceChunk
from s2s_desktop.tts.remote import MAX_CHARACTERS, RemoteSynthesizer
from speech_server.speech_kit import MODEL, RATE, refusal, tone, voice, wav_file

TEXT = "Turn on the living room lamp."


@pytest.fixture
def server() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        yield provider


@pytest.fixture
def synthesizer(server: FakeProvider) -> Iterator[RemoteSynthesizer]:
    synthesizer = RemoteSynthesizer(SpeechServerClient(server.base_url, MODEL), voice="some_voice")
    yield synthesizer
    synthesizer.close()


def _sound(chunks: list[VoiceChunk]) -> np.ndarray:
    return np.concatenate([chunk.samples for chunk in chunks])


@pytest.mark.parametrize("slice_size", [0, 1, 777])
def test_a_voice_comes_whole_however_it_is_cut(
    server: FakeProvider, synthesizer: RemoteSynthesizer, slice_size: int
) -> None:
    """An odd number of bytes cuts samples in two."""
    said = tone(0.03)
    server.script(voice(said, slice_size))
    chunks = list(synthesizer.synthesize(TEXT))
    assert {chunk.sample_rate for chunk in chunks} == {RATE}
    assert all(chunk.samples.dtype == np.float32 and chunk.samples.size for chunk in chunks)
    np.testing.assert_allclose(_sound(chunks), said / 32768, atol=1e-6)
    assert "".join(chunk.text for chunk in chunks) == TEXT


def test_the_voice_is_heard_while_it_is_made(server: FakeProvider, synthesizer: RemoteSynthesizer) -> None:
    go_on = threading.Event()
    sound = tone(1.0).tobytes()
    server.script(Reply([sound, WaitFor(go_on), sound], content_type="audio/pcm"))
    chunks = synthesizer.synthesize(TEXT)
    heard = [next(chunks)]
    while _sound(heard).size < 0.9 * RATE:  # A socket hands out what it has, which may be less.
        heard.append(next(chunks))
    said = "".join(chunk.text for chunk in heard)
    assert TEXT.startswith(said)
    assert said != TEXT, "words that are not spoken yet are not given"
    go_on.set()
    assert said + "".join(chunk.text for chunk in chunks) == TEXT


def test_what_is_sent(server: FakeProvider) -> None:
    client = SpeechServerClient(server.base_url, MODEL)
    synthesizer = RemoteSynthesizer(client, voice=" some_voice ", speed=1.5)
    server.script(voice(tone(0.1)))
    list(synthesizer.synthesize(TEXT, "fr"))
    assert server.requests[0].json() == {
        "model": MODEL,
        "input": TEXT,
        "voice": "some_voice",
        "response_format": "pcm",
        "speed": 1.5,
        "stream": True,
    }
    synthesizer.close()


def test_without_a_voice_the_server_chooses(server: FakeProvider) -> None:
    synthesizer = RemoteSynthesizer(SpeechServerClient(server.base_url, MODEL))
    server.script(voice(tone(0.1)))
    list(synthesizer.synthesize(TEXT))
    assert set(server.requests[0].json()) == {"model", "input", "response_format", "stream"}
    synthesizer.close()


@pytest.mark.parametrize("text", ["", "  ", "...", "—"])
def test_nothing_to_say_asks_nobody(server: FakeProvider, synthesizer: RemoteSynthesizer, text: str) -> None:
    assert list(synthesizer.synthesize(text)) == []
    assert server.requests == []


def test_silence_around_the_voice_is_cut(server: FakeProvider, synthesizer: RemoteSynthesizer) -> None:
    silence = np.zeros(RATE // 2, "<i2")
    server.script(voice(np.concatenate([silence, tone(0.5), silence, tone(0.5), silence]), 4_999))
    sound = _sound(list(synthesizer.synthesize(TEXT)))
    assert sound.size / RATE == pytest.approx(0.03 + 0.5 + 0.5 + 0.5 + 0.25, abs=0.01)


def test_a_voice_of_nothing_but_silence_is_no_chunk(
    server: FakeProvider, synthesizer: RemoteSynthesizer
) -> None:
    server.script(voice(np.zeros(RATE, "<i2")))
    assert list(synthesizer.synthesize(TEXT)) == []


def test_loading_learns_the_sample_rate_of_raw_samples(
    server: FakeProvider, synthesizer: RemoteSynthesizer
) -> None:
    server.script(
        Reply(wav_file(tone(0.1, 22_050), 22_050), content_type="audio/wav"), voice(tone(0.1, 22_050))
    )
    synthesizer.load()
    assert server.requests[0].json()["response_format"] == "wav"
    chunks = list(synthesizer.synthesize(TEXT))
    assert {chunk.sample_rate for chunk in chunks} == {22_050}


def test_loading_says_what_has_to_be_corrected(server: FakeProvider, synthesizer: RemoteSynthesizer) -> None:
    server.script(refusal(400, "Voice 'some_voice' is not available"))
    with pytest.raises(AssistantError, match="some_voice") as failure:
        synthesizer.load()
    assert failure.value.kind is ErrorKind.BAD_REQUEST


def test_a_server_that_is_not_started_yet_does_not_stop_the_start(
    server: FakeProvider, synthesizer: RemoteSynthesizer
) -> None:
    server.close()
    synthesizer.load()
    with pytest.raises(AssistantError, match="Nothing answers"):
        list(synthesizer.synthesize(TEXT))


def test_a_server_without_raw_samples_sends_wav(server: FakeProvider, synthesizer: RemoteSynthesizer) -> None:
    server.script(
        refusal(400, "response_format pcm is not supported"),
        Reply(wav_file(tone(0.2, 16_000), 16_000), content_type="audio/wav", slice=11),
    )
    chunks = list(synthesizer.synthesize(TEXT))
    assert {chunk.sample_rate for chunk in chunks} == {16_000}
    np.testing.assert_allclose(_sound(chunks), tone(0.2, 16_000) / 32768, atol=1e-6)


def test_a_voice_that_breaks_off_gives_what_came_and_says_so(
    server: FakeProvider, synthesizer: RemoteSynthesizer
) -> None:
    server.script(Reply([tone(0.5).tobytes(), Drop()], content_type="audio/pcm"), voice(tone(0.1)))
    chunks = synthesizer.synthesize(TEXT)
    assert next(chunks).samples.size
    with pytest.raises(AssistantError, match="broke off") as failure:
        list(chunks)
    assert failure.value.kind is ErrorKind.TRUNCATED
    assert list(synthesizer.synthesize(TEXT)), "the next clause works"


def test_an_empty_voice_is_no_silent_success(server: FakeProvider, synthesizer: RemoteSynthesizer) -> None:
    server.script(Reply(b"", content_type="audio/pcm"))
    with pytest.raises(AssistantError, match="sent no voice") as failure:
        list(synthesizer.synthesize(TEXT))
    assert failure.value.kind is ErrorKind.EMPTY


def test_closing_the_iterator_closes_the_stream(server: FakeProvider, synthesizer: RemoteSynthesizer) -> None:
    server.script(Reply([tone(0.5).tobytes(), Stall()], content_type="audio/pcm"), voice(tone(0.1)))
    chunks = synthesizer.synthesize(TEXT)
    next(chunks)
    chunks.close()
    server.wait_for_disconnect()
    assert list(chunks) == []
    assert list(synthesizer.synthesize(TEXT)), "the next clause works"


def test_an_iterator_that_is_left_alone_is_closed_by_the_next(
    server: FakeProvider, synthesizer: RemoteSynthesizer
) -> None:
    server.script(Reply([tone(0.5).tobytes(), Stall()], content_type="audio/pcm"), voice(tone(0.1)))
    next(synthesizer.synthesize(TEXT))
    assert list(synthesizer.synthesize(TEXT))
    server.wait_for_disconnect()


@pytest.mark.parametrize("begun", [True, False])
def test_another_thread_ends_the_voice_at_once(
    server: FakeProvider, synthesizer: RemoteSynthesizer, begun: bool
) -> None:
    stalled = Reply([tone(0.5).tobytes(), Stall()], content_type="audio/pcm")
    server.script(stalled if begun else Reply(before=[Stall()]), voice(tone(0.1)))
    chunks = synthesizer.synthesize(TEXT)
    heard: list[VoiceChunk] = []
    spoke = threading.Event()

    def speak() -> None:
        for chunk in chunks:
            heard.append(chunk)
            spoke.set()

    thread = threading.Thread(target=speak)
    thread.start()
    server.wait_for_request()
    if begun:
        assert spoke.wait(5.0)
    chunks.close()
    thread.join(5.0)
    assert not thread.is_alive()
    assert bool(heard) is begun
    server.wait_for_disconnect()
    assert list(synthesizer.synthesize(TEXT)), "the next clause works"


def test_closing_the_synthesizer_from_another_thread_ends_everything(
    server: FakeProvider, synthesizer: RemoteSynthesizer
) -> None:
    server.script(Reply([tone(0.5).tobytes(), Stall()], content_type="audio/pcm"))
    chunks = synthesizer.synthesize(TEXT)
    thread = threading.Thread(target=list, args=(chunks,))
    thread.start()
    server.wait_for_request()
    synthesizer.close()
    thread.join(5.0)
    assert not thread.is_alive()
    server.wait_for_disconnect()


def test_a_very_long_text_is_sent_in_parts(server: FakeProvider, synthesizer: RemoteSynthesizer) -> None:
    text = "All work and no play. " * 300
    server.script(voice(tone(0.2)), repeat=True)
    chunks = list(synthesizer.synthesize(text))
    assert "".join(chunk.text for chunk in chunks) == text
    inputs = [str(request.json()["input"]) for request in server.requests]
    assert "".join(inputs) == text
    assert len(inputs) == 2
    assert max(map(len, inputs)) <= MAX_CHARACTERS
