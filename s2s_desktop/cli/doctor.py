"""`s2s-desktop doctor`: what works on this computer, what is missing, and the command that mends it."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import os
import platform

import psutil

from s2s_desktop import __version__
from s2s_desktop.audio.devices import Device, list_devices
from s2s_desktop.cli import output
from s2s_desktop.engine import build
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.connection_test import check_connection
from s2s_desktop.models.records import ModelStatus
from s2s_desktop.models.store import ModelStore
from s2s_desktop.runtime.preflight import Finding, check_display, check_portaudio
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import BUILT_IN, Settings
from s2s_desktop.settings.secrets import KeyStore


async def doctor(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run the command; the exit code is 1 when something is missing."""
    findings = await asyncio.to_thread(_findings, settings, paths)
    if not build.is_builtin(settings.active_profile()):
        findings += await _connection(settings, paths)
    if options.json:
        output.print_json({"checks": [dataclasses.asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            output.say(f"{'ok  ' if finding.ok else 'FAIL'}  {finding.name}: {finding.sentence}")
            if finding.command:
                output.say(f"        {finding.command}")
    return 0 if all(finding.ok for finding in findings) else 1


async def _connection(settings: Settings, paths: Paths) -> list[Finding]:
    """Try the endpoint of the active profile step by step; costs the provider a few tokens."""
    try:
        profile, config = await build.endpoint(settings, KeyStore(paths.settings_file.parent))
    except AssistantError as error:
        return [Finding("Key", False, error.message)]
    return [
        Finding(step.name.value, step.ok is not False, step.sentence)
        async for step in check_connection(config, profile.backend)
    ]


def _findings(settings: Settings, paths: Paths) -> list[Finding]:
    sound = check_portaudio()
    findings = [_program(), check_display(), sound]
    if sound.ok:
        findings += _devices()
    store = ModelStore(paths)
    findings += [_model(store, name) for name in build.model_names(settings, set(Part))]
    findings += [_folder("Settings", paths.settings_file.parent), _folder("Models", paths.models)]
    findings.append(_profile(settings))
    return findings


def _program() -> Finding:
    memory = psutil.virtual_memory().total / 1e9
    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    return Finding(
        "Program",
        True,
        f"S2S Desktop {__version__}, Python {platform.python_version()} on {platform.system()} "
        f"{platform.release()} ({platform.machine()}), {cores} cores, {memory:.0f} GB of memory.",
    )


def _devices() -> list[Finding]:
    try:
        devices = list_devices()
    except AssistantError as error:
        return [Finding("Sound devices", False, error.message)]
    microphones = [device for device in devices if device.inputs]
    speakers = [device for device in devices if device.outputs]
    return [
        _device(
            "Microphone", microphones, next((device for device in microphones if device.default_input), None)
        ),
        _device("Speaker", speakers, next((device for device in speakers if device.default_output), None)),
    ]


def _device(name: str, devices: list[Device], default: Device | None) -> Finding:
    if not devices:
        return Finding(name, False, f"No {name.lower()} was found. Plug one in; typed chat works without it.")
    names = ", ".join(device.name for device in devices)
    return Finding(name, True, f"Default: {default.name if default else 'none'}. Found: {names}.")


def _model(store: ModelStore, name: str) -> Finding:
    status = store.status(name)
    if status is ModelStatus.PRESENT:
        return Finding(f"Model {name}", True, f"Present in {store.folder(name)}.")
    return Finding(f"Model {name}", False, f"The files are {status.value}.", f"s2s-desktop models get {name}")


def _folder(name: str, folder: os.PathLike[str]) -> Finding:
    existing = os.fspath(folder)
    while not os.path.exists(existing):
        existing = os.path.dirname(existing)
    if os.access(existing, os.W_OK):
        return Finding(f"{name} folder", True, f"{os.fspath(folder)} can be written.")
    return Finding(
        f"{name} folder",
        False,
        f"{os.fspath(folder)} cannot be written. Change its permissions, or name another folder in "
        "S2S_DESKTOP_HOME.",
    )


def _profile(settings: Settings) -> Finding:
    profile = settings.active_profile()
    where = "on this computer" if profile.name == BUILT_IN else profile.base_url or "at OpenAI"
    model = profile.model or "no model chosen"
    return Finding("Language model", bool(profile.model), f"Profile “{profile.name}”: {model}, {where}.")
