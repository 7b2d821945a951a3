"""On Wayland the desktop lends the keys, after asking."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable

import pytest
from PySide6.QtCore import QKeyCombination
from PySide6.QtWidgets import QApplication

from fake_portal import FakePortal, fake_portal, message_bus_of_its_own
from s2s_desktop.runtime.global_shortcut.combination import read_combination
from s2s_desktop.runtime.global_shortcut.portal import PortalShortcut, trigger_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="desktop portals exist on Linux only")


def combination(text: str) -> QKeyCombination:
    found = read_combination(text)
    assert found is not None
    return found


@pytest.fixture
async def bus(qapp: QApplication) -> AsyncIterator[str]:
    async with message_bus_of_its_own() as address:
        yield address


@pytest.fixture
async def portal(bus: str) -> AsyncIterator[FakePortal]:
    async with fake_portal(bus) as portal:
        yield portal


class Asked:
    """A shortcut that was asked for; `told` is what it said, in order."""

    def __init__(self, bus: str, keys: str = "Ctrl+Alt+Space") -> None:
        self.told: list[str] = []
        self._news = asyncio.Event()
        self.shortcut = PortalShortcut(bus=bus)
        self.shortcut.pressed.connect(lambda: self._tell("down"))
        self.shortcut.released.connect(lambda: self._tell("up"))
        self.shortcut.bound.connect(lambda name: self._tell(f"bound: {name}"))
        self.shortcut.failed.connect(self._tell)
        self.shortcut.bind(combination(keys))

    async def until(self, holds: Callable[[list[str]], bool]) -> None:
        async with asyncio.timeout(10):
            while not holds(self.told):
                self._news.clear()
                await self._news.wait()

    async def end(self) -> None:
        self.shortcut.close()
        await self.shortcut.ended()

    def _tell(self, what: str) -> None:
        self.told.append(what)
        self._news.set()


async def test_the_keys_that_the_desktop_lends_press_and_release(bus: str, portal: FakePortal) -> None:
    asked = Asked(bus)
    await asked.until(lambda told: told == ["bound: Ctrl+Alt+Space"])
    members = [member for member, _ in portal.asked]
    assert members == ["Register", "CreateSession", "BindShortcuts"]
    (identity, wishes) = portal.asked[-1][1][1][0]
    assert (identity, wishes["preferred_trigger"]) == ("talk", ("s", "CTRL+ALT+space"))
    await portal.press(True)
    await portal.press(True)  # some desktops repeat
    await portal.press(False)
    await asked.until(lambda told: told[1:] == ["down", "up"])
    await asked.end()


async def test_keys_of_another_shortcut_are_not_ours(bus: str, portal: FakePortal) -> None:
    asked = Asked(bus)
    await asked.until(lambda told: len(told) == 1)
    await portal.press(True, "other")
    await portal.press(True)
    await asked.until(lambda told: told[1:] == ["down"])
    await asked.end()
    assert asked.told[-1] == "up", "the end ends a hold"


async def test_a_user_who_says_no_is_believed(bus: str, portal: FakePortal) -> None:
    portal.answer = 1
    asked = Asked(bus)
    await asked.until(lambda told: len(told) == 1)
    assert asked.told[0].startswith("The desktop was not allowed to lend Ctrl+Alt+Space.")
    await asked.shortcut.ended()


@pytest.mark.parametrize("how", ["old portal", "no portal", "no bus"])
async def test_a_desktop_that_lends_nothing_leads_to_the_command(bus: str, how: str) -> None:
    if how == "old portal":
        async with fake_portal(bus) as portal:
            portal.knows_shortcuts = False
            asked = Asked(bus)
            await asked.until(lambda told: len(told) == 1)
    else:
        asked = Asked(bus if how == "no portal" else "unix:path=/nowhere")
        await asked.until(lambda told: len(told) == 1)
    assert "s2s-desktop --toggle-mic" in asked.told[0]
    await asked.shortcut.ended()


async def test_keys_that_are_taken_back_are_said_and_end_a_hold(bus: str, portal: FakePortal) -> None:
    asked = Asked(bus)
    await asked.until(lambda told: len(told) == 1)
    await portal.press(True)
    await portal.close_session()
    await asked.until(lambda told: len(told) == 4)
    assert asked.told[1:3] == ["down", "up"]
    assert "s2s-desktop --toggle-mic" in asked.told[3]
    await asked.shortcut.ended()


async def test_a_portal_that_ends_is_said(bus: str) -> None:
    async with fake_portal(bus):
        asked = Asked(bus)
        await asked.until(lambda told: len(told) == 1)
    await asked.until(lambda told: len(told) == 2)
    assert "s2s-desktop --toggle-mic" in asked.told[1]
    await asked.shortcut.ended()


@pytest.mark.parametrize(
    ("keys", "trigger"),
    [
        ("Ctrl+Alt+Space", "CTRL+ALT+space"),
        ("Meta+Shift+M", "SHIFT+LOGO+m"),
        ("Ctrl+Alt+,", "CTRL+ALT+comma"),
        ("F9", "F9"),
        ("Ctrl+Alt+É", "CTRL+ALT+U00E9"),
        ("Media Play", "XF86AudioPlay"),
        ("Volume Up", ""),
    ],
)
def test_keys_are_called_as_the_desktop_does(keys: str, trigger: str) -> None:
    assert trigger_of(combination(keys)) == trigger
