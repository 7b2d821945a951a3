"""Addresses and keys of servers, as settings and environment say."""

from __future__ import annotations

from dataclasses import replace

from s2s_desktop.engine.language_model import backend_config
from s2s_desktop.llm.config import BackendConfig
from s2s_desktop.llm.http.endpoint import Endpoint, normalize_base_url
from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.schema import Profile, SpeechServer
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.speech_server.connection import speech_endpoint


async def endpoint_of(profile: Profile, keys: KeyStore) -> BackendConfig:
    """Return the endpoint of a profile, with its key and what the environment says about it.

    Raises:
        AssistantError: AUTH; a place where the key may be could not be searched. BAD_REQUEST; the base URL
            cannot be meant.
    """
    base_url, _ = Environment().base_url(profile)
    address = normalize_base_url(base_url, profile.backend)
    if address.is_local:  # needs no key, so a locked key store is no reason to stop
        key = (await keys.find(address.host, profile)).value
    else:
        key = await keys.key_for(address.host, profile)
    return replace(backend_config(profile, key), base_url=base_url)


def as_profile(endpoint: Profile | SpeechServer) -> Profile:
    """Return a speech server as the profile that has its address and its key.

    Raises:
        AssistantError: BAD_REQUEST; the base URL cannot be meant.
    """
    if isinstance(endpoint, Profile):
        return endpoint
    base_url = endpoint.base_url
    if "/audio/" in base_url:
        base_url = speech_endpoint(base_url).base_url
    return Profile(
        name="speech server",
        backend="chat-completions",
        base_url=base_url,
        api_key_env=endpoint.api_key_env,
        model=endpoint.model,
    )


def address_of(profile: Profile) -> Endpoint:
    """Return where requests of a profile go.

    Raises:
        AssistantError: BAD_REQUEST; the base URL cannot be meant.
    """
    return normalize_base_url(Environment().base_url(profile)[0], profile.backend)
