"""The options of the command line that stand for settings, with the names that upstream has for them.

Names are written with dashes and without the leading ones; underscores are the same
(https://github.com/huggingface/speech-to-speech, `src/speech_to_speech/arguments_classes`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SectionName = Literal[
    "profile", "assistant", "speech", "speech.stt_server", "speech.tts_server", "audio", "history"
]

_PREFIXES = ("responses-api", "chat-completions", "open-api", "openai-api")
"""Upstream's options of a language model carry the name of a backend, and mean both."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option and the setting it overrides.

    Attributes:
        names: The first one is shown in the help.
        section: Where the setting is; `profile` is the profile in use.
        field: The name of the setting there.
        help: For `--help`.
        metavar: For `--help`; "" for a switch, which also takes `--no-NAME` and true or false.
    """

    names: tuple[str, ...]
    section: SectionName
    field: str
    help: str
    metavar: str = ""

    @property
    def is_switch(self) -> bool:
        """Whether it can stand without a value."""
        return not self.metavar


def _prefixed(*names: str) -> tuple[str, ...]:
    return names + tuple(f"{prefix}-{name}" for prefix in _PREFIXES for name in names)


OPTIONS: tuple[Option, ...] = (
    Option(
        ("llm-backend", "llm", "backend"),
        "profile",
        "backend",
        "protocol: responses-api or chat-completions",
        "NAME",
    ),
    Option(
        _prefixed("base-url"),
        "profile",
        "base_url",
        "ask this server, with no key of another one",
        "URL",
    ),
    Option(
        (
            "model",
            "model-name",
            "language-model-name",
            "lm-model-name",
            *(
                f"{prefix}-{name}"
                for prefix in _PREFIXES
                for name in ("model-name", "language-model-name", "model")
            ),
        ),
        "profile",
        "model",
        "language model",
        "NAME",
    ),
    Option(
        ("api-key-env",),
        "profile",
        "api_key_env",
        "environment variable that holds the API key",
        "VARIABLE",
    ),
    Option(_prefixed("stream"), "profile", "stream", "show and speak the reply as it comes"),
    Option(
        _prefixed("disable-thinking"), "profile", "disable_thinking", "ask for an answer without thinking"
    ),
    Option(
        _prefixed("reasoning-effort"),
        "profile",
        "reasoning_effort",
        "how much the model thinks; auto leaves it to the server",
        "EFFORT",
    ),
    Option(
        ("temperature", "llm-gen-temperature", *_prefixed("temperature")[1:]),
        "profile",
        "temperature",
        "0 to 2",
        "NUMBER",
    ),
    Option(
        ("max-output-tokens", "max-tokens", "llm-gen-max-new-tokens", *_prefixed("max-output-tokens")[1:]),
        "profile",
        "max_output_tokens",
        "limit of one reply",
        "TOKENS",
    ),
    Option(
        _prefixed("request-timeout-s"),
        "profile",
        "first_token_timeout_s",
        "how long to wait for the first word",
        "SECONDS",
    ),
    Option(
        _prefixed("audio-content-type"),
        "profile",
        "audio_content_type",
        "how speech is sent to a model that hears: input_audio or audio_url",
        "TYPE",
    ),
    Option(
        _prefixed("audio-max-tokens"),
        "profile",
        "audio_max_tokens",
        "limit of a reply to speech that is sent as audio",
        "TOKENS",
    ),
    Option(
        _prefixed("audio-temperature"),
        "profile",
        "audio_temperature",
        "temperature of a reply to speech that is sent as audio",
        "NUMBER",
    ),
    Option(
        _prefixed("audio-history-turns"),
        "profile",
        "audio_history_turns",
        "how many earlier turns are sent as audio again",
        "TURNS",
    ),
    Option(
        ("preemptive-generation",),
        "profile",
        "preemptive_generation",
        "ask the model during the pause, before the turn is decided: auto, on or off",
        "WHEN",
    ),
    Option(("persona",), "assistant", "persona", "character to talk with, by its name", "NAME"),
    Option(
        ("system-prompt", *_prefixed("init-chat-prompt"), "instructions"),
        "assistant",
        "system_prompt",
        "instructions for the assistant",
        "TEXT",
    ),
    Option(
        _prefixed("chat-size"),
        "assistant",
        "chat_size",
        "how many earlier turns the model is reminded of",
        "TURNS",
    ),
    Option(
        ("language-prompt", *_prefixed("enable-lang-prompt")),
        "assistant",
        "language_prompt",
        "ask for replies in the language that was heard",
    ),
    Option(
        _prefixed("compact-history"),
        "assistant",
        "compact_history",
        "sum up old turns instead of forgetting them",
    ),
    Option(
        ("stt-model", "stt-model-name", "faster-whisper-stt-model-name"),
        "speech",
        "stt_model",
        "speech recognition: whisper-base, a folder, or a Hugging Face name",
        "NAME",
    ),
    Option(
        ("language", "stt-language", "faster-whisper-stt-gen-language", "openai-stt-language"),
        "speech",
        "stt_language",
        "spoken language, such as en; auto detects it",
        "CODE",
    ),
    Option(
        ("stt-device", "faster-whisper-stt-device"),
        "speech",
        "stt_device",
        "where speech recognition runs: auto, cpu or cuda",
        "DEVICE",
    ),
    Option(
        ("stt-compute-type", "faster-whisper-stt-compute-type"),
        "speech",
        "stt_compute_type",
        "numbers that speech recognition computes with, such as int8; auto chooses",
        "TYPE",
    ),
    Option(("hotwords",), "speech", "hotwords", "names and terms that are said often, by commas", "WORDS"),
    Option(
        ("captions", "enable-live-transcription", "enable-realtime-transcription"),
        "speech",
        "captions",
        "show what is being said while it is being said",
    ),
    Option(
        ("stt-base-url", "openai-stt-base-url"),
        "speech.stt_server",
        "base_url",
        "server that hears, with --stt remote",
        "URL",
    ),
    Option(
        ("stt-server-model", "openai-stt-model"),
        "speech.stt_server",
        "model",
        "model of the server that hears",
        "NAME",
    ),
    Option(
        ("stt-api-key-env",),
        "speech.stt_server",
        "api_key_env",
        "environment variable that holds the key of the server that hears",
        "VARIABLE",
    ),
    Option(
        ("tts-base-url",), "speech.tts_server", "base_url", "server that speaks, with --tts remote", "URL"
    ),
    Option(("tts-server-model",), "speech.tts_server", "model", "model of the server that speaks", "NAME"),
    Option(("tts-server-voice",), "speech.tts_server", "voice", "voice of the server that speaks", "NAME"),
    Option(
        ("tts-api-key-env",),
        "speech.tts_server",
        "api_key_env",
        "environment variable that holds the key of the server that speaks",
        "VARIABLE",
    ),
    Option(("vad-engine",), "speech", "vad_engine", "speech detector: silero-onnx or silero-torch", "NAME"),
    Option(("voice", "kokoro-voice"), "speech", "voice", "voice of the assistant", "NAME"),
    Option(("speed", "kokoro-speed"), "speech", "speed", "speed of the voice, 0.5 to 2", "FACTOR"),
    Option(
        ("input-device", "local-audio-input-device"),
        "audio",
        "input_device",
        "microphone, by its name",
        "NAME",
    ),
    Option(
        ("output-device", "local-audio-output-device"),
        "audio",
        "output_device",
        "speaker, by its name",
        "NAME",
    ),
    Option(
        ("vad-threshold", "thresh"),
        "audio",
        "vad_threshold",
        "how sure the detector must be of speech, 0 to 1",
        "NUMBER",
    ),
    Option(
        ("microphone-mode",),
        "audio",
        "microphone_mode",
        "who begins and ends a turn: hands-free, push-to-talk or toggle",
        "MODE",
    ),
    Option(("smart-turn",), "audio", "smart_turn", "judge by its melody whether a sentence is finished"),
    Option(
        ("barge-in",),
        "audio",
        "barge_in",
        "speaking into a reply: careful, immediate or off",
        "MODE",
    ),
    Option(
        ("echo-cancelling",),
        "audio",
        "echo_cancelling",
        "take the voice of the speaker out of the microphone",
    ),
    Option(("pause-ms",), "audio", "pause_ms", "silence that ends a turn, in milliseconds", "MS"),
    Option(("min-speech-ms",), "audio", "min_speech_ms", "shorter speech is ignored", "MS"),
    Option(("pre-roll-ms", "speech-pad-ms"), "audio", "pre_roll_ms", "kept from before speech began", "MS"),
    Option(("keep-history",), "history", "keep", "save conversations"),
)

KEY_NAMES: tuple[str, ...] = (*_prefixed("api-key"), "openai-api-key")
"""Options whose value is a key. They work and are warned about: other programs can read a command line."""

HEARING_NAMES = ("stt",)
VOICE_NAMES = ("tts",)
"""Choices of an engine, with upstream's names."""

