"""Providers and local servers that a profile can be made from with one click."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_desktop.settings.backend_names import BackendName
from s2s_desktop.settings.schema import BUILT_IN, Profile


@dataclass(frozen=True, slots=True)
class Preset:
    """What is known about a provider.

    Attributes:
        title: Its name for people.
        base_url: "" is OpenAI; parts in angle brackets are for the user to fill in.
        backend: The protocol that works best there.
        example_model: A model that the provider has (or what to type).
        needs_key: Whether requests need an API key.
        key_hint: What its keys look like, or that none is needed.
        key_url: Where to get a key, "" where there is none to get.
        help: One sentence on getting started.
        reasoning_effort: What suits speech there; "" leaves it to the model.
    """

    title: str
    base_url: str
    backend: BackendName
    example_model: str
    needs_key: bool
    key_hint: str
    key_url: str = ""
    help: str = ""
    reasoning_effort: str = ""

    def profile(self, name: str = "") -> Profile:
        """Return a new profile of this preset; the user still enters the model and, where needed, a key."""
        return Profile(
            name=name or self.title,
            backend=self.backend,
            base_url=self.base_url,
            model=self.example_model,
            reasoning_effort=self.reasoning_effort,
        )


PRESETS: tuple[Preset, ...] = (
    Preset(
        title=BUILT_IN,
        base_url="",
        backend="chat-completions",
        example_model="smollm2-135m",
        needs_key=False,
        key_hint="No key: the model runs on this computer.",
        help="Works offline. The small trial model answers simple questions only.",
    ),
    Preset(
        title="OpenAI",
        base_url="",
        backend="responses-api",
        example_model="gpt-5.6-terra",
        needs_key=True,
        key_hint="Begins with sk-",
        key_url="https://platform.openai.com/api-keys",
        help="Make a key on the OpenAI platform; a ChatGPT subscription does not include API use.",
        reasoning_effort="none",
    ),
    Preset(
        title="Hugging Face Inference Providers",
        base_url="https://router.huggingface.co/v1",
        backend="chat-completions",
        example_model="meta-llama/Llama-3.3-70B-Instruct",
        needs_key=True,
        key_hint="Begins with hf_",
        key_url="https://huggingface.co/settings/tokens",
        help="Make a token that may call Inference Providers. Add :provider to the model to choose one.",
    ),
    Preset(
        title="OpenRouter",
        base_url="https://openrouter.ai/api/v1",
        backend="chat-completions",
        example_model="openrouter/auto",
        needs_key=True,
        key_hint="Begins with sk-or-",
        key_url="https://openrouter.ai/settings/keys",
        help="One key for the models of many providers.",
    ),
    Preset(
        title="Groq",
        base_url="https://api.groq.com/openai/v1",
        backend="chat-completions",
        example_model="llama-3.3-70b-versatile",
        needs_key=True,
        key_hint="Begins with gsk_",
        key_url="https://console.groq.com/keys",
        help="Answers fast, which suits speech.",
    ),
    Preset(
        title="Together AI",
        base_url="https://api.together.xyz/v1",
        backend="chat-completions",
        example_model="meta-llama/Llama-3.3-70B-Instruct-Turbo",
        needs_key=True,
        key_hint="A long row of letters and digits",
        key_url="https://api.together.ai/settings/api-keys",
        help="Make an account and copy the key from its settings.",
    ),
    Preset(
        title="Azure OpenAI",
        base_url="https://<resource>.openai.azure.com/openai/v1",
        backend="responses-api",
        example_model="<deployment>",
        needs_key=True,
        key_hint="Key 1 or key 2 of the resource",
        key_url="https://portal.azure.com",
        help="Put the name of your resource into the URL; the model is the name of your deployment.",
    ),
    Preset(
        title="vLLM",
        base_url="http://127.0.0.1:8000/v1",
        backend="chat-completions",
        example_model="Qwen/Qwen3-4B-Instruct-2507",
        needs_key=False,
        key_hint="No key, unless the server was started with --api-key",
        help="Start the server with: vllm serve MODEL. The model is the name given there.",
    ),
    Preset(
        title="llama.cpp",
        base_url="http://127.0.0.1:8080/v1",
        backend="chat-completions",
        example_model="default",
        needs_key=False,
        key_hint="No key, unless the server was started with --api-key",
        help="Start the server with: llama-server -m MODEL.gguf --jinja.",
    ),
    Preset(
        title="Ollama",
        base_url="http://127.0.0.1:11434/v1",
        backend="chat-completions",
        example_model="llama3.2",
        needs_key=False,
        key_hint="No key needed",
        help="Fetch a model first with: ollama pull llama3.2.",
    ),
    Preset(
        title="LM Studio",
        base_url="http://127.0.0.1:1234/v1",
        backend="chat-completions",
        example_model="qwen3-4b",
        needs_key=False,
        key_hint="No key needed",
        help="Load a model and start the server on the Developer page of LM Studio.",
    ),
    Preset(
        title="Custom",
        base_url="http://127.0.0.1:8000/v1",
        backend="chat-completions",
        example_model="",
        needs_key=False,
        key_hint="What the server asks for; leave it empty for none",
        help="Any server that speaks the OpenAI protocols.",
    ),
)


def find_preset(title: str) -> Preset:
    """Return the preset of that title, the last one (Custom) when there is none."""
    return next((preset for preset in PRESETS if preset.title.lower() == title.strip().lower()), PRESETS[-1])
