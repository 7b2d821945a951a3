"""Which hosts belong to the user: this computer and its own network."""

from __future__ import annotations

import ipaddress

_LOCAL_SUFFIXES = (".local", ".localhost", ".lan", ".home.arpa", ".internal", ".home", ".ts.net")
_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""Carrier-grade NAT (RFC 6598), which private overlay networks use for their machines."""


def is_local_host(hostname: str) -> bool:
    """Return whether a host is loopback, private, link-local, or a name that only a local network knows.

    Args:
        hostname: A name or an address, without brackets and port.
    """
    name = hostname.lower().rstrip(".")
    address = _address(name)
    if address is None:
        return name == "localhost" or name.endswith(_LOCAL_SUFFIXES) or "." not in name
    return (
        address.is_loopback
        or address.is_private
        or address.is_link_local
        or address.is_unspecified
        or (address.version == 4 and address in _SHARED)
    )


def is_address(hostname: str) -> bool:
    """Return whether a host is an IPv4 or IPv6 address, without brackets."""
    return _address(hostname) is not None


def _address(hostname: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(hostname.split("%")[0])
    except ValueError:
        return None
