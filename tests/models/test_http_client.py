"""Company networks: proxies, certificates, and what is said when they do not work."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from models.loopback import Handler, Server
from models.small import Recorder, fill_hub
from s2s_desktop.errors import AssistantError
from s2s_desktop.models.records import ModelStatus
from s2s_desktop.models.store import ModelStore


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1 that no computer trusts by itself, with its key in the same file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is needed to make a certificate")
    key, file = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += ["-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(file)], check=True, capture_output=True)
    file.write_text(file.read_text() + key.read_text())
    return file


@pytest.fixture
def tls_hub(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server()
    fill_hub(server)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    http.owner = server  # type: ignore[attr-defined]
    http.handle_error = lambda *_arguments: None  # type: ignore[method-assign]
    http.socket = context.wrap_socket(http.socket, server_side=True)
    thread = threading.Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"https://127.0.0.1:{http.server_port}")
    yield server
    http.shutdown()
    thread.join()
    http.server_close()


class TestCertificates:
    def test_an_unknown_one_is_refused_and_the_remedy_named(
        self,
        tls_hub: Server,
        index: Server,
        store: ModelStore,
        recorder: Recorder,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        monkeypatch.delenv("SSL_CERT_DIR", raising=False)
        store.ensure(["small"], recorder)
        assert "shows a certificate this computer does not trust" in recorder.notes[0]
        assert "SSL_CERT_FILE" in recorder.notes[0]
        assert tls_hub.asked == []

    def test_one_of_the_company_is_accepted_when_it_is_named(
        self, tls_hub: Server, certificate: Path, store: ModelStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        store.ensure(["small"])
        assert store.status("small") is ModelStatus.PRESENT

    def test_a_file_that_is_not_there_is_explained(
        self, tls_hub: Server, store: ModelStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
        monkeypatch.setenv("PIP_INDEX_URL", "https://127.0.0.1:1/simple")
        with pytest.raises(AssistantError, match="the certificates that SSL_CERT_FILE names cannot be read"):
            store.ensure(["small"])


class TestProxies:
    def test_requests_go_through_the_proxy_of_the_environment(
        self, store: ModelStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A proxy for plain HTTP is asked with the whole address."""
        with Server() as proxy:
            fill_hub(proxy)
            origin = "http://hub.invalid"
            proxy.files = {f"{origin}{path}": data for path, data in proxy.files.items()}
            monkeypatch.setenv("HF_ENDPOINT", origin)
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            store.ensure(["small"])
            assert all(request.path.startswith(origin) for request in proxy.asked)
        assert store.status("small") is ModelStatus.PRESENT

    @pytest.mark.parametrize("address", ["socks5://127.0.0.1:1", "nonsense://127.0.0.1:1"])
    def test_one_that_cannot_be_used_is_explained(
        self, store: ModelStore, monkeypatch: pytest.MonkeyPatch, address: str
    ) -> None:
        monkeypatch.setenv("ALL_PROXY", address)
        monkeypatch.setenv("HF_ENDPOINT", "http://hub.invalid")
        monkeypatch.setenv("PIP_INDEX_URL", "http://index.invalid/simple")
        with pytest.raises(AssistantError, match="cannot be reached"):
            store.ensure(["small"])
