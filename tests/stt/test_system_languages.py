"""What the system says about the languages of its user."""

from __future__ import annotations

import sys

import pytest

from s2s_desktop.stt.system_languages import system_languages

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows tells its own language besides")


@posix
@pytest.mark.parametrize(
    ("environment", "languages"),
    [
        ({"LANG": "de_AT.UTF-8"}, ("de",)),
        ({"LANG": "sr_RS@latin"}, ("sr",)),
        ({"LANG": "nb_NO.UTF-8"}, ("no",)),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "ja_JP.UTF-8"}, ("ja", "en")),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "pt_BR:pt:fr"}, ("pt", "fr", "de")),
        ({"LANG": "C.UTF-8", "LC_ALL": "POSIX"}, ()),
        ({"LANG": "tlh_QO.UTF-8"}, ()),
        ({"LANG": "", "LC_MESSAGES": ":::"}, ()),
        ({}, ()),
    ],
)
def test_the_environment_names_them(environment: dict[str, str], languages: tuple[str, ...]) -> None:
    assert system_languages(environment) == languages


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("English_United States", ("en",)),
        ("Chinese (Simplified)_China", ("zh",)),
        ("Norwegian Bokm\xe5l_Norway", ("no",)),
        ("pt_BR", ("pt",)),
        ("C", ()),
    ],
)
def test_windows_tells_a_name(monkeypatch: pytest.MonkeyPatch, name: str, languages: tuple[str, ...]) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("locale.getlocale", lambda: (name, "1252"))
    assert system_languages({}) == languages


def test_without_arguments_the_system_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "it")
    assert system_languages()[0] == "it"
