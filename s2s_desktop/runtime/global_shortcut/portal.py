"""Wayland: the portal GlobalShortcuts, through which the desktop lends a key after asking the user.

https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.GlobalShortcuts.html
Qt's own D-Bus classes cannot write its argument `a(sa{sv})` from Python: they need a type registered in C++.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QKeyCombination, QObject, Qt
from typing_extensions import override

from s2s_desktop.runtime.global_shortcut.shortcut import GlobalShortcut, name_of, no_such_key
from s2s_desktop.runtime.global_shortcut.system import by_command
from s2s_desktop.runtime.global_shortcut.xkb_names import xkb_name
from s2s_desktop.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.asyncio import DBusRouter

translate = QCoreApplication.translate  # by this name lupdate finds the strings
_log = logging.getLogger(__name__)

APP_ID = "s2s-desktop"
"""Name of the desktop file: the desktop shows its name and remembers what it lent to it."""
SHORTCUT = "talk"
_BUS_NAME = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.GlobalShortcuts"
_ANSWER_LIMIT_S = 5.0
"""For everything but the user's own answer."""
_SUCCESS = 0
# "Shortcuts" of the XDG specification: https://specifications.freedesktop.org/shortcuts-spec/latest/
_MODIFIERS = {
    Qt.KeyboardModifier.ControlModifier: "CTRL",
    Qt.KeyboardModifier.AltModifier: "ALT",
    Qt.KeyboardModifier.ShiftModifier: "SHIFT",
    Qt.KeyboardModifier.MetaModifier: "LOGO",
}


class _Refused(Exception):
    """The portal is not there, or does not lend keys."""


class PortalShortcut(GlobalShortcut):
    """Asks the desktop; which keys it lends in the end is the user's decision there.

    Args:
        parent: Owner.
        bus: Address of the bus; that of the session by default.
    """

    def __init__(self, parent: QObject | None = None, bus: str = "SESSION") -> None:
        super().__init__(parent)
        self._bus = bus
        self._tasks = TaskGroup()
        self._task: asyncio.Task[Any] | None = None
        self._down = False

    @override
    def bind(self, combination: QKeyCombination) -> None:
        trigger = trigger_of(combination)
        if trigger:
            self._task = self._tasks.start(self._run(combination, trigger), "global shortcut")
        else:
            self.failed.emit(no_such_key(combination))

    @override
    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._set_down(False)

    @override
    async def ended(self) -> None:
        await self._tasks.wait()

    async def _run(self, combination: QKeyCombination, trigger: str) -> None:
        from jeepney.wrappers import DBusErrorResponse

        try:
            async with _session(self._bus) as (router, session), _signals(router, session) as signals:
                name = await _bind(router, session, trigger)
                if name is None:
                    self.failed.emit(_declined(combination))
                    return
                self.bound.emit(name)
                while True:
                    self._set_down(_goes_down(await signals.get(), session, self._down))
        except (_Refused, DBusErrorResponse, EOFError, OSError, TimeoutError, KeyError, ValueError) as error:
            if self._task is not None:  # nobody waits for it any more after `close`
                _log.warning("the desktop portal lends no keys: %s", error)
                self._set_down(False)
                self.failed.emit(by_command())

    def _set_down(self, down: bool) -> None:
        if down != self._down:
            self._down = down
            (self.pressed if down else self.released).emit()


def trigger_of(combination: QKeyCombination) -> str:
    """Return a combination as the portal writes it, for example "CTRL+ALT+space"; "" where it cannot."""
    key = xkb_name(combination.key())
    chosen = [name for modifier, name in _MODIFIERS.items() if combination.keyboardModifiers() & modifier]
    return "+".join([*chosen, key]) if key else ""


def _declined(combination: QKeyCombination) -> str:
    return translate(
        "global_shortcut",
        "The desktop was not allowed to lend {keys}. Choose the keys again to be asked once more.",
    ).format(keys=name_of(combination))


@asynccontextmanager
async def _session(bus: str) -> AsyncIterator[tuple[DBusRouter, str]]:
    """Open a session of the portal and close it at the end."""
    from jeepney.io.asyncio import DBusRouter, open_dbus_connection

    async with asyncio.timeout(_ANSWER_LIMIT_S):
        connection = await open_dbus_connection(bus)
    async with connection, DBusRouter(connection) as router:
        async with asyncio.timeout(_ANSWER_LIMIT_S):
            await _register(router)
            answer = await _request(
                router,
                "CreateSession",
                "a{sv}",
                lambda options: ({**options, "session_handle_token": ("s", _token())},),
            )
        if answer is None:
            raise _Refused("no session")
        session = answer["session_handle"][1]
        yield router, session  # the session ends with the connection


