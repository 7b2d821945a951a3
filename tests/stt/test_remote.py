"""Speech recognition by a server, over a real socket."""

from __future__ import annotations

import io
import threading
import wave
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import soundfile

from llm.fake_provider import FakeProvider, Reply, Stall
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.resources import resource_path
from s2s_desktop.speech_server.client import SpeechServerClient
from s2s_desktop.stt.remote import RATE, RemoteTranscriber
from speech_server.speech_kit import MODEL, form_fields, refusal, transcript


@pytest.fixture
def server() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        yield provider


@pytest.fixture
def transcriber(server: FakeProvider) -> Iterator[RemoteTranscriber]:
    transcriber = RemoteTranscriber(SpeechServerClient(server.base_url, MODEL))
    yield transcriber
    transcriber.close()


@pytest.fixture(scope="module")
def question() -> Any:
    return soundfile.read(resource_path("audio/sample_question.wav"), dtype="float32")[0]


def test_a_transcript_with_its_language(
    server: FakeProvider, transcriber: RemoteTranscriber, question: Any
) -> None:
    server.script(transcript(" What  is the capital of France?", language="english", duration=1.7))
    heard = transcriber.transcribe(question)
    assert (heard.text, heard.language) == ("What is the capital of France?", "en")
    assert heard.seconds == question.size / RATE
    assert heard.elapsed_s > 0
    fields = form_fields(server.requests[0].body)
    assert set(fields) == {"file", "model", "response_format"}
    with wave.open(io.BytesIO(fields["file"])) as sent:
        assert (sent.getframerate(), sent.getnchannels(), sent.getsampwidth()) == (RATE, 1, 2)
        samples = np.frombuffer(sent.readframes(sent.getnframes()), "<i2")
    assert np.abs(samples / 32767 - question).max() < 1e-3


def test_chinese_is_written_in_the_characters_of_the_system(
    server: FakeProvider, question: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN.UTF-8")
    transcriber = RemoteTranscriber(SpeechServerClient(server.base_url, MODEL))
    server.script(transcript("皇后後面的頭髮", language="chinese"))
    assert transcriber.transcribe(question).text == "皇后后面的头发"
    transcriber.close()


def test_the_language_and_the_hotwords_are_sent(
    server: FakeProvider, transcriber: RemoteTranscriber, question: Any
) -> None:
    with_names = RemoteTranscriber(
        SpeechServerClient(server.base_url, MODEL), hotwords=("Siobhan", "Kubernetes")
    )
    server.script(transcript("Bonjour Siobhan."))
    heard = with_names.transcribe(question, "fr-FR")
    assert (heard.language, heard.language_probability) == ("fr", 1.0)
    fields = form_fields(server.requests[0].body)
    assert (fields["language"], fields["prompt"]) == (b"fr", b"Siobhan, Kubernetes.")
    with_names.close()


def test_the_prompt_is_never_the_transcript(server: FakeProvider, question: Any) -> None:
    with_names = RemoteTranscriber(
        SpeechServerClient(server.base_url, MODEL), hotwords=("Siobhan", "Kubernetes")
    )
    server.script(transcript("Siobhan, Kubernetes."), transcript("Siobhan."))
    assert with_names.transcribe(question).text == ""
    assert with_names.transcribe(question).text == "Siobhan.", "a name alone may have been said"
    with_names.close()


def test_what_the_server_itself_doubts_is_dropped(
    server: FakeProvider, transcriber: RemoteTranscriber, question: Any
) -> None:
    made_up = {"text": " Thank you.", "no_speech_prob": 0.9, "avg_logprob": -0.9, "compression_ratio": 0.8}
    said = {"text": " Turn it on.", "no_speech_prob": 0.1, "avg_logprob": -0.2, "compression_ratio": 0.9}
    server.script(
        transcript(" Thank you.", language="en", segments=[made_up]),
        transcript(" Turn it on. Thank you.", language="en", segments=[said, made_up]),
    )
    nothing = transcriber.transcribe(question)
    assert (nothing.text, nothing.language) == ("", "")
    assert transcriber.transcribe(question).text == "Turn it on."


@pytest.mark.parametrize("language", ["klingon", "", None, 7])
def test_a_language_nobody_knows_is_left_open(
    server: FakeProvider, transcriber: RemoteTranscriber, question: Any, language: object
) -> None:
    server.script(transcript("Qapla!", language=language))
    heard = transcriber.transcribe(question)
    assert (heard.text, heard.language, heard.language_probability) == ("Qapla!", "", 0.0)


@pytest.mark.parametrize("samples", [0, 100, 5 * RATE])
def test_sound_without_speech_is_not_sent(
    server: FakeProvider, transcriber: RemoteTranscriber, samples: int
) -> None:
    assert transcriber.transcribe(np.zeros(samples, np.float32)).text == ""
    assert transcriber.draft(np.zeros(samples, np.float32)) == ""
    assert server.requests == []


def test_a_long_recording_is_sent_in_pieces(
    server: FakeProvider, transcriber: RemoteTranscriber, question: Any
) -> None:
    pause = np.zeros(3 * RATE, np.float32)
    server.script(transcript("One.", language="en"), transcript("Two.", language="en"), repeat=True)
    heard = transcriber.transcribe(np.concatenate([question, pause] * 7))
    assert heard.text.startswith("One. Two.")
    assert len(server.requests) > 2


def test_loading_lets_the_server_load(server: FakeProvider, transcriber: RemoteTranscriber) -> None:
    server.script(transcript("What is the capital of France?"))
    transcriber.load()
    assert len(server.requests) == 1


def test_loading_says_what_has_to_be_corrected(server: FakeProvider, transcriber: RemoteTranscriber) -> None:
    server.script(refusal(401, "wrong key"))
    with pytest.raises(AssistantError) as failure:
        transcriber.load()
    assert failure.value.kind is ErrorKind.AUTH


def test_a_server_that_is_not_started_yet_does_not_stop_the_start(
    server: FakeProvider, transcriber: RemoteTranscriber, question: Any
) -> None:
    server.close()
    transcriber.load()
    with pytest.raises(AssistantError, match="Nothing answers"):
        transcriber.transcribe(question)


def test_closing_from_another_thread_ends_a_transcription(
    server: FakeProvider, transcriber: RemoteTranscriber, question: Any
) -> None:
    server.script(Reply(before=[Stall()]))
    ended = threading.Event()

    def ask() -> None:
        with pytest.raises(AssistantError, match="was stopped"):
            transcriber.transcribe(question)
        ended.set()

    thread = threading.Thread(target=ask)
    thread.start()
    server.wait_for_request()
    transcriber.close()
    assert ended.wait(5.0)
    thread.join(5.0)


def test_an_unknown_language_is_one_sentence(transcriber: RemoteTranscriber, question: Any) -> None:
    with pytest.raises(AssistantError, match="xx-nothing") as failure:
        transcriber.transcribe(question, "xx-nothing")
    assert failure.value.kind is ErrorKind.BAD_REQUEST
