"""Captions: drafted while somebody speaks, and out of the way when the final transcript is wanted soon."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import numpy as np
import pytest

from conversation.test_session import Conversation
from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.conversation import captioning
from s2s_desktop.conversation.captioning import caption
from s2s_desktop.conversation.events import PartialTranscript
from s2s_desktop.stt.captions import CaptionStabilizer

RATE = PIPELINE_RATE


@pytest.fixture
async def conversation(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Conversation]:
    monkeypatch.setattr(captioning, "EVERY_S", 0.001)
    monkeypatch.setattr(captioning, "LOOK_S", 0.001)
    conversation = Conversation()
    conversation.stages.make_captions = CaptionStabilizer
    yield conversation
    await conversation.session.close()


def speech(seconds: float, silence_s: float = 0.0, noise: float = 0.0) -> Samples:
    """A voice that ends with silence, in a noise."""
    rng = np.random.default_rng(0)
    voice = np.concatenate([rng.normal(0, 0.1, round(seconds * RATE)), np.zeros(round(silence_s * RATE))])
    return (voice + rng.normal(0, noise, voice.size)).astype(np.float32)


async def first_drafted(conversation: Conversation, *sounds: Samples) -> int:
    """Return which of the sounds is drafted first, when each is what was said until the next look."""
    transcriber = conversation.hears()
    transcriber.drafts = ["Turn on"]
    looks = 0
    published: asyncio.Future[PartialTranscript] = asyncio.get_running_loop().create_future()

    def so_far() -> Samples:
        nonlocal looks
        looks += 1
        return sounds[min(looks, len(sounds)) - 1]

    async def read_ahead(words: str) -> None:
        """Read nothing."""

    captions = asyncio.create_task(
        caption(
            conversation.stages, so_far, "en", published.set_result, read_ahead, still_speaking=lambda: True
        )
    )
    async with asyncio.timeout(10):
        await published
    captions.cancel()
    return looks - 1


async def test_a_draft_begins_while_somebody_speaks(conversation: Conversation) -> None:
    assert await first_drafted(conversation, speech(1.0), speech(1.5)) == 0


async def test_no_draft_begins_where_the_voice_fades(conversation: Conversation) -> None:
    fading = [speech(1.0, silence_s=0.1), speech(1.0, silence_s=0.15)]
    assert await first_drafted(conversation, *fading, speech(1.2)) == 2


async def test_noise_does_not_end_the_captions(conversation: Conversation) -> None:
    assert await first_drafted(conversation, speech(1.0, silence_s=0.1, noise=0.02)) == 0


async def test_too_little_speech_is_not_drafted(conversation: Conversation) -> None:
    assert await first_drafted(conversation, speech(0.5), speech(0.9)) == 1
