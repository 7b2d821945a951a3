"""Lets pipecat answer spoken questions, for bench_beside_pipecat.py: run by the Python that has it.

    PYTHON pipecat_conversation.py

The first line on standard input is JSON: the files of the models and the server to ask (see `Conversation`).
When all is loaded one line of JSON answers it: the versions and parameters in use. Every further line asks a
question, {"file": WAV of 16 kHz, 16 bits, mono, "speech_ends_at": seconds, "quiet": seconds}. It is answered
with one line: seconds from the end of the speech to the first audible sample of the reply (below 0 where that
began too early), what was heard and said, and where pipecat says that the time went. The program ends with
its input.

The conversation is that of pipecat's own examples of a local voice agent. Whatever names no file and no
language model is left at its default; only the sound card is replaced. It imports nothing of S2S Desktop, so
that it runs in the environment of pipecat.
"""

# mypy: disable-error-code="import-not-found, misc"

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import sys
import time
import wave
from collections import defaultdict
from typing import Any

import numpy as np
from loguru import logger
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    InputAudioRawFrame,
    LLMTextFrame,
    OutputAudioRawFrame,
    StartFrame,
    TranscriptionFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.observers.user_bot_latency_observer import (
    LatencyBreakdown,
    MeasuredFrom,
    UserBotLatencyObserver,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.kokoro.tts import KokoroTTSService
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.whisper.stt import WhisperSTTService
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

RATE = 16_000
FRAME = RATE // 50
AUDIBLE = 300
"""Of 32768; as in s2s_desktop/cli/bench/probes.py."""
LONGEST_WAIT_S = 20.0
PACKAGES = ("pipecat-ai", "faster-whisper", "ctranslate2", "kokoro-onnx", "onnxruntime", "openai")


class Microphone(BaseInputTransport):
    """Plays files into the pipeline at the speed of a microphone."""

    def __init__(self) -> None:
        super().__init__(TransportParams(audio_in_enabled=True))

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def play(self, sound: bytes, began_at: float) -> None:
        """Deliver 16-bit sound in frames of 20 ms, each when its last sample would have been captured."""
        for start in range(0, len(sound), 2 * FRAME):
            due = began_at + (start // 2 + FRAME) / RATE
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            audio = sound[start : start + 2 * FRAME]
            await self.push_audio_frame(InputAudioRawFrame(audio=audio, sample_rate=RATE, num_channels=1))


class Speaker(BaseOutputTransport):
    """Plays to nowhere in real time, one frame ahead, and notes when a reply is first heard."""

    def __init__(self) -> None:
        super().__init__(TransportParams(audio_out_enabled=True))
        self.began_at: float | None = None
        self._free_at = 0.0

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        samples = np.frombuffer(frame.audio, np.int16).astype(np.int32)
        starts_at = max(time.monotonic(), self._free_at)
        audible = np.flatnonzero(np.abs(samples) > AUDIBLE)
        if self.began_at is None and audible.size:
            self.began_at = starts_at + float(audible[0]) / frame.sample_rate
        self._free_at = starts_at + samples.size / frame.sample_rate
        await asyncio.sleep(max(0.0, starts_at - time.monotonic()))
        return True


class Watch(BaseObserver):
    """Notes what is heard and said."""

    def __init__(self) -> None:
        super().__init__(observe_every_push=False)
        self.answered = asyncio.Event()
        self.forget()

    def forget(self) -> None:
        """Begin anew with the next question."""
        self.heard: list[str] = []
        self.said: list[str] = []
        self.turns = 0
        self.answered.clear()

    async def on_push_frame(self, data: FramePushed) -> None:
        match data.frame:
            case TranscriptionFrame(text=text):
                self.heard.append(text.strip())
            case LLMTextFrame(text=text):
                self.said.append(text)
            case UserStoppedSpeakingFrame() if data.direction is FrameDirection.DOWNSTREAM:
                self.turns += 1
            case BotStartedSpeakingFrame():
                self.answered.clear()
            case BotStoppedSpeakingFrame():
                self.answered.set()
            case _:
                pass


class Conversation:
    """A voice agent with everything on this computer.

    Args:
        given: `whisper` (folder), `compute_type`, `kokoro` and `voices` (files), `voice`; of the language
            model `base_url`, `api_key`, `model`, `temperature`, `max_tokens`, `extra_body`; `system`, its
            system prompt, and `examples`, the messages that begin every conversation.
    """

    def __init__(self, given: dict[str, Any]) -> None:
        self._examples = given["examples"]
        self._microphone, self._speaker, self._watch = Microphone(), Speaker(), Watch()
        self._steps: dict[str, float] = {}
        latency = UserBotLatencyObserver()
        latency.add_event_handler("on_latency_breakdown", self._note_steps)
        self._context = LLMContext(list(self._examples))
        vad, turns = SileroVADAnalyzer(), UserTurnStrategies()
        aggregators = LLMContextAggregatorPair(
            self._context,
            user_params=LLMUserAggregatorParams(vad_analyzer=vad, user_turn_strategies=turns),
        )
        stt = WhisperSTTService(
            device="cpu",
            compute_type=given["compute_type"],
            settings=WhisperSTTService.Settings(model=given["whisper"]),
        )
        llm = OpenAILLMService(
            base_url=given["base_url"],
            api_key=given["api_key"],
            settings=OpenAILLMService.Settings(
                model=given["model"],
                system_instruction=given["system"],
                temperature=given["temperature"],
                max_tokens=given["max_tokens"],
                extra={"extra_body": given["extra_body"]},
            ),
        )
        tts = KokoroTTSService(
            model_path=given["kokoro"],
            voices_path=given["voices"],
            settings=KokoroTTSService.Settings(voice=given["voice"]),
        )
        parts = [self._microphone, stt, aggregators.user(), llm, tts, self._speaker, aggregators.assistant()]
        self.worker = PipelineWorker(
            Pipeline(parts),
            params=PipelineParams(enable_metrics=True),
            observers=[self._watch, latency],
            idle_timeout_secs=None,  # it waits as long as the other program is asked
        )
        self.parameters = {
            "vad": vad.params.model_dump(),
            "turn_end": "TurnAnalyzer, Smart Turn v3 (default)",
        }

    async def ask(self, file: str, speech_ends_at: float, quiet: float) -> dict[str, object]:
        """Ask one question and return when its reply has been heard."""
        with wave.open(file) as recording:
            assert (recording.getframerate(), recording.getnchannels()) == (RATE, 1)
            sound = recording.readframes(recording.getnframes())
        self._context.set_messages(list(self._examples))
        self._watch.forget()
        self._steps, self._speaker.began_at = {}, None
        began_at = time.monotonic()
        await self._microphone.play(sound + bytes(2 * round(quiet * RATE)), began_at)
        try:
            await asyncio.wait_for(self._watch.answered.wait(), LONGEST_WAIT_S)
        except TimeoutError:
            print(f"pipecat did not answer {file}: {self._watch.heard}", file=sys.stderr)
        heard_at = self._speaker.began_at
        return {
            "voice_to_voice": None if heard_at is None else heard_at - began_at - speech_ends_at,
            "turns": self._watch.turns,
            "transcript": " ".join(self._watch.heard),
            "reply": "".join(self._watch.said).strip(),
            "steps": self._steps,
        }

    async def _note_steps(self, observer: object, breakdown: LatencyBreakdown) -> None:
        if breakdown.measured_from is not MeasuredFrom.USER_SILENCE:
            return
        steps: dict[str, float] = defaultdict(float)
        for part in breakdown.contributions:
            steps[part.key] += part.duration_secs
        self._steps = {**steps, "total": breakdown.total_secs}


async def main() -> None:
    """Answer until there are no more questions."""
    logger.remove()
    logger.add(sys.stderr, level="WARNING")
    conversation = Conversation(json.loads(sys.stdin.readline()))
    ready = asyncio.Event()

    @conversation.worker.event_handler("on_pipeline_started")  # type: ignore[untyped-decorator]
    async def started(worker: object, frame: object) -> None:
        ready.set()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(conversation.worker)
    running = asyncio.create_task(runner.run(), name="runner")
    await ready.wait()
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    print(json.dumps({"versions": versions, "parameters": conversation.parameters}), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await conversation.ask(**json.loads(line))), flush=True)
    await runner.cancel()
    await running


if __name__ == "__main__":
    asyncio.run(main())
