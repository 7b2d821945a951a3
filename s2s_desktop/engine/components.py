"""Which settings each component of an engine depends on."""

from __future__ import annotations

from s2s_desktop.engine import model_use
from s2s_desktop.engine.part import Component
from s2s_desktop.settings.schema import Settings, SpeechServer

_NOT_OF_THE_BACKEND = {"audio_input", "audio_history_turns", "preemptive_generation"}
"""Options of a profile that the conversation follows, not the backend."""


def needs(component: Component, settings: Settings) -> tuple[object, ...] | None:
    """Return all settings that a component depends on: as long as they are the same, so is the component.

    Returns:
        None when the settings do not ask for it.
    """
    speech, audio = settings.speech, settings.audio
    match component:
        case Component.LLM:
            profile = settings.active_profile()
            return (profile.model_dump(exclude=_NOT_OF_THE_BACKEND), profile.given_key)
        case Component.TRANSCRIBER:
            if model_use.hears(settings.active_profile()):
                return None
            if speech.stt_engine == "remote":
                return _server(speech.stt_server)
            return (speech.stt_model, speech.stt_device, speech.stt_compute_type, speech.hotwords)
        case Component.DETECTOR:
            return (
                speech.vad_engine,
                audio.microphone_mode,
                audio.vad_threshold,
                audio.pause_ms,
                audio.smart_turn,
                audio.min_speech_ms,
                audio.pre_roll_ms,
            )
        case Component.VOICE:
            if speech.tts_engine == "remote":
                return (*_server(speech.tts_server), speech.speed)
            return (speech.tts_engine, speech.voice, speech.speed)
        case Component.SPEAKER:
            return (audio.output_device,)


def microphone_needs(settings: Settings) -> tuple[object, ...]:
    """Return the settings that an open microphone depends on: it is opened anew when they change."""
    return (settings.audio.input_device, settings.audio.echo_cancelling)


def _server(server: SpeechServer) -> tuple[object, ...]:
    return ("remote", *server.model_dump().values())
