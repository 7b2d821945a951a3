"""What happens when a link of a reply is clicked."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

OPENED_SCHEMES = frozenset({"http", "https", "mailto"})
"""A reply is untrusted: a link may open the browser or the mail program, never a file or another program."""


def is_openable(url: QUrl) -> bool:
    """Tell whether a click may open `url`."""
    return url.isValid() and url.scheme().lower() in OPENED_SCHEMES


def open_link(url: QUrl) -> None:
    """Open `url` in the user's browser or mail program; anything else is ignored."""
    if is_openable(url):
        QDesktopServices.openUrl(url)
