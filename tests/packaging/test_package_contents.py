"""What goes into a bundle, what stays out, and what a package then asks the distribution for."""

from __future__ import annotations

import re
import sys

import pytest

from fake_machine import PROJECT

sys.path.append(str(PROJECT / "packaging"))
from bundle import deb, project, sizes, trimming


def kept(*names: str, linux: bool = True) -> set[str]:
    """Return which files of these names go into a bundle."""
    entries = [(name, f"/build/{name}", "BINARY") for name in names]
    return {entry[0] for entry in trimming.needed(entries, linux=linux)}


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libportaudio.so.2", "libportaudio2"),
        ("libasound.so.2", "libportaudio2"),  # which depends on it
        ("libjack.so.0", "libportaudio2"),
        ("libstdc++.so.6", "libstdc++6 (>= 12)"),
        ("libgcc_s.so.1", "libgcc-s1"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libfontconfig.so.1", "libfontconfig1"),
        ("libfreetype.so.6", "libfreetype6"),
        ("libglib-2.0.so.0", "libglib2.0-0t64 | libglib2.0-0"),
        ("libgssapi_krb5.so.2", "libgssapi-krb5-2"),
        ("libX11.so.6", "libx11-6"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
    ],
)
def test_what_must_be_the_distributions_own_is_left_out_and_asked_for(library: str, package: str) -> None:
    assert kept(library) == set()
    assert package in deb.DEPENDS


@pytest.mark.parametrize(
    "name",
    [
        "libxcb-cursor.so.0",  # Qt needs it, and a fresh desktop lacks it
        "libxkbcommon-x11.so.0",
        "libpython3.12.so.1.0",
        "PySide6/Qt/lib/libQt6Core.so.6",
        "PySide6/Qt/lib/libQt6Network.so.6",
        "PySide6/Qt/lib/libQt6WaylandClient.so.6",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "espeakng_loader/libespeak-ng.so",
        "ctranslate2.libs/libgomp-e985bcbb.so.1.0.0",
    ],
)
def test_what_is_needed_stays(name: str) -> None:
    assert kept(name) == {name}


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6\\translations\\qtbase_de.qm",
        "PySide6/Qt/plugins/platforms/libqvnc.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/lib/libQt6EglFsKmsSupport.so.6",
        "libQt6Qml.so.6",
        "PySide6/opengl32sw.dll",
    ],
)
def test_parts_of_qt_that_nothing_uses_are_left_out(name: str) -> None:
    assert kept(name) == set()


def test_on_other_systems_the_sound_library_stays() -> None:
    name = "_sounddevice_data/portaudio-binaries/libportaudio64bit.dll"

    assert kept(name, "libportaudio.so.2", linux=False) == {name, "libportaudio.so.2"}


def test_the_description_of_the_deb_is_complete() -> None:
    app = project.read()

    fields = dict(
        line.split(": ", 1) for line in deb.control(app, 1234, "2.34").splitlines() if re.match(r"\w", line)
    )

    assert fields["Package"] == "s2s-desktop"
    assert fields["Version"] == app.version
    assert fields["Installed-Size"] == "1234"
    assert fields["Depends"].startswith("libc6 (>= 2.34), libportaudio2, ")


def test_the_description_of_the_deb_has_no_line_that_dpkg_reads_as_a_new_field() -> None:
    description = deb.control(project.read(), 1, "2.34").split("Description:")[1].splitlines()[1:]

    assert all(line.startswith(" ") for line in description)


def test_sizes_are_of_packages_with_their_libraries_the_largest_first(tmp_path) -> None:
    for name, size in {"_internal/a/x": 10, "_internal/a.libs/y": 20, "_internal/b/z": 25, "run": 1}.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(size))

    assert list(sizes.parts(tmp_path).items()) == [("a", 30), ("b", 25), ("run", 1)]
