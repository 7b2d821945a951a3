"""`s2s-desktop doctor`: what works on this computer, what is missing, and the command that mends it."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses

from s2s_desktop.cli import output
from s2s_desktop.engine import model_use
from s2s_desktop.engine.addresses import endpoint_of
from s2s_desktop.engine.diagnostics import findings as findings_of
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.connection_test import check_connection
from s2s_desktop.models.store import ModelStore
from s2s_desktop.runtime.preflight import Finding
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.settings.secrets import KeyStore


async def doctor(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run the command; the exit code is 1 when something is missing."""
    findings = await asyncio.to_thread(findings_of, settings, paths, ModelStore(paths))
    if not model_use.is_builtin(settings.active_profile()):
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
        profile = settings.active_profile()
        config = await endpoint_of(profile, KeyStore(paths.settings_file.parent))
    except AssistantError as error:
        return [Finding("Key", False, error.message)]
    return [
        Finding(step.name.value, step.ok is not False, step.sentence)
        async for step in check_connection(config, profile.backend)
    ]
