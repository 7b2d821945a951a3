"""A packaged program: where it keeps things, what it does without a console, how it comes into the menu."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fake_machine import PROJECT
from s2s_desktop.settings.paths import HOME_VARIABLE, PORTABLE_NAME, find_paths, program_folder

needs_sh = pytest.mark.skipif(os.name != "posix", reason="for Linux and macOS")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A packaged program in a difficult path."""
    path = tmp_path / "S2S Désktop ü" / "s2s-desktop"
    path.parent.mkdir()
    path.touch()
    for variable in (HOME_VARIABLE, "APPIMAGE", "APPDIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(path))
    return path


class TestPortableFolder:
    def test_keeps_everything(self, program: Path) -> None:
        root = program.parent / PORTABLE_NAME
        root.mkdir()

        paths = find_paths()

        kept = (paths.settings_file, paths.data, paths.models, paths.logs, paths.state)
        assert all(path.is_relative_to(root) for path in kept)

    def test_must_have_been_made_by_somebody(self, program: Path) -> None:
        assert not find_paths().data.is_relative_to(program.parent)

    def test_yields_to_the_variable(
        self, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (program.parent / PORTABLE_NAME).mkdir()
        monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "chosen"))

        assert find_paths().data == tmp_path / "chosen" / "data"

    def test_is_not_looked_for_by_a_program_that_runs_from_python(
        self, program: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (program.parent / PORTABLE_NAME).mkdir()
        monkeypatch.delattr(sys, "frozen")

        assert program_folder() is None
        assert not find_paths().data.is_relative_to(program.parent)


class TestProgramFolder:
    def test_is_that_of_the_program(self, program: Path) -> None:
        assert program_folder() == program.parent

    @needs_sh
    def test_is_found_through_a_link_on_the_path(
        self, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "link").symlink_to(program)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "link"))

        assert program_folder() == program.parent

    def test_is_that_of_the_app_image(
        self, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("APPDIR", str(program.parent))
        monkeypatch.setenv("APPIMAGE", str(tmp_path / "downloads" / "S2S.AppImage"))

        assert program_folder() == tmp_path / "downloads"

    def test_is_not_that_of_another_app_image_that_started_it(
        self, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("APPDIR", str(tmp_path / "mounted terminal"))
        monkeypatch.setenv("APPIMAGE", str(tmp_path / "terminal.AppImage"))

        assert program_folder() == program.parent

    def test_is_beside_the_app_of_macos(self, tmp_path: Path, program: Path, monkeypatch) -> None:
        inside = tmp_path / "Applications" / "S2S Desktop.app" / "Contents" / "MacOS" / "s2s-desktop"
        monkeypatch.setattr(sys, "executable", str(inside))

        assert program_folder() == tmp_path / "Applications"


@needs_sh
def test_closed_standard_streams_are_not_taken_by_the_files_of_the_program(tmp_path: Path) -> None:
    """A library that prints to number 2 would else write into a log, a database or a socket (S65)."""
    script = tmp_path / "start.py"
    answer = tmp_path / "answer"
    script.write_text(
        "import os, runpy\n"
        f"fill = runpy.run_path({str(PROJECT / 'packaging' / 'program.py')!r})['_fill_standard_streams']\n"
        "fill()\n"
        f"with open({str(answer)!r}, 'w') as file:\n"
        "    null = os.stat(os.devnull)\n"
        "    same = [os.path.samestat(os.fstat(number), null) for number in range(3)]\n"
        "    file.write(f'{file.fileno()} {same}')\n"
    )
    command = ["/bin/sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', sys.executable, str(script)]

    assert subprocess.run(command, check=False, timeout=60).returncode == 0
    number, same = answer.read_text().split(" ", 1)
    assert int(number) > 2
    assert same == "[True, True, True]"


@needs_sh
class TestAddToMenu:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """An unpacked portable archive, in a path with everything that a menu entry must escape."""
        folder = tmp_path / 'S2S "Dé$ktop" 100% ü'
        entries = folder / "share" / "applications"
        entries.mkdir(parents=True)
        shutil.copy(PROJECT / "packaging" / "linux" / "s2s-desktop.desktop", entries)
        shutil.copy(PROJECT / "packaging" / "linux" / "add-to-menu.sh", folder)
        pictures = folder / "share" / "icons" / "hicolor" / "16x16" / "apps"
        pictures.mkdir(parents=True)
        (pictures / "s2s-desktop.png").write_bytes(b"picture")
        return folder

    def run(self, folder: Path, home: Path, *arguments: str) -> set[str]:
        """Run the script and return the files that are in the home folder then."""
        environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
        subprocess.run([str(folder / "add-to-menu.sh"), *arguments], env=environment, check=True, timeout=60)
        return {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}

    def test_writes_an_entry_for_this_place(self, folder: Path, tmp_path: Path) -> None:
        files = self.run(folder, tmp_path / "home")

        assert files == {
            ".local/share/applications/s2s-desktop.desktop",
            ".local/share/icons/hicolor/16x16/apps/s2s-desktop.png",
        }
        entry = (tmp_path / "home" / ".local/share/applications/s2s-desktop.desktop").read_text()
        (line,) = [line for line in entry.splitlines() if line.startswith("Exec=")]
        escaped = str(tmp_path / 'S2S \\\\"Dé\\\\$ktop\\\\" 100%% ü' / "s2s-desktop")
        assert line == f'Exec="{escaped}"'

    def test_takes_it_all_back(self, folder: Path, tmp_path: Path) -> None:
        self.run(folder, tmp_path / "home")

        assert self.run(folder, tmp_path / "home", "remove") == set()
