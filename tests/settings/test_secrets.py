"""Keys: found in the right place, kept where the user chose, shown nowhere."""

from __future__ import annotations

import json
import logging
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import KeyringLocked, PasswordDeleteError

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.schema import Profile
from s2s_desktop.settings.secrets import KEY_FILE, KeyStore, Place
from s2s_desktop.settings.system_keyring import SERVICE, SystemKeyring

KEY = "sk-canary-1234567890"
HOST = "api.groq.com"


class MemoryKeyring(KeyringBackend):
    """A key store of a system, in memory."""

    priority = 5  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.keys: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.keys.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.keys[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.keys:
            raise PasswordDeleteError
        del self.keys[service, username]


class PlainTextKeyring(MemoryKeyring):
    priority = 0.5  # type: ignore[assignment]


class ForgetfulKeyring(MemoryKeyring):
    def set_password(self, service: str, username: str, password: str) -> None:
        pass


class LockedKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(KEY)

    set_password = delete_password = get_password  # type: ignore[assignment]


class WaitingKeyring(MemoryKeyring):
    """Waits for a password that nobody types."""

    def __init__(self) -> None:
        super().__init__()
        self.unlocked = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.unlocked.wait(30)
        return super().get_password(service, username)


@pytest.fixture(autouse=True)
def restore_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


@pytest.fixture
def system() -> MemoryKeyring:
    backend = MemoryKeyring()
    keyring.set_keyring(backend)
    return backend


@pytest.fixture
def make_store(tmp_path: Path) -> Callable[..., KeyStore]:
    def make(variables: dict[str, str] | None = None, timeout_s: float = 10.0) -> KeyStore:
        return KeyStore(tmp_path, Environment(variables or {}), SystemKeyring(timeout_s))

    return make


Make = Callable[..., KeyStore]


class TestKeyringOfTheSystem:
    async def test_a_key_is_kept_for_its_host_and_found_after_a_restart(
        self, system: MemoryKeyring, make_store: Make
    ) -> None:
        await make_store().save(HOST, KEY)

        assert system.keys == {(SERVICE, HOST): KEY}
        again = make_store()
        assert await again.key_for(HOST) == KEY
        assert await again.key_for("evil.example") == ""
        assert "key store" in await again.where(HOST)

    async def test_deleting_deletes(self, system: MemoryKeyring, make_store: Make) -> None:
        store = make_store()
        await store.save(HOST, KEY)
        await store.delete(HOST)

        assert system.keys == {}
        assert await store.key_for(HOST) == ""
        await store.delete(HOST)

    async def test_a_new_key_replaces_the_old_one_at_once(
        self, system: MemoryKeyring, make_store: Make
    ) -> None:
        store = make_store()
        await store.save(HOST, "old")
        assert await store.key_for(HOST) == "old"
        await store.save(HOST, KEY)

        assert await store.key_for(HOST) == KEY

    async def test_it_is_asked_once(self, system: MemoryKeyring, make_store: Make) -> None:
        store = make_store()
        await store.save(HOST, KEY)
        await store.key_for(HOST)
        system.keys.clear()

        assert await store.key_for(HOST) == KEY


@pytest.mark.parametrize(
    "backend",
    [fail.Keyring, null.Keyring, PlainTextKeyring, chainer.ChainerBackend],
    ids=["fails", "keeps nothing", "plain text", "chain of none"],
)
class TestNoUsableKeyring:
    @pytest.fixture(autouse=True)
    def use(self, backend: type[KeyringBackend], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(chainer.ChainerBackend, "backends", [])
        keyring.set_keyring(backend())

    async def test_saving_offers_the_choices_and_keeps_nothing(
        self, make_store: Make, tmp_path: Path
    ) -> None:
        store = make_store()

        with pytest.raises(AssistantError, match="until the app closes, or in a file") as caught:
            await store.save(HOST, KEY)

        assert KEY not in repr(caught.value) + caught.value.message + caught.value.details
        assert await store.key_for(HOST) == ""
        assert await store.keyring_problem() == "This computer has no key store that can be used."
        assert os.listdir(tmp_path) == []

    async def test_a_key_for_this_session(self, make_store: Make, tmp_path: Path) -> None:
        store = make_store()
        await store.save(HOST, KEY, Place.SESSION)

        assert await store.key_for(HOST) == KEY
        assert await store.where(HOST) == "The key is kept until the app closes."
        assert os.listdir(tmp_path) == []
        assert await make_store().key_for(HOST) == ""

    async def test_a_key_in_a_file_that_only_the_user_reads(self, make_store: Make, tmp_path: Path) -> None:
        await make_store().save(HOST, KEY, Place.FILE)

        file = tmp_path / KEY_FILE
        assert json.loads(file.read_text("utf-8")) == {HOST: KEY}
        if sys.platform != "win32":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        store = make_store()
        assert await store.key_for(HOST) == KEY
        assert str(file) in await store.where(HOST)
        await store.delete(HOST)
        assert not file.exists()
        assert await store.key_for(HOST) == ""

    async def test_no_key_is_no_fault(self, make_store: Make) -> None:
        assert await make_store().key_for("127.0.0.1:8000") == ""
        assert await make_store().where("127.0.0.1:8000") == "There is no key for 127.0.0.1:8000."


class TestBrokenKeyring:
    async def test_a_store_that_keeps_nothing_is_found_out(self, make_store: Make) -> None:
        keyring.set_keyring(ForgetfulKeyring())

        with pytest.raises(AssistantError, match="did not keep the key"):
            await make_store().save(HOST, KEY)

    async def test_a_locked_store_is_reported_without_its_words(self, make_store: Make) -> None:
        keyring.set_keyring(LockedKeyring())
        store = make_store()

        with pytest.raises(AssistantError, match="KeyringLocked") as caught:
            await store.key_for(HOST)
        assert caught.value.kind is ErrorKind.AUTH
        assert KEY not in caught.value.message
        with pytest.raises(AssistantError, match="may still be in"):
            await store.delete(HOST)

    async def test_a_store_that_waits_for_its_user_does_not_stop_the_app(self, make_store: Make) -> None:
        backend = WaitingKeyring()
        backend.keys[SERVICE, HOST] = KEY
        keyring.set_keyring(backend)
        store = make_store(timeout_s=0.05)

        with pytest.raises(AssistantError, match="Unlock it"):
            await store.key_for(HOST)

        backend.unlocked.set()
        assert await make_store().key_for(HOST) == KEY

    async def test_a_name_of_a_backend_that_does_not_exist(
        self, make_store: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def missing() -> KeyringBackend:
            raise ModuleNotFoundError("no.such.backend")

        monkeypatch.setattr(keyring, "get_keyring", missing)

        assert "ModuleNotFoundError" in await make_store().keyring_problem()
        monkeypatch.undo()


class TestOrder:
    async def test_command_line_then_environment_then_session_then_system_then_file(
        self, system: MemoryKeyring, make_store: Make, tmp_path: Path
    ) -> None:
        variables = {"GROQ_API_KEY": "from the environment"}
        store = make_store(variables)
        profile = Profile(name="x", base_url="https://api.groq.com/openai/v1")
        profile.give_key("from the command line")
        (tmp_path / KEY_FILE).write_text(json.dumps({HOST: "from the file"}), "utf-8")

        assert await store.key_for(HOST, profile) == "from the command line"
        assert await store.key_for(HOST) == "from the environment"
        assert "GROQ_API_KEY" in await store.where(HOST)
        variables.clear()
        assert await make_store().key_for(HOST) == "from the file"
        system.keys[SERVICE, HOST] = "from the system"
        assert await store.key_for(HOST) == "from the system"
        await store.save(HOST, "from the session", Place.SESSION)
        assert await store.key_for(HOST) == "from the session"

    async def test_keeping_a_key_in_one_place_takes_it_out_of_the_other(
        self, system: MemoryKeyring, make_store: Make, tmp_path: Path
    ) -> None:
        store = make_store()
        await store.save(HOST, "old", Place.FILE)
        await store.save(HOST, KEY, Place.KEYRING)
        assert not (tmp_path / KEY_FILE).exists()

        await store.save(HOST, KEY, Place.FILE)
        assert system.keys == {}

    async def test_a_variable_that_the_profile_names_and_nobody_set_is_said(
        self, system: MemoryKeyring, make_store: Make
    ) -> None:
        system.keys[SERVICE, HOST] = KEY

        with pytest.raises(AssistantError, match="MINE is not set"):
            await make_store().key_for(HOST, Profile(name="x", api_key_env="MINE"))


class TestKeyFile:
    @pytest.mark.parametrize("content", ["", "{", "[]", "\x00"])
    async def test_a_damaged_file_is_said(
        self, system: MemoryKeyring, make_store: Make, tmp_path: Path, content: str
    ) -> None:
        (tmp_path / KEY_FILE).write_text(content, "utf-8")

        with pytest.raises(AssistantError, match="cannot be read"):
            await make_store().key_for(HOST)

    async def test_a_folder_that_cannot_be_written_is_said(
        self, system: MemoryKeyring, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("")
        store = KeyStore(tmp_path / "file", Environment({}), SystemKeyring(10))

        with pytest.raises(AssistantError):
            await store.save(HOST, KEY, Place.FILE)


async def test_no_key_is_ever_shown(
    system: MemoryKeyring, make_store: Make, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    store = make_store({"OPENAI_API_KEY": KEY})
    await store.save(HOST, KEY)
    await store.save(HOST, KEY, Place.SESSION)

    shown = [
        repr(store),
        repr(await store.find(HOST)),
        await store.where(HOST),
        await store.where("api.openai.com"),
    ]
    assert KEY not in "".join([*shown, caplog.text])
