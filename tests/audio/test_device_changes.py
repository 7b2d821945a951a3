from __future__ import annotations

import sys
from pathlib import Path

import pytest

from s2s_desktop.audio import device_changes


def test_nothing_changes_while_nothing_is_plugged_in() -> None:
    assert device_changes.fingerprint() == device_changes.fingerprint()


@pytest.mark.skipif(sys.platform != "linux", reason="the file of ALSA")
def test_a_new_card_changes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = tmp_path / "cards"
    monkeypatch.setattr(device_changes, "_ALSA_CARDS", cards)
    assert device_changes.fingerprint() == "", "no ALSA, as in a container"

    cards.write_text(" 0 [PCH ]: HDA-Intel - HDA Intel PCH\n")
    before = device_changes.fingerprint()
    cards.write_text(" 0 [PCH ]: HDA-Intel - HDA Intel PCH\n 1 [Headset]: USB-Audio - Headset\n")

    assert device_changes.fingerprint() not in ("", before)
