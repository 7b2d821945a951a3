"""What works on this computer and what is missing: for `s2s-desktop doctor` and for reports of faults."""

from __future__ import annotations

import os
import platform

from s2s_desktop import __version__
from s2s_desktop.audio.devices import Device, list_devices
from s2s_desktop.engine import model_use
from s2s_desktop.engine.addresses import address_of
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError
from s2s_desktop.models.records import ModelStatus
from s2s_desktop.models.store import ModelStore
from s2s_desktop.runtime.preflight import Finding, check_display, check_portaudio
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import BUILT_IN, Settings


def findings(settings: Settings, paths: Paths, store: ModelStore) -> list[Finding]:
    """Look at everything that needs no network. Blocks for a moment.

    Returns:
        Nothing in them is secret: no key, no query of an address, nothing that was said.
    """
    sound = check_portaudio()
    found = [_program(), check_display(), sound]
    if sound.ok:
        found += _devices()
    found += [_model(store, name) for name in model_use.model_names(settings, set(Part))]
    found += [_folder("Settings", paths.settings_file.parent), _folder("Models", paths.models)]
    found.append(_profile(settings))
    return found


def report(settings: Settings, paths: Paths, store: ModelStore) -> str:
    """Return the findings and the settings that matter as lines of text. Blocks for a moment."""
    lines = [
        f"{'ok  ' if finding.ok else 'FAIL'}  {finding.name}: {finding.sentence}"
        for finding in findings(settings, paths, store)
    ]
    speech, audio = settings.speech, settings.audio
    lines += [
        f"Speech: {speech.stt_engine} {speech.stt_model} ({speech.stt_device}, {speech.stt_compute_type}), "
        f"{speech.tts_engine} {speech.voice} at {speech.speed:g}, {speech.vad_engine}",
        f"Audio: {audio.microphone_mode}, pause {audio.pause_ms} ms, smart turn {_on(audio.smart_turn)}, "
        f"barge-in {audio.barge_in}, echo cancelling {_on(audio.echo_cancelling)}",
        f"History: {_on(settings.history.keep)}, {settings.assistant.chat_size} turns are sent",
        f"Logs: {paths.logs}",
    ]
    return "\n".join(lines)


def _program() -> Finding:
    memory, cores = model_use.machine()
    return Finding(
        "Program",
        True,
        f"S2S Desktop {__version__}, Python {platform.python_version()} on {platform.system()} "
        f"{platform.release()} ({platform.machine()}), {cores} cores, {memory / 1e9:.0f} GB of memory.",
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
    where = "on this computer"
    if profile.name != BUILT_IN:
        try:
            where = f"at {address_of(profile).host}"
        except AssistantError as error:
            return Finding("Language model", False, f"Profile “{profile.name}”: {error.message}")
    model = profile.model or "no model chosen"
    return Finding("Language model", bool(profile.model), f"Profile “{profile.name}”: {model}, {where}.")


def _on(value: bool) -> str:
    return "on" if value else "off"
