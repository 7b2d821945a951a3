"""What is told about a reply while it is spoken."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import numpy as np

from conversation.parts import ManualSink
from s2s_desktop.conversation.job_gate import JobGate
from s2s_desktop.conversation.speaking import Speaking
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.protocol import VoiceChunk, WordTime
from s2s_desktop.tts.speakable_text import SpeakableText


class SlowVoice:
    """Makes the second half of a sentence when the test lets it."""

    name = "slow"

    def __init__(self) -> None:
        self.may_go_on = threading.Event()

    def load(self) -> None: ...

    def close(self) -> None: ...

    def synthesize(self, text: str, language: str = "") -> Iterator[VoiceChunk]:
        for half in (("One ", "two "), ("three ", "four.")):
            words = tuple(WordTime(word.strip(), float(at), at + 0.9) for at, word in enumerate(half))
            yield VoiceChunk(np.zeros(2000, np.float32), 1000, "".join(half), words)
            self.may_go_on.wait(10)


async def test_words_are_told_as_they_are_heard_also_while_voice_is_being_made() -> None:
    voice, sink, worker = SlowVoice(), ManualSink(instant=False), SerialWorker("tts")
    decided = asyncio.Event()
    decided.set()
    told: asyncio.Queue[str] = asyncio.Queue()
    speaking = Speaking(
        synthesizer=voice,
        worker=worker,
        gate=JobGate(),
        sink=sink,
        speakable=SpeakableText(),
        clauses=ClauseSplitter(),
        language=None,
        heard_language="",
        decided=decided,
        on_made=lambda: None,
        on_voice=lambda chunk: None,
        on_heard=told.put_nowait,
    )
    speaking.say("One two three four.")
    speaking.finish()
    running = asyncio.ensure_future(speaking.run())
    async with asyncio.timeout(10):
        await sink.queued.wait()
        for heard in ("One", "One two"):
            sink.advance(0.9)
            assert await told.get() == heard
        assert not voice.may_go_on.is_set()
        voice.may_go_on.set()
        while not running.done():
            sink.advance(1.0)
            await asyncio.wait([running], timeout=0.01)
    await running
    worker.close()
    assert speaking.heard == "One two three four."
