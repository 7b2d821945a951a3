"""One running program for one home folder, and a way for another start to tell it something."""

from __future__ import annotations

import hashlib
import logging
import time
from enum import StrEnum

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from s2s_desktop.settings.paths import Paths

_log = logging.getLogger(__name__)

LOCK_NAME = "instance.lock"
_CONNECT_MS = 500
_ANSWER_MS = 2000
_STARTING_S = 3.0
"""A program that has the lock but does not listen yet is just starting."""
_RETRY_S = 0.1
_LONGEST = 64


class RemoteCommand(StrEnum):
    """What another start can ask of the running program."""

    SHOW = "show"
    TOGGLE_MIC = "toggle-mic"


class SingleInstance(QObject):
    """Is the first of its home folder, or is not.

    Attributes:
        is_first: This process may open the window. True also where no lock can be made (a home folder that
            cannot be written): then nothing is shared that two programs could spoil.

    Signals:
        asked: Another start wants something; with a `RemoteCommand`.
    """

    asked = Signal(str)

    def __init__(self, paths: Paths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = server_name(paths)
        self._server: QLocalServer | None = None
        self._lock = _lock(paths)
        locked = self._lock is not None and self._lock.tryLock(0)
        taken = self._lock is not None and self._lock.error() == QLockFile.LockError.LockFailedError
        self.is_first = locked or not taken
        if self.is_first:
            self._listen()

    @property
    def is_listening(self) -> bool:
        """Whether other starts can reach this one."""
        return self._server is not None

    def close(self) -> None:
        """Let the next start be the first."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if self.is_first and self._lock is not None:
            self._lock.unlock()

    def _listen(self) -> None:
        QLocalServer.removeServer(self._name)  # of a program that crashed
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        if not server.listen(self._name):
            _log.warning("other starts cannot reach this one: %s", server.errorString())
            return
        server.newConnection.connect(self._connected)
        self._server = server

    def _connected(self) -> None:
        while self._server is not None and (client := self._server.nextPendingConnection()) is not None:
            client.readyRead.connect(lambda sender=client: self._read(sender))
            client.disconnected.connect(client.deleteLater)
            if client.bytesAvailable():
                self._read(client)

    def _read(self, client: QLocalSocket) -> None:
        if not client.canReadLine() and client.bytesAvailable() <= _LONGEST:
            return
        text = bytes(client.readLine(_LONGEST).data()).decode("ascii", "replace").strip()
        known = text in RemoteCommand.__members__.values()
        client.write(b"ok\n" if known else b"unknown\n")
        client.flush()
        client.disconnectFromServer()
        if known:
            self.asked.emit(text)


def ask_running(paths: Paths, command: RemoteCommand) -> bool:
    """Ask the program that runs for this home folder and return whether it took the command.

    Needs no event loop. Takes up to three seconds for a program that has just been started.
    """
    end = time.monotonic() + _STARTING_S
    while True:
        if _send(server_name(paths), command):
            return True
        if not _is_running(paths) or time.monotonic() > end:
            return False
        time.sleep(_RETRY_S)


def _send(name: str, command: RemoteCommand) -> bool:
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(_CONNECT_MS):
        return False
    socket.write(f"{command}\n".encode())
    answered = socket.waitForReadyRead(_ANSWER_MS)
    answer = bytes(socket.readAll().data()) if answered else b""
    socket.close()
    return answer.startswith(b"ok")


def _is_running(paths: Paths) -> bool:
    lock = _lock(paths)
    if lock is None:
        return False
    if lock.tryLock(0):
        lock.unlock()
        return False
    return lock.error() == QLockFile.LockError.LockFailedError


def _lock(paths: Paths) -> QLockFile | None:
    try:
        paths.state.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _log.warning("no lock: %s cannot be made (%s)", paths.state, error)
        return None
    lock = QLockFile(str(paths.state / LOCK_NAME))
    lock.setStaleLockTime(0)  # a program may run for days; one that is dead is recognized by its process
    return lock


def server_name(paths: Paths) -> str:
    """Return the name of the local socket of a home folder."""
    home = hashlib.sha256(str(paths.state.absolute()).encode()).hexdigest()[:16]
    return f"s2s-desktop-{home}"
