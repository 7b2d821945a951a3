"""The entry of the login follows the setting."""

from __future__ import annotations

from pathlib import Path

from s2s_desktop.conversation.events import Notice, SettingsChanged
from s2s_desktop.runtime.autostart import DesktopEntry
from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.login_entry import LoginEntry


class Chosen:
    """The part of `Preferences` that is looked at."""

    def __init__(self) -> None:
        self.settings = Settings()


async def test_it_comes_and_goes_with_the_setting(tmp_path: Path) -> None:
    chosen, told = Chosen(), []
    entry = DesktopEntry(tmp_path)
    login = LoginEntry(chosen, told.append, entry)
    for on in (True, True, False):
        chosen.settings.general.start_with_login = on
        login(None, SettingsChanged())
        await login.settled()
        assert entry.is_on() == on
    assert told == []


async def test_other_events_change_nothing(tmp_path: Path) -> None:
    chosen = Chosen()
    entry = DesktopEntry(tmp_path)
    login = LoginEntry(chosen, print, entry)
    chosen.settings.general.start_with_login = True
    login(None, Notice("x"))
    await login.settled()
    assert not entry.is_on()


async def test_a_system_that_refuses_is_told_to_the_user(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("in the way")
    chosen, told = Chosen(), []
    login = LoginEntry(chosen, told.append, DesktopEntry(tmp_path))
    chosen.settings.general.start_with_login = True
    login(None, SettingsChanged())
    await login.settled()
    assert len(told) == 1
