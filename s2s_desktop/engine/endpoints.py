"""Addresses, keys and models of servers, for the settings dialog."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from s2s_desktop.conversation.preferences import ConnectionStep, KeyState
from s2s_desktop.engine import model_use
from s2s_desktop.engine.addresses import address_of, as_profile, endpoint_of
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.connection_test import check_connection
from s2s_desktop.llm.http.credentials import clean_api_key
from s2s_desktop.llm.model_list import list_models
from s2s_desktop.models.catalog import CATALOG
from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.schema import Profile, SpeechServer
from s2s_desktop.settings.secrets import KeyStore, Place

ON_THIS_COMPUTER = "The model runs on this computer; nothing is sent anywhere."


class Endpoints:
    """What can be asked about the servers of profiles and of speech, saved or still being edited.

    Args:
        keys: Where API keys are kept.
    """

    def __init__(self, keys: KeyStore) -> None:
        self._keys = keys

    def final_endpoint(self, profile: Profile) -> str:
        """Return the address that requests of a profile go to, or a sentence that says why there is none."""
        if model_use.is_builtin(profile):
            return ON_THIS_COMPUTER
        try:
            return address_of(profile).final_url
        except AssistantError as error:
            return error.message

    def host_of(self, endpoint: Profile | SpeechServer) -> str:
        """Return whose key an endpoint takes; "" where its address cannot be meant."""
        try:
            return address_of(as_profile(endpoint)).host
        except AssistantError:
            return ""

    async def key_state(self, endpoint: Profile | SpeechServer) -> KeyState:
        """Say where the key of an endpoint is."""
        profile = as_profile(endpoint)
        if model_use.is_builtin(profile):
            return KeyState("", present=False)
        host = address_of(profile).host
        found = await self._keys.find(host, profile)
        given = bool(profile.given_key) or Environment().key(profile, host) is not None
        return KeyState(
            host,
            present=bool(found.value),
            where=found.where,
            keyring_problem=found.problem or await self._keys.keyring_problem(),
            from_environment=given,
        )

    async def save_key(self, endpoint: Profile | SpeechServer, key: str, place: str) -> None:
        """Keep a key: place is "keyring", "session" or "file".

        Raises:
            AssistantError: BAD_REQUEST for what is no key, INTERNAL when it could not be kept.
        """
        key = clean_api_key(key)
        if not key:
            raise AssistantError(ErrorKind.BAD_REQUEST, "Enter the key first.")
        await self._keys.save(self._host(endpoint), key, Place(place))

    async def delete_key(self, endpoint: Profile | SpeechServer) -> None:
        """Delete the key everywhere it was saved.

        Raises:
            AssistantError: INTERNAL; a place could not be changed.
        """
        await self._keys.delete(self._host(endpoint))

    async def model_names(self, endpoint: Profile | SpeechServer) -> tuple[str, ...]:
        """Ask a server which models it has.

        Raises:
            AssistantError: It does not say; with the reason.
        """
        profile = as_profile(endpoint)
        if model_use.is_builtin(profile):
            return tuple(model.name for model in CATALOG if model.role == "llm")
        found = await list_models(await endpoint_of(profile, self._keys), profile.backend)
        if not found.names:
            raise AssistantError(
                found.kind or ErrorKind.EMPTY, found.problem or "The server has no models to offer."
            )
        return found.names

    async def check_connection(self, profile: Profile) -> AsyncIterator[ConnectionStep]:
        """Try an endpoint step by step; costs the provider a few tokens."""
        if model_use.is_builtin(profile):
            yield ConnectionStep("Address", None, ON_THIS_COMPUTER)
            return
        try:
            config = await endpoint_of(profile, self._keys)
        except AssistantError as error:
            yield ConnectionStep("Key" if error.kind is ErrorKind.AUTH else "Address", False, error.message)
            return
        async with aclosing(check_connection(config, profile.backend)) as steps:
            async for step in steps:
                yield ConnectionStep(step.name.value, step.ok, step.sentence)

    def _host(self, endpoint: Profile | SpeechServer) -> str:
        profile = as_profile(endpoint)
        if model_use.is_builtin(profile):
            raise AssistantError(ErrorKind.BAD_REQUEST, f"{ON_THIS_COMPUTER} It needs no key.")
        host = address_of(profile).host
        variable = Environment().key(profile, host)
        if variable is not None:
            raise AssistantError(
                ErrorKind.BAD_REQUEST,
                f"The key of {host} is set by the environment variable {variable.variable}. Change it there.",
            )
        if profile.api_key_env.strip():
            raise AssistantError(
                ErrorKind.BAD_REQUEST,
                f"The key comes from the environment variable {profile.api_key_env.strip()}. Set it there, "
                "or empty that field to keep a key here.",
            )
        return host
