"""The HTTP client of the downloads, and what its failures mean to a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from s2s_desktop import __version__
from s2s_desktop.models.http_stream import HttpStream, Limits, StalledError
from s2s_desktop.models.progress import CancelToken

if TYPE_CHECKING:
    import httpx2

_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})


class SourceError(Exception):
    """A source could not give a file; the next source is tried.

    Attributes:
        reason: Ends the sentence that begins with the name of the source, for example "cannot be reached".
        details: The technical text behind it.
        unreachable: The host itself is out of reach, so asking it for other files is no use.
        damaged: It gave other bytes than it should have; fetching the file anew may help.
    """

    def __init__(
        self, reason: str, details: str = "", *, unreachable: bool = False, damaged: bool = False
    ) -> None:
        super().__init__(f"{reason}: {details}" if details else reason)
        self.reason = reason
        self.details = details
        self.unreachable = unreachable
        self.damaged = damaged

    @classmethod
    def of_damage(cls, details: str) -> SourceError:
        """Return the failure of a source that gave other bytes than it should have."""
        return cls("sent a damaged file", details, damaged=True)


class BrokenTransferError(Exception):
    """An attempt failed in a way that another attempt may not.

    Attributes:
        failure: What it is when there is no other attempt.
    """

    def __init__(self, reason: str, details: str, *, unreachable: bool = False) -> None:
        super().__init__(details)
        self.failure = SourceError(reason, details, unreachable=unreachable)


class HttpClient:
    """Sends GET requests with the operating system's certificates and proxy settings.

    The variables `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, `SSL_CERT_FILE` and `SSL_CERT_DIR`
    count (httpx2).
    """

    def __init__(self, limits: Limits, cancel: CancelToken) -> None:
        self._limits = limits
        self._cancel = cancel
        self._client: httpx2.Client | None = None
        self._answered: set[str] = set()

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()

    def has_answered(self, url: str) -> bool:
        """Return whether the host of an address has answered before."""
        return _host(url) in self._answered

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str]) -> Iterator[HttpStream]:
        """Ask for `url` and follow redirects; `headers` stay with its host.

        Raises:
            SourceError: Asking again is no use.
            BrokenTransferError: Asking again may help.
            DownloadCancelledError: The cancel token was set.
        """
        import httpx2

        host = _host(url)
        began = False
        try:
            with HttpStream(self._open(), url, headers, self._limits, self._cancel) as stream:
                began = True
                self._answered.add(host)
                yield stream
        except httpx2.UnsupportedProtocol as error:
            raise SourceError("has no usable address", str(error), unreachable=True) from error
        except (httpx2.TooManyRedirects, httpx2.InvalidURL) as error:
            raise SourceError("has no usable address", str(error)) from error
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                raise SourceError(
                    "shows a certificate this computer does not trust (in a company network, set"
                    " SSL_CERT_FILE to the company's certificate file)",
                    str(error),
                    unreachable=True,
                ) from error
            raise BrokenTransferError("cannot be reached", str(error), unreachable=True) from error
        except (StalledError, httpx2.TimeoutException) as error:
            reason = "stopped answering" if began else "cannot be reached"
            raise BrokenTransferError(reason, f"{url}: {error}", unreachable=not began) from error
        except httpx2.TransportError as error:
            raise BrokenTransferError("broke off the download", repr(error)) from error

    def _open(self) -> httpx2.Client:
        import httpx2

        if self._client is None:
            try:
                self._client = httpx2.Client(
                    follow_redirects=True,
                    timeout=httpx2.Timeout(self._limits.stall_s, connect=self._limits.step_s),
                    # Compressed bodies would make sizes and ranges meaningless.
                    headers={"Accept-Encoding": "identity", "User-Agent": f"s2s-desktop/{__version__}"},
                )
            except (ImportError, ValueError, httpx2.InvalidURL) as error:
                # A SOCKS proxy needs the package socksio; other proxy addresses can be malformed.
                reason = "cannot be reached with the proxy settings of this computer"
                raise SourceError(reason, str(error), unreachable=True) from error
            except OSError as error:
                reason = "cannot be reached: the certificates that SSL_CERT_FILE names cannot be read"
                raise SourceError(reason, str(error), unreachable=True) from error
        return self._client


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError as error:
        raise SourceError("has no usable address", str(error), unreachable=True) from error


def check_status(status: int) -> None:
    """Accept a status that brings a body.

    Raises:
        SourceError: Asking again is no use.
        BrokenTransferError: Asking again may help.
    """
    if status in (200, 206):
        return
    if status in _BUSY:
        raise BrokenTransferError("is too busy", f"HTTP {status}")
    if status in (404, 410):
        raise SourceError("does not have the file", f"HTTP {status}")
    raise SourceError("refused the download", f"HTTP {status}")
