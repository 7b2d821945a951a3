"""A message bus of its own with the portal GlobalShortcuts on it, as the desktop's portal answers.

Written by the portal's interface description; it checks what the program sends as far as the bus does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import DBusConnection, DBusRouter, Proxy, open_dbus_connection

_PATH = "/org/freedesktop/portal/desktop"
_SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"


class FakePortal:
    """Answers the requests of one program.

    Attributes:
        asked: The methods that were called, with their arguments.
        answer: What the user says: 0 lends the keys, 1 does not.
        name: What the desktop calls them.
        knows_shortcuts: A portal of an older desktop does not.
    """

    def __init__(self, connection: DBusConnection) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.answer = 0
        self.name = "Ctrl+Alt+Space"
        self.knows_shortcuts = True
        self.bound = asyncio.Event()
        self._connection = connection
        self._session = ""

    async def serve(self) -> None:
        """Answer until cancelled."""
        while True:
            message = await self._connection.receive()
            if message.header.message_type is MessageType.method_call:
                await self._answer(message)

    async def press(self, down: bool, shortcut: str = "talk") -> None:
        """Tell the program that its keys went down or came up."""
        member = "Activated" if down else "Deactivated"
        await self._signal(_PATH, _SHORTCUTS, member, "osta{sv}", (self._session, shortcut, 1, {}))

    async def close_session(self) -> None:
        """Take the keys back."""
        await self._signal(self._session, "org.freedesktop.portal.Session", "Closed", "a{sv}", ({},))

    async def _answer(self, message: Message) -> None:
        fields = message.header.fields
        member = fields[HeaderFields.member]
        if not self.knows_shortcuts and fields[HeaderFields.interface] == _SHORTCUTS:
            unknown = "org.freedesktop.DBus.Error.UnknownMethod"
            await self._connection.send(new_error(message, unknown, "s", ("no such interface",)))
            return
        self.asked.append((member, message.body))
        if member == "Register":
            await self._connection.send(new_method_return(message))
            return
        options = message.body[-1]
        sender = fields[HeaderFields.sender].removeprefix(":").replace(".", "_")
        request = f"{_PATH}/request/{sender}/{options['handle_token'][1]}"
        await self._connection.send(new_method_return(message, "o", (request,)))
        if member == "CreateSession":
            self._session = f"{_PATH}/session/{sender}/{options['session_handle_token'][1]}"
            await self._respond(request, 0, {"session_handle": ("s", self._session)})
        else:
            shortcuts = [(key, {"trigger_description": ("s", self.name)}) for key, _ in message.body[1]]
            await self._respond(request, self.answer, {"shortcuts": ("a(sa{sv})", shortcuts)})
            self.bound.set()

    async def _respond(self, request: str, code: int, results: dict[str, Any]) -> None:
        body = (code, results if code == 0 else {})
        await self._signal(request, "org.freedesktop.portal.Request", "Response", "ua{sv}", body)

    async def _signal(self, path: str, interface: str, member: str, signature: str, body: Any) -> None:
        await self._connection.send(new_signal(DBusAddress(path, None, interface), member, signature, body))


@asynccontextmanager
async def message_bus_of_its_own() -> AsyncIterator[str]:
    """A bus that nobody else is on; gives its address."""
    command = ("dbus-daemon", "--session", "--nofork", "--print-address")
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def fake_portal(bus: str) -> AsyncIterator[FakePortal]:
    """A portal on a bus."""
    connection = await open_dbus_connection(bus)
    async with connection:
        async with DBusRouter(connection) as router:
            await Proxy(message_bus, router).RequestName("org.freedesktop.portal.Desktop")
        portal = FakePortal(connection)
        serving = asyncio.create_task(portal.serve())
        try:
            yield portal
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
