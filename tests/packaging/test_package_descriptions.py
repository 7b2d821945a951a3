"""The files by which each system knows the program agree with each other and with the program."""

from __future__ import annotations

import configparser
import plistlib
import re
import struct
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

import s2s_desktop
from fake_machine import PROJECT
from s2s_desktop.runtime import autostart

sys.path.append(str(PROJECT / "packaging"))
from bundle import icons, linux_files, project, version_resource

NOON = 1_767_268_800
"""1 January 2026, 12:00 UTC."""


@pytest.fixture
def app() -> project.Project:
    return project.read()


@pytest.fixture
def share(app: project.Project, tmp_path: Path) -> Path:
    """What a package puts into `share`."""
    linux_files.write(app, tmp_path, NOON)
    return tmp_path


def test_there_is_one_version(app: project.Project) -> None:
    assert app.version == s2s_desktop.__version__


def test_the_menu_entry_and_its_description_name_each_other(app: project.Project, share: Path) -> None:
    root = ElementTree.parse(share / "metainfo" / f"{app.identifier}.metainfo.xml").getroot()
    entry = share / "applications" / (root.findtext("launchable") or "")

    assert root.findtext("id") == app.identifier
    assert entry.name == "s2s-desktop.desktop", "the name that the window gives its desktop"
    assert entry.is_file()


def test_the_release_is_described_with_version_and_date(app: project.Project, share: Path) -> None:
    release = ElementTree.parse(share / "metainfo" / f"{app.identifier}.metainfo.xml").find(
        "releases/release"
    )

    assert release is not None
    assert release.attrib == {"version": app.version, "date": "2026-01-01"}


def test_the_menu_entry_has_an_icon_in_every_size(app: project.Project, share: Path) -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment]
    entry.read(share / "applications" / "s2s-desktop.desktop", encoding="utf-8")
    icon = entry["Desktop Entry"]["Icon"]

    for size in icons.LINUX_SIZES:
        picture = QImage(str(share / "icons/hicolor" / f"{size}x{size}" / "apps" / f"{icon}.png"))
        assert (picture.width(), picture.height()) == (size, size)
        assert picture.pixelColor(size // 2, size // 2).alpha() > 0
    assert (share / "icons/hicolor/scalable/apps" / f"{icon}.svg").is_file()


def test_an_icon_of_windows_holds_each_size() -> None:
    data = icons.ico({256: b"large", 16: b"small"})

    assert struct.unpack_from("<HHH", data) == (0, 1, 2)
    entries = [struct.unpack_from("<BBBBHHII", data, 6 + 16 * index) for index in range(2)]
    assert [entry[0] for entry in entries] == [16, 0], "256 does not fit into a byte and is written as 0"
    assert [data[entry[7] : entry[7] + entry[6]] for entry in entries] == [b"small", b"large"]


def test_an_icon_of_macos_says_how_long_it_and_its_parts_are() -> None:
    data = icons.icns({b"ic07": b"picture"})

    assert data == b"icns" + struct.pack(">I", 23) + b"ic07" + struct.pack(">I", 15) + b"picture"


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.2.3", (1, 2, 3, 0)),
        ("1.10.0", (1, 10, 0, 0)),
        ("2.0rc1", (2, 0, 0, 0)),
        ("1.2.3+local", (1, 2, 3, 0)),
    ],
)
def test_windows_gets_a_version_of_four_numbers(version: str, expected: tuple[int, ...]) -> None:
    assert version_resource.numbers(version) == expected


def test_the_version_resource_is_an_expression_of_pyinstallers_classes(app: project.Project) -> None:
    names = [
        "VSVersionInfo",
        "FixedFileInfo",
        "StringFileInfo",
        "StringTable",
        "StringStruct",
        "VarFileInfo",
        "VarStruct",
    ]
    classes = {name: lambda *args, **fields: SimpleNamespace(args=args, **fields) for name in names}

    info = eval(version_resource.text(app), classes)

    strings = dict(each.args for each in info.kids[0].args[0][0].args[1])
    assert strings["ProductVersion"] == app.version
    assert info.ffi.filevers == version_resource.numbers(app.version)


def test_macos_is_told_why_the_program_wants_the_microphone(app: project.Project) -> None:
    properties = plistlib.loads(plistlib.dumps(project.mac_properties(app)))
    rights = plistlib.loads((PROJECT / "packaging" / "macos" / "entitlements.plist").read_bytes())

    assert properties["NSMicrophoneUsageDescription"]
    assert rights["com.apple.security.device.audio-input"] is True


def test_the_windows_installer_takes_back_the_start_with_login() -> None:
    script = (PROJECT / "packaging" / "windows" / "installer.iss").read_text(encoding="utf-8")

    key, value = re.search(r'Root: HKCU; Subkey: "(.+?)"; ValueName: "(.+?)"', script).groups()
    assert (key, value) == (autostart._RUN_KEY, autostart._LABEL)


def test_what_scripts_and_workflows_name_is_there() -> None:
    workflows = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
    scripts = [*workflows, PROJECT / "packaging" / "build.sh", PROJECT / "Makefile"]
    named = {
        path
        for script in scripts
        for path in re.findall(r"packaging/[\w./-]+\.(?:py|sh|ps1|iss|txt|plist)", script.read_text("utf-8"))
    }

    assert len(workflows) == 2
    assert len(named) >= 8
    assert [path for path in sorted(named) if not (PROJECT / path).is_file()] == []
