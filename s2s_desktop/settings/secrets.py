"""API keys: each is bound to one host, sent to no other, and kept where the user can see it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.atomic import PRIVATE, write_atomically
from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.schema import Profile
from s2s_desktop.settings.system_keyring import KeyringProblemError, NoKeyringError, SystemKeyring

KEY_FILE = "api-keys.json"


class Place(StrEnum):
    """Where a key is kept."""

    KEYRING = "keyring"
    SESSION = "session"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class FoundKey:
    """The key of a host.

    Attributes:
        value: "" when there is none.
        where: Where it was found, in words that end the sentence "The key is …"; "" when there is none.
        problem: Why a place could not be searched, a sentence; "" otherwise.
    """

    value: str = field(default="", repr=False)
    where: str = ""
    problem: str = ""


class KeyStore:
    """Finds and keeps API keys by host (as `llm/http/endpoint.py` shows it, with an unusual port).

    Searched in this order: the command line, the environment, this session, the key store of the system, the
    key file. The file is used only when the user chose it.

    Args:
        folder: Where the key file is kept, beside the settings.
        environment: The environment variables.
        keyring: The key store of the system.
    """

    def __init__(
        self,
        folder: Path,
        environment: Environment | None = None,
        keyring: SystemKeyring | None = None,
    ) -> None:
        self._file = folder / KEY_FILE
        self._environment = environment or Environment()
        self._keyring = keyring or SystemKeyring(timeout_s=15.0)
        self._session: dict[str, str] = {}
        self._read: dict[str, FoundKey] = {}

    async def key_for(self, host: str, profile: Profile | None = None) -> str:
        """Return the key of a host, "" when there is none.

        Args:
            host: The host.
            profile: Whose key it is; it may bring one from the command line or name an environment variable.

        Raises:
            AssistantError: AUTH; no key was found and a place could not be searched. A server that needs no
                key can be asked all the same.
        """
        found = await self.find(host, profile)
        if not found.value and found.problem:
            raise AssistantError(ErrorKind.AUTH, f"The API key for {host} could not be read. {found.problem}")
        return found.value

    async def where(self, host: str, profile: Profile | None = None) -> str:
        """Return a sentence that says where the key of a host is kept."""
        found = await self.find(host, profile)
        if found.value:
            return f"The key is {found.where}."
        return found.problem or f"There is no key for {host}."

    async def find(self, host: str, profile: Profile | None = None) -> FoundKey:
        """Return the key of a host and where it was found. Never raises."""
        if profile is not None and profile.given_key:
            return FoundKey(profile.given_key, "given on the command line and forgotten when the app closes")
        environment = self._environment
        variable = environment.key(profile, host) if profile is not None else environment.key_for(host)
        if variable is not None:
            return FoundKey(variable.value, f"set by the environment variable {variable.variable}")
        if profile is not None and profile.api_key_env.strip():
            return FoundKey(problem=f"The environment variable {profile.api_key_env.strip()} is not set.")
        if key := self._session.get(host):
            return FoundKey(key, "kept until the app closes")
        stored = self._read.get(host) or await self._find_stored(host)
        if not stored.problem:
            self._read[host] = stored
        return stored

    async def keyring_problem(self) -> str:
        """Return why the key store of the system cannot be used, a sentence; "" when it can."""
        try:
            await self._keyring.name()
        except KeyringProblemError as problem:
            return str(problem)
        return ""

    async def save(self, host: str, key: str, place: Place = Place.KEYRING) -> None:
        """Keep a key. Of the places that outlive the session only the chosen one has it afterwards.

        Args:
            host: The host it is for.
            key: A clean key (`llm/api_keys.py`), not "".
            place: Where; the file only when the user was asked.

        Raises:
            AssistantError: INTERNAL; it could not be kept there. The message says what else can be done.
        """
        self._session.pop(host, None)
        self._read.pop(host, None)
        match place:
            case Place.SESSION:
                self._session[host] = key
            case Place.KEYRING:
                try:
                    await self._keyring.set(host, key)
                except KeyringProblemError as problem:
                    raise _not_kept(f"{problem} Keep the key until the app closes, or in a file.") from None
                self._change_file(host, None)
            case Place.FILE:
                self._change_file(host, key)
                await self._delete_from_keyring(host)

    async def delete(self, host: str) -> None:
        """Delete the key of a host from every place. What the environment sets stays.

        Raises:
            AssistantError: INTERNAL; a place could not be changed. The others are done.
        """
        self._session.pop(host, None)
        self._read.pop(host, None)
        problem = await self._delete_from_keyring(host)
        self._change_file(host, None)
        if problem:
            raise _not_kept(f"The key may still be in the key store of the system. {problem}")

    async def _find_stored(self, host: str) -> FoundKey:
        problem = ""
        try:
            if key := await self._keyring.get(host):
                return FoundKey(key, f"kept in {await self._keyring.name()}")
        except NoKeyringError:
            pass  # nothing can be in a store that is not there; saving says so
        except KeyringProblemError as error:
            problem = str(error)
        try:
            if key := self._file_keys().get(host, ""):
                return FoundKey(key, f"kept in a file that only you can read ({self._file})")
        except AssistantError as error:
            problem = error.message
        return FoundKey(problem=problem)

    async def _delete_from_keyring(self, host: str) -> str:
        """Return why it failed; "" also where no store is."""
        try:
            await self._keyring.delete(host)
        except NoKeyringError:
            return ""
        except KeyringProblemError as problem:
            return str(problem)
        return ""

    def _file_keys(self) -> dict[str, str]:
        try:
            keys = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError):
            raise _not_kept(
                f"The key file {self._file} cannot be read. Delete it and enter the key again."
            ) from None
        if not isinstance(keys, dict):
            raise _not_kept(f"The key file {self._file} cannot be read. Delete it and enter the key again.")
        return {host: key for host, key in keys.items() if isinstance(key, str)}

    def _change_file(self, host: str, key: str | None) -> None:
        keys = self._file_keys()
        if keys.get(host) == key:
            return
        if key is None:
            del keys[host]
        else:
            keys[host] = key
        try:
            if keys:
                write_atomically(self._file, json.dumps(keys, indent=1), PRIVATE)
            else:
                self._file.unlink()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise _not_kept(f"The key file {self._file} could not be changed ({reason}).") from None


def _not_kept(message: str) -> AssistantError:
    return AssistantError(ErrorKind.INTERNAL, message)
