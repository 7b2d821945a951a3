"""A voice from a server, over `/v1/audio/speech` of the OpenAI API, heard while it is being made."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.protocol import VoiceChunk
from s2s_desktop.tts.remote_audio import USUAL_RATE, SoundDecoder
from s2s_desktop.tts.remote_pacing import SpokenPace
from s2s_desktop.tts.remote_silence import SilenceTrimmer

MAX_CHARACTERS = 4_000
"""Of one request; OpenAI takes 4,096."""

MIN_CHUNK_S = 0.02
"""Shorter pieces only cost time."""

OPENAI_VOICE = "alloy"
"""OpenAI wants a voice named; other servers have one of their own."""


class VoiceBytes(Protocol):
    """A voice while it arrives."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Of the response, with names in lower case."""

    def read(self) -> bytes | None:
        """Return the next bytes; None at the end, and once it is closed."""

    def close(self) -> None:
        """End it; may come from any thread, and ends a `read` that is under way."""


class VoiceServer(Protocol):
    """What is needed of a server; `speech_server.client.SpeechServerClient` is one."""

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI's own service."""

    def speak(self, fields: Mapping[str, Any], fallbacks: Mapping[str, Any]) -> VoiceBytes:
        """Return a voice; `fallbacks` replace fields that the server refuses."""

    def may_pass(self, error: AssistantError) -> bool:
        """Return whether a failure may be over by the next request."""

    def cancel(self) -> None:
        """End the request that is under way; may come from any thread."""

    def close(self) -> None:
        """Cancel and close the connection."""


class RemoteSynthesizer:
    """Speaks with a voice of a server.

    Implements `tts.protocol.Synthesizer`. One thread calls it; `close`, and `close` of what `synthesize`
    returns, may come from any.

    Args:
        server: Where text is sent; closed with this object.
        voice: What the server calls the voice; "" leaves the choice to the server.
        speed: 1.0 is not sent.
        name: For people.
    """

    def __init__(
        self, server: VoiceServer, *, voice: str = "", speed: float = 1.0, name: str = "remote"
    ) -> None:
        self.name = name
        self._server = server
        self._voice = voice.strip()
        self._speed = speed
        self._pcm_rate = USUAL_RATE
        self._pace = SpokenPace()
        self._current: Utterance | None = None

    def load(self) -> None:
        """Have a short word spoken: the server loads its model, and the sample rate of its voice gets known.

        Raises:
            AssistantError: What the user has to correct. A server that cannot be reached now is none: the
                first reply will say so.
        """
        try:
            # Raw samples say nothing about their rate, a WAV file does.
            stream = self._server.speak(self._fields("Hi.") | {"response_format": "wav"}, {})
            decoder = SoundDecoder(stream.headers)
            heard = 0
            while (data := stream.read()) is not None:
                heard += decoder.feed(data).size
            if heard + decoder.finish().size:
                self._pcm_rate = decoder.sample_rate
        except AssistantError as error:
            if not self._server.may_pass(error):
                raise

    def synthesize(self, text: str, language: str = "") -> Utterance:
        """See `Synthesizer.synthesize`. The voice was chosen with the server, whatever the language.

        The request is sent when the first chunk is asked for. An utterance that was not read to its end is
        closed by the next one.
        """
        if self._current is not None:
            self._current.close()
        self._current = Utterance(self, text)
        return self._current

    def close(self) -> None:
        """See `Synthesizer.close`. What is being said ends at once."""
        if self._current is not None:
            self._current.close()
        self._server.close()

    def _fields(self, text: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"input": text, "response_format": "pcm"}
        voice = self._voice or (OPENAI_VOICE if self._server.is_openai else "")
        if voice:
            fields["voice"] = voice
        if self._speed != 1.0:
            fields["speed"] = self._speed
        return fields

    def _open(self, text: str) -> VoiceBytes:
        fields = self._fields(text)
        if self._server.is_openai:
            return self._server.speak(fields, {})
        # Kokoro servers send the voice in one piece unless they are told so.
        return self._server.speak(fields | {"stream": True}, {"stream": None, "response_format": "wav"})


class Utterance:
    """The voice of one clause: an iterator of chunks that any thread can close."""

    def __init__(self, synthesizer: RemoteSynthesizer, text: str) -> None:
        self._synthesizer = synthesizer
        self._parts = _parts(text)
        self._chunks = self._speak()
        self._lock = threading.Lock()
        self._opening = False
        self._closed = False
        self._stream: VoiceBytes | None = None

    def __iter__(self) -> Iterator[VoiceChunk]:
        return self

    def __next__(self) -> VoiceChunk:
        if self._closed:
            raise StopIteration
        return next(self._chunks)

    def close(self) -> None:
        """End the voice and its request. A chunk that is being waited for does not come. Idempotent."""
        with self._lock:
            self._closed = True
            opening, stream = self._opening, self._stream
        if opening:
            self._synthesizer._server.cancel()
        if stream is not None:
            stream.close()

    def _speak(self) -> Iterator[VoiceChunk]:
        for part in self._parts:
            stream = self._open(part)
            if stream is None:
                return
            try:
                yield from self._chunks_of(part, stream)
            finally:
                stream.close()

    def _open(self, text: str) -> VoiceBytes | None:
        """Send the request; None when this was closed meanwhile."""
        with self._lock:
            if self._closed:
                return None
            self._opening = True
        stream = None
        try:
            stream = self._synthesizer._open(text)
        except AssistantError:
            if not self._closed:
                raise
        finally:
            with self._lock:
                self._opening, self._stream = False, stream
        if self._closed and stream is not None:
            stream.close()
        return None if self._closed else stream

    def _chunks_of(self, text: str, stream: VoiceBytes) -> Iterator[VoiceChunk]:
        decoder = SoundDecoder(stream.headers, self._synthesizer._pcm_rate)
        clock = self._synthesizer._pace.begin(text)
        trimmer: SilenceTrimmer | None = None
        ready = np.zeros(0, np.float32)
        given = received = 0
        while (data := stream.read()) is not None:
            samples = decoder.feed(data)
            received += len(data)
            if samples.size == 0:
                continue
            rate = decoder.sample_rate
            trimmer = trimmer or SilenceTrimmer(rate)
            ready = np.concatenate([ready, trimmer.feed(samples)])
            if ready.size >= MIN_CHUNK_S * rate:
                given += ready.size
                yield VoiceChunk(ready, rate, clock.until(given / rate))
                ready = ready[:0]
        if self._closed:
            return
        if received == 0:
            raise AssistantError(
                ErrorKind.EMPTY, "The speech server sent no voice. Try another voice or model."
            )
        rest = decoder.finish()
        rate = decoder.sample_rate
        trimmer = trimmer or SilenceTrimmer(rate)
        last: NDArray[np.float32] = np.concatenate([ready, trimmer.feed(rest), trimmer.finish()])
        if last.size:
            yield VoiceChunk(last, rate, clock.rest())
            self._synthesizer._pace.learn(text, (given + last.size) / rate)


def _parts(text: str) -> list[str]:
    """Cut a text into what fits one request, at spaces where there are some."""
    parts = []
    while len(text) > MAX_CHARACTERS:
        cut = text.rfind(" ", 1, MAX_CHARACTERS) + 1 or MAX_CHARACTERS
        parts.append(text[:cut])
        text = text[cut:]
    return [part for part in [*parts, text] if any(sign.isalnum() for sign in part)]
