"""`s2s-desktop doctor` names what is missing and tells no secret."""

from __future__ import annotations

import json

import pytest

from s2s_desktop.cli import main


def test_every_part_is_looked_at_and_what_is_missing_has_a_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUSH_KEY", "hush-hush")
    assert main(["doctor", "--json"]) == 1
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    for name in ("Program", "Display", "Sound", "Settings folder", "Models folder", "Language model"):
        assert name in checks
    model = checks["Model whisper-base"]
    assert (model["ok"], model["command"]) == (False, "s2s-desktop models get whisper-base")
    assert "hush-hush" not in json.dumps(checks)


def test_an_address_that_cannot_be_meant_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--base-url", "ftp://x", "--model", "m"]) == 1
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert any("ftp" in check["sentence"] and not check["ok"] for check in checks)
