"""`s2s-desktop models`: list, get, verify and remove model files."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses

from s2s_desktop.cli import output
from s2s_desktop.engine import model_use
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.disk import in_words
from s2s_desktop.models.records import FileState
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings


async def models(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run the command and return its exit code."""
    store = ModelStore(paths)
    match options.action:
        case "list":
            return await asyncio.to_thread(_list, store, options)
        case "get":
            return await _get(store, options, settings)
        case "verify":
            return await asyncio.to_thread(_verify, store, options)
        case _:
            return await asyncio.to_thread(_remove, store, options)


def _list(store: ModelStore, options: argparse.Namespace) -> int:
    rows = store.list()
    if options.json:
        output.print_json({"models": [dataclasses.asdict(row) for row in rows]})
        return 0
    for row in rows:
        mark = "default" if row.default else ""
        output.say(
            f"{row.name:24} {row.status:8} {in_words(row.size):>9}  {row.license:13} {mark:8} {row.summary}"
        )
    return 0


async def _get(store: ModelStore, options: argparse.Namespace, settings: Settings) -> int:
    names = options.name or model_use.model_names(settings, set(Part))
    await store.ensure_async(names, output.download_progress(quiet=options.json))
    if options.json:
        output.print_json({"models": [{"name": name, "folder": str(store.folder(name))} for name in names]})
    else:
        for name in names:
            output.say(f"{name}: ready in {store.folder(name)}")
    return 0


def _verify(store: ModelStore, options: argparse.Namespace) -> int:
    checks = store.verify(options.name)
    bad = [check for check in checks if check.state is not FileState.INTACT]
    if options.json:
        output.print_json({"files": [dataclasses.asdict(check) for check in checks]})
    else:
        for check in checks:
            output.say(f"{check.state:8} {check.path}")
    if not checks:
        output.explain("There are no model files yet. “s2s-desktop models get” fetches the default ones.")
    if bad:
        names = " ".join(sorted({check.model for check in bad}))
        output.explain(
            f"{len(bad)} of {len(checks)} files are not intact. “s2s-desktop models get {names}” mends them."
        )
    return 1 if bad else 0


def _remove(store: ModelStore, options: argparse.Namespace) -> int:
    if not options.name:
        raise AssistantError(
            ErrorKind.BAD_REQUEST, "Say which models to remove: s2s-desktop models remove NAME"
        )
    freed = {name: store.remove(name) for name in options.name}
    if options.json:
        output.print_json({"removed": freed})
    else:
        for name, count in freed.items():
            output.say(f"{name}: removed, {in_words(count)} freed")
    return 0
