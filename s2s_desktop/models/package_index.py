"""The Python package index: which one, and where in it a wheel is.

`pip download` would do it too, but it cannot resume a cut download, and a frozen program has no pip.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

DEFAULT_INDEX = "https://pypi.org/simple"
ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
"""JSON where the index speaks it (PEP 691), else the HTML every mirror has (PEP 503)."""


@dataclass(frozen=True, slots=True)
class Index:
    """A package index.

    Attributes:
        url: Address without name and password, without a slash at the end.
        headers: What its own host must be sent (authorization); may hold a password, so it is never shown.
    """

    url: str
    headers: dict[str, str]

    @property
    def label(self) -> str:
        """What people call it."""
        host = urlsplit(self.url).hostname
        return "PyPI" if self.url == DEFAULT_INDEX else f"the package index {host}"

    def page(self, project: str) -> str:
        """Return the address of a project's page."""
        return f"{self.url}/{re.sub(r'[-_.]+', '-', project).lower()}/"

    def headers_for(self, url: str) -> dict[str, str]:
        """Return the headers for an address the index named: its password stays on its own host."""
        return self.headers if urlsplit(url)[:2] == urlsplit(self.url)[:2] else {}


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel as the index lists it.

    Attributes:
        url: Where it is.
        sha256: Its SHA-256, or "" when the index does not say.
        size: Bytes, or None when the index does not say.
    """

    url: str
    sha256: str
    size: int | None


def find_index() -> Index:
    """Return the index the user chose for pip or uv, else PyPI (also for a folder, which has no HTTP)."""
    variables = ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL")
    chosen = next((value for name in variables if (value := os.environ.get(name, "").strip())), "")
    # uv accepts `name=address`.
    address = re.sub(r"^[\w.-]+=(?=https?://)", "", chosen or _pip_setting())
    try:
        speaks_http = urlsplit(address).scheme in {"http", "https"}
    except ValueError:
        speaks_http = False
    return _index_at(address) if speaks_http else Index(DEFAULT_INDEX, {})


def find_wheel(page_url: str, content_type: str, page: bytes, wheel_name: str) -> Wheel | None:
    """Return a wheel from a project's page, or None when the page does not list it.

    Args:
        page_url: Address the page came from; links are relative to it.
        content_type: The page's content type.
        page: The page.
        wheel_name: File name of the wheel.

    Raises:
        ValueError: The page is not what an index sends.
    """
    wheels = _json_wheels(page) if "json" in content_type else _html_wheels(page)
    for name, wheel in wheels:
        if name == wheel_name:
            return Wheel(urljoin(page_url, wheel.url), wheel.sha256, wheel.size)
    return None


def _index_at(address: str) -> Index:
    parts = urlsplit(address)
    headers = {}
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    host = parts.netloc.rpartition("@")[2]
    return Index(urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", "")), headers)


def _pip_setting() -> str:
    """Return pip's own `index-url`, which company machines set in a file that only pip knows how to find."""
    if getattr(sys, "frozen", False) or importlib.util.find_spec("pip") is None:
        return ""
    # Not `config get`: that reads the user's file alone, and companies write the machine's.
    command = [sys.executable, "-m", "pip", "config", "list"]
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=10, check=False, creationflags=hidden
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"^global\.index-url='(.*)'$", done.stdout, re.MULTILINE)
    return found[1] if found else ""


def _json_wheels(page: bytes) -> Iterator[tuple[str, Wheel]]:
    """PEP 691, with the sizes of PEP 700."""
    try:
        for entry in json.loads(page)["files"]:
            size = entry.get("size")
            sha256 = entry.get("hashes", {}).get("sha256", "")
            yield entry["filename"], Wheel(entry["url"], sha256, size if isinstance(size, int) else None)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a page of a package index: {error!r}") from error


def _html_wheels(page: bytes) -> Iterator[tuple[str, Wheel]]:
    """PEP 503: one anchor a file, the hash in the fragment."""
    parser = _Anchors()
    parser.feed(page.decode("utf-8", "replace"))
    for link in parser.links:
        url, fragment = urldefrag(link)
        name = unquote(urlsplit(url).path.rpartition("/")[2])
        yield name, Wheel(url, fragment.removeprefix("sha256=") if "sha256=" in fragment else "", None)


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attrs if tag == "a" and name == "href" and value]
