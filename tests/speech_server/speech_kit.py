"""What speech servers send, for tests that script one."""

from __future__ import annotations

import io
import json
import wave

import numpy as np
from numpy.typing import NDArray

from llm.fake_provider import Reply

RATE = 24_000
MODEL = "some-model"
KEY = "sk-right-key-0123456789"


def tone(seconds: float, rate: int = RATE) -> NDArray[np.int16]:
    """Return a sound that is nowhere silent for long."""
    return (8_000 * np.sin(2 * np.pi * 440 / rate * np.arange(int(seconds * rate)) + 0.5)).astype("<i2")


def wav_file(samples: NDArray[np.int16], rate: int = RATE, channels: int = 1) -> bytes:
    """Return a WAV file; with two channels the samples alternate between them."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(samples.tobytes())
    return file.getvalue()


def transcript(text: str, **more: object) -> Reply:
    """Return a transcript as servers send it."""
    return Reply(json.dumps({"text": text, **more}).encode(), content_type="application/json")


def refusal(status: int, message: str, **more: object) -> Reply:
    """Return an error as servers send it."""
    body = {"error": {"message": message, **more}}
    return Reply(json.dumps(body).encode(), status=status, content_type="application/json")


def voice(samples: NDArray[np.int16], slice_size: int = 0) -> Reply:
    """Return a voice as raw PCM."""
    return Reply(samples.tobytes(), content_type="audio/pcm", slice=slice_size)


def form_fields(body: bytes) -> dict[str, bytes]:
    """Return the fields of a multipart form by name."""
    boundary = body.split(b"\r\n", 1)[0]
    fields = {}
    for part in body.split(boundary)[1:-1]:
        head, _, value = part.strip(b"\r\n").partition(b"\r\n\r\n")
        fields[head.split(b'name="', 1)[1].split(b'"', 1)[0].decode()] = value
    return fields