HEARING_ENGINES = {
    "faster-whisper": "faster-whisper",
    "remote": "remote",
    "openai": "remote",
    "openai-stt": "remote",
}
VOICE_ENGINES = {
    "kokoro": "kokoro-onnx",
    "kokoro-onnx": "kokoro-onnx",
    "kokoro-torch": "kokoro-torch",
    "remote": "remote",
    "openai": "remote",
}
"""What `--stt` and `--tts` may say, and the engine that is meant."""

IGNORED_SWITCHES: tuple[str, ...] = (
    "audio-enhancement",
    "chat-tts-stream",
    "enable-llm-proxy",
    "faster-whisper-stt-gen-return-timestamps",
    "llm-gen-do-sample",
    "llm-is-vlm",
    "local-audio-block-mic-during-playback",
    "block-mic-during-playback",
    "local-audio-print-json",
    "print-json",
    "local-mac-optimal-settings",
    "mac-optimal-settings",
    "qwen3-tts-non-streaming-mode",
    "qwen3-tts-parity-mode",
    "qwen3-tts-xvec-only",
    "stt-gen-return-timestamps",
    "use-default-speakers-list",
)
"""Upstream's switches that mean nothing here."""

IGNORED_OPTIONS: tuple[str, ...] = (
    "chat-tts-chunk-size",
    "chat-tts-device",
    "chunk-size",
    "connection-retry-timeout",
    "device",
    "facebook-mms-device",
    "facebook-mms-model-name",
    "facebook-mms-torch-dtype",
    "faster-whisper-stt-gen-beam-size",
    "faster-whisper-stt-gen-max-new-tokens",
    "faster-whisper-stt-gen-task",
    "host",
    "init-chat-role",
    "kokoro-blocksize",
    "kokoro-device",
    "kokoro-lang-code",
    "kokoro-model-name",
    "live-transcription-min-silence-ms",
    "live-transcription-update-interval",
    "llm-device",
    "llm-gen-min-new-tokens",
    "llm-proxy-connect-timeout-s",
    "llm-torch-dtype",
    "local-audio-chunk-size",
    "local-audio-tool-module",
    "log-level",
    "max-speech-ms",
    "min-silence-ms",
    "min-speech-continuation-ms",
    "mlx-audio-whisper-gen-kwargs",
    "mlx-audio-whisper-model-name",
    "mode",
    "num-pipelines",
    "openai-stt-api-key",
    "openai-stt-response-format",
    "openai-stt-timeout",
    "paraformer-stt-device",
    "paraformer-stt-model-name",
    "parakeet-tdt-compute-type",
    "parakeet-tdt-device",
    "parakeet-tdt-language",
    "parakeet-tdt-model-name",
    "pocket-tts-blocksize",
    "pocket-tts-device",
    "pocket-tts-language",
    "pocket-tts-max-tokens",
    "pocket-tts-sample-rate",
    "pocket-tts-voice",
    "port",
    "qwen3-tts-attn-implementation",
    "qwen3-tts-backend",
    "qwen3-tts-blocksize",
    "qwen3-tts-device",
    "qwen3-tts-dtype",
    "qwen3-tts-ggml-quantization",
    "qwen3-tts-gguf-codec-path",
    "qwen3-tts-gguf-talker-path",
    "qwen3-tts-instruct",
    "qwen3-tts-language",
    "qwen3-tts-max-new-tokens",
    "qwen3-tts-mlx-quantization",
    "qwen3-tts-model-name",
    "qwen3-tts-ref-audio",
    "qwen3-tts-ref-cache-dir",
    "qwen3-tts-ref-rvq",
    "qwen3-tts-ref-spk",
    "qwen3-tts-ref-text",
    "qwen3-tts-speaker",
    "qwen3-tts-streaming-chunk-size",
    "realtime-processing-pause",
    "recv-rate",
    "sample-rate",
    "send-rate",
    "short-segment-merge-ms",
    "smart-turn-cpu-count",
    "smart-turn-incomplete-delay-ms",
    "smart-turn-max-wait-ms",
    "smart-turn-model-path",
    "smart-turn-threshold",
    "speculative-reopen-ms",
    "stream-batch-sentences",
    *(f"{prefix}-stream-batch-sentences" for prefix in _PREFIXES),
    "stt-compile-mode",
    "stt-gen-max-new-tokens",
    "stt-gen-num-beams",
    "stt-gen-task",
    "stt-torch-dtype",
    "supertonic-tts-blocksize",
    "supertonic-tts-lang",
    "supertonic-tts-speed",
    "supertonic-tts-voice",
    "tool-module",
    "tts-language",
    "unanswered-reopen-ms",
    "url",
    "user-role",
    *(f"{prefix}-user-role" for prefix in _PREFIXES),
    *(f"{prefix}-init-chat-role" for prefix in _PREFIXES),
)
"""Upstream's options with a value that mean nothing here."""

INSTEAD: dict[str, str] = {
    "block-mic-during-playback": "use --barge-in off instead",
    "kokoro-lang-code": "the language follows from the voice",
    "log-level": "set the environment variable S2S_DESKTOP_LOG instead",
    "min-silence-ms": "use --pause-ms instead",
    "openai-stt-api-key": "name a variable with --stt-api-key-env, or save the key in the settings",
    "mode": "the window opens without a command; see --help for the others",
    "stream-batch-sentences": "the first clause is spoken at once",
}
"""What to do instead of an option that is ignored."""
