"""Makes what hears and what speaks; engines are imported only when they are made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from s2s_desktop.audio.echo_memory import EchoMemory
from s2s_desktop.audio.protocol import AudioSink, AudioSource, Samples
from s2s_desktop.conversation.hearing import Canceller, TurnDetector
from s2s_desktop.conversation.speaking import LanguageStep
from s2s_desktop.conversation.stages import CaptionStep
from s2s_desktop.engine.addresses import as_profile, endpoint_of
from s2s_desktop.engine.calibration import Calibration
from s2s_desktop.engine.model_use import TURN_MODEL, VOICE_MODEL, is_folder
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.schema import Settings, SpeechServer
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.stt.protocol import Transcriber
from s2s_desktop.tts.protocol import Synthesizer
from s2s_desktop.vad.detector import SpeechDetector

if TYPE_CHECKING:
    from s2s_desktop.speech_server.client import SpeechServerClient

Judge = Callable[[Samples], float]
"""See `vad.endpointing.Judge`."""

TORCH_VOICE_FOLDER = "kokoro-82m-torch"
"""Beside the models of the catalog; the user puts the files there."""

CONNECT_TIMEOUT_S = 10.0
ANSWER_TIMEOUT_S = 60.0
"""Of speech servers."""


def microphone(settings: Settings, on_problem: Callable[[str], None]) -> AudioSource:
    """Return the microphone of the settings, not opened; `on_problem` may be called from any thread."""
    from s2s_desktop.audio.microphone import PortAudioMicrophone

    return PortAudioMicrophone(settings.audio.input_device, on_problem=on_problem)


def speaker(settings: Settings, on_problem: Callable[[str], None]) -> AudioSink:
    """Return the speaker of the settings, not opened; `on_problem` may be called from any thread."""
    from s2s_desktop.audio.speaker import PortAudioSpeaker

    return PortAudioSpeaker(settings.audio.output_device, on_problem=on_problem)


def canceller(settings: Settings, sink: AudioSink | None, memory: EchoMemory) -> Canceller | None:
    """Return what takes our own voice out of the microphone; None where it is not wanted or needed.

    Args:
        settings: The settings.
        sink: The speaker; None while there is none.
        memory: What is known about the echo between devices.
    """
    from s2s_desktop.audio.echo import EchoCanceller

    if sink is None or sink.reference is None or not settings.audio.echo_cancelling:
        return None
    cleaner = EchoCanceller(sink.reference, memory.level(settings.audio.input_device, sink.name))
    return cleaner if cleaner.works else None


def captions() -> CaptionStep:
    """Return what steadies the captions of an utterance."""
    from s2s_desktop.stt.captions import CaptionStabilizer

    return CaptionStabilizer()


def reply_language() -> LanguageStep:
    """Return what tells the language of a reply."""
    from s2s_desktop.tts.reply_language import ReplyLanguage

    return ReplyLanguage()


def judge(store: ModelStore) -> Judge:
    """Load what hears from the melody whether a sentence is finished.

    Raises:
        AssistantError: MODEL_MISSING.
    """
    from s2s_desktop.vad.smart_turn import SmartTurn

    return SmartTurn(store.file(TURN_MODEL, "smart-turn-v3.2-cpu.onnx")).finished


def detector_factory(settings: Settings, judge: Judge | None = None) -> Callable[[], TurnDetector]:
    """Load the VAD model and return what makes the turn detector of a source.

    Args:
        settings: The settings.
        judge: Hears whether a sentence is finished; None leaves that to the pause.

    Raises:
        AssistantError: MODEL_MISSING.
    """
    from s2s_desktop.vad.endpointing import Endpointer
    from s2s_desktop.vad.held import HeldEndpointer

    audio = settings.audio
    if audio.microphone_mode != "hands-free":
        return HeldEndpointer
    silero: SpeechDetector
    if settings.speech.vad_engine == "silero-torch":
        from s2s_desktop.vad.silero_torch import TorchSileroDetector

        silero = TorchSileroDetector()
    else:
        from s2s_desktop.vad.silero import SileroDetector

        silero = SileroDetector()
    return lambda: Endpointer(
        silero,
        threshold=audio.vad_threshold,
        pause_ms=audio.pause_ms,
        min_speech_ms=audio.min_speech_ms,
        pre_roll_ms=audio.pre_roll_ms,
        judge=judge,
    )


def may_calibrate(settings: Settings) -> bool:
    """Return whether the way to run speech recognition is ours to choose: on this computer, without a GPU."""
    speech = settings.speech
    return (
        speech.stt_engine == "faster-whisper"
        and speech.stt_compute_type == "auto"
        and speech.stt_device != "cuda"
        and not is_folder(speech.stt_model)
    )


async def transcriber(
    settings: Settings,
    store: ModelStore,
    keys: KeyStore,
    on_notice: Callable[[str], None],
    calibration: Calibration,
) -> Transcriber:
    """Return the speech recognition of the settings, not loaded; `on_notice` may be called from any thread.

    Raises:
        AssistantError: MODEL_MISSING, or AUTH for a server whose key could not be read.
    """
    from s2s_desktop.stt.decoder_prompt import parse_hotwords

    speech = settings.speech
    hotwords = parse_hotwords(speech.hotwords)
    if speech.stt_engine == "remote":
        from s2s_desktop.stt.remote import RemoteTranscriber

        return RemoteTranscriber(await _client(speech.stt_server, keys), hotwords=hotwords)
    from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber

    best = calibration.best(speech.stt_model) if may_calibrate(settings) else None
    return FasterWhisperTranscriber(
        await whisper_folder(speech.stt_model, store),
        device=speech.stt_device,
        compute_type=best.compute_type if best is not None else speech.stt_compute_type,
        cpu_threads=best.threads if best is not None else 0,
        hotwords=hotwords,
        name=speech.stt_model,
        on_notice=on_notice,
    )


async def synthesizer(
    settings: Settings,
    store: ModelStore,
    keys: KeyStore,
    loaded: Synthesizer | None,
    kept: Path | None = None,
) -> Synthesizer:
    """Return the voice of the settings, not loaded.

    Args:
        settings: The settings.
        store: The model files.
        keys: Where keys are found.
        loaded: What speaks now: another voice of the same model shares it.
        kept: Folder for what shortens the next start; None keeps nothing.

    Raises:
        AssistantError: MODEL_MISSING, or AUTH for a server whose key could not be read.
    """
    speech = settings.speech
    if speech.tts_engine == "remote":
        from s2s_desktop.tts.remote import RemoteSynthesizer

        server = speech.tts_server
        return RemoteSynthesizer(await _client(server, keys), voice=server.voice, speed=speech.speed)
    if speech.tts_engine == "kokoro-torch":
        from s2s_desktop.tts.kokoro_torch import TorchKokoroSynthesizer

        return TorchKokoroSynthesizer(
            store.folder(VOICE_MODEL).with_name(TORCH_VOICE_FOLDER), speech.voice, speech.speed
        )
    from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer

    model = store.file(VOICE_MODEL, "kokoro-v1.0.int8.onnx")
    if isinstance(loaded, KokoroSynthesizer) and loaded.model_file == model:
        return loaded.with_voice(speech.voice, speech.speed)
    return KokoroSynthesizer(model, voice=speech.voice, speed=speech.speed, kept=kept)


async def _client(server: SpeechServer, keys: KeyStore) -> SpeechServerClient:
    from s2s_desktop.speech_server.client import SpeechServerClient

    config = await endpoint_of(as_profile(server), keys)
    return SpeechServerClient(
        base_url=config.base_url,
        model=server.model,
        api_key=config.api_key,
        connect_timeout_s=CONNECT_TIMEOUT_S,
        answer_timeout_s=ANSWER_TIMEOUT_S,
    )


async def whisper_folder(name: str, store: ModelStore) -> Path:
    """Return the folder of a Whisper model: one of the Hub is fetched if it is not there yet."""
    from s2s_desktop.stt.hub_model import cached_hub_model, fetch_hub_model, is_hub_name

    if is_hub_name(name):
        return await asyncio.to_thread(lambda: cached_hub_model(name) or fetch_hub_model(name))
    if is_folder(name):
        return await asyncio.to_thread(Path(name).expanduser)
    return store.folder(name)