async def _register(router: DBusRouter) -> None:
    """Say which program this is; portals before 1.20 find out by themselves, or do not."""
    from jeepney import DBusAddress, new_method_call

    registry = DBusAddress(_PATH, _BUS_NAME, "org.freedesktop.host.portal.Registry")
    reply = await router.send_and_get_reply(new_method_call(registry, "Register", "sa{sv}", (APP_ID, {})))
    _log.debug("registered with the portal: %s", reply.header.message_type)


async def _bind(router: DBusRouter, session: str, trigger: str) -> str | None:
    """Ask for the key and return what the desktop calls it; None where the user said no."""
    description = translate("global_shortcut", "Talk")
    shortcut = (SHORTCUT, {"description": ("s", description), "preferred_trigger": ("s", trigger)})
    answer = await _request(
        router, "BindShortcuts", "oa(sa{sv})sa{sv}", lambda options: (session, [shortcut], "", options)
    )
    if answer is None:
        return None
    bound = dict(answer["shortcuts"][1])
    return str(bound[SHORTCUT].get("trigger_description", ("s", ""))[1]) if SHORTCUT in bound else None


@asynccontextmanager
async def _signals(router: DBusRouter, session: str) -> AsyncIterator[asyncio.Queue[Message]]:
    """Receive the uses of the keys, and that they were taken back."""
    from jeepney import MatchRule
    from jeepney.bus_messages import message_bus
    from jeepney.io.asyncio import Proxy

    portal_gone = MatchRule(type="signal", interface="org.freedesktop.DBus", member="NameOwnerChanged")
    portal_gone.add_arg_condition(0, _BUS_NAME)
    rules = [
        MatchRule(type="signal", interface=_INTERFACE, member="Activated", path=_PATH),
        MatchRule(type="signal", interface=_INTERFACE, member="Deactivated", path=_PATH),
        MatchRule(type="signal", interface="org.freedesktop.portal.Session", member="Closed", path=session),
        portal_gone,
    ]
    told: asyncio.Queue[Message] = asyncio.Queue()
    with ExitStack() as filters:
        for rule in rules:
            filters.enter_context(router.filter(rule, queue=told))
            await Proxy(message_bus, router).AddMatch(rule)
        yield told


def _goes_down(signal: Message, session: str, down: bool) -> bool:
    """Return whether the keys are down after a signal, given whether they were before."""
    from jeepney import HeaderFields

    member = signal.header.fields[HeaderFields.member]
    if member not in ("Activated", "Deactivated"):
        raise _Refused("the desktop took the keys back")
    return member == "Activated" if signal.body[:2] == (session, SHORTCUT) else down


async def _request(
    router: DBusRouter, member: str, signature: str, body: Callable[[dict[str, Any]], tuple[Any, ...]]
) -> dict[str, Any] | None:
    """Call a method of the portal that answers later, by a signal; None where the answer is no.

    Args:
        router: The connection.
        member: The method.
        signature: Of its arguments.
        body: Returns its arguments, given the options that every request has.
    """
    from jeepney import DBusAddress, MatchRule, new_method_call
    from jeepney.bus_messages import message_bus
    from jeepney.io.asyncio import Proxy
    from jeepney.wrappers import unwrap_msg

    token = _token()
    sender = router.unique_name.removeprefix(":").replace(".", "_")
    path = f"{_PATH}/request/{sender}/{token}"
    rule = MatchRule(type="signal", interface="org.freedesktop.portal.Request", member="Response", path=path)
    with router.filter(rule) as answers:
        await Proxy(message_bus, router).AddMatch(rule)
        portal = DBusAddress(_PATH, _BUS_NAME, _INTERFACE)
        call = new_method_call(portal, member, signature, body({"handle_token": ("s", token)}))
        unwrap_msg(await router.send_and_get_reply(call))
        code, results = (await answers.get()).body
    found: dict[str, Any] | None = results if code == _SUCCESS else None
    return found


def _token() -> str:
    return f"s2s_{secrets.token_hex(8)}"
