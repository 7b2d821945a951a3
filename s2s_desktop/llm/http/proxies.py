"""Which proxy a request goes through, decided for one host at a time.

The HTTP library would set up every proxy of the environment when the client is built, and fail there for a
server on this computer too (https://github.com/ollama/ollama-python/issues/424).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.request import getproxies, proxy_bypass


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy and where it was set.

    Attributes:
        url: May hold a password.
        source: The environment variable, or words for the settings of the system.
    """

    url: str = field(repr=False)
    source: str


def find_proxy(scheme: str, hostname: str) -> Proxy | None:
    """Return the proxy that the environment or the system wants for a host outside the local network.

    Args:
        scheme: `http` or `https`.
        hostname: The host that is called.
    """
    proxies = getproxies()
    key = next((key for key in (scheme, "all") if proxies.get(key)), None)
    if key is None or proxy_bypass(hostname):
        return None
    url = proxies[key]
    return Proxy(url if "://" in url else f"http://{url}", _source(key))


def _source(key: str) -> str:
    names = (f"{key}_proxy".upper(), f"{key}_proxy")
    return next((name for name in names if os.environ.get(name)), "the proxy settings of the system")
