"""The key store of the operating system, behind calls that cannot block or crash the app."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")

SERVICE = "s2s-desktop"

_STORES = {
    "keyring.backends.Windows": "the Windows Credential Manager",
    "keyring.backends.macOS": "the macOS Keychain",
    "keyring.backends.SecretService": "the keyring of the desktop (Secret Service)",
    "keyring.backends.libsecret": "the keyring of the desktop (libsecret)",
    "keyring.backends.kwallet": "KWallet",
}


class KeyringProblemError(Exception):
    """The key store cannot be used; the message is a sentence for people."""


class NoKeyringError(KeyringProblemError):
    """There is no store that keeps keys."""


class SystemKeyring:
    """Reads and writes keys of this app. Every method raises `KeyringProblemError` and nothing else.

    A call can wait for the user to unlock the store, on Linux without end. It therefore runs on a thread of
    its own, which does not keep the app from closing, and is given up after a time.

    Args:
        timeout_s: How long one call may take, in seconds.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s

    async def name(self) -> str:
        """Return what the store is called."""
        return await self._call(lambda: _store_name(_backend()))

    async def get(self, account: str) -> str:
        """Return the key of an account, "" when there is none."""
        return await self._call(lambda: _backend().get_password(SERVICE, account) or "")

    async def set(self, account: str, key: str) -> None:
        """Store a key and read it back: some backends take a password and keep nothing."""
        await self._call(lambda: _set(account, key))

    async def delete(self, account: str) -> None:
        """Delete the key of an account, if there is one."""
        await self._call(lambda: _delete(account))

    async def _call(self, call: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, problem: KeyringProblemError | None) -> None:
            if future.done():
                return
            if problem is not None:
                future.set_exception(problem)
            else:
                future.set_result(result)  # type: ignore[arg-type]

        def run() -> None:
            result, problem = None, None
            try:
                result = call()
            except KeyringProblemError as error:
                problem = error
            except Exception as error:  # backends raise errors of their own systems' libraries
                problem = KeyringProblemError(f"The key store of the system failed ({type(error).__name__}).")
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(settle, result, problem)

        threading.Thread(target=run, name="keyring", daemon=True).start()
        try:
            return await asyncio.wait_for(future, self._timeout_s)
        except TimeoutError:
            raise KeyringProblemError(
                "The key store of the system did not answer. Unlock it, then try again."
            ) from None


def _backend() -> KeyringBackend:
    """Return the store that keyring chose, if it keeps keys and keeps them safe.

    keyring rates stores; below 1 are those that always fail, that keep nothing, and that write plain text
    (https://keyring.readthedocs.io/en/latest/#keyring.backend.KeyringBackend.priority).
    """
    import keyring

    backend = keyring.get_keyring()
    parts = (
        list(getattr(backend, "backends", ()) or ()) if "chainer" in type(backend).__module__ else [backend]
    )
    if not any(part.priority >= 1 for part in parts):
        raise NoKeyringError("This computer has no key store that can be used.")
    return backend


def _store_name(backend: KeyringBackend) -> str:
    return _STORES.get(type(backend).__module__, f"the key store {backend.name}")


def _set(account: str, key: str) -> None:
    backend = _backend()
    backend.set_password(SERVICE, account, key)
    if backend.get_password(SERVICE, account) != key:
        raise KeyringProblemError("The key store of the system did not keep the key.")


def _delete(account: str) -> None:
    backend = _backend()
    if backend.get_password(SERVICE, account) is not None:
        backend.delete_password(SERVICE, account)
