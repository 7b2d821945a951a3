"""The window comes back where it was, and always where it can be seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from s2s_desktop.ui.main_window import SMALLEST, MainWindow
from s2s_desktop.ui.window_state import WindowState, WindowStateFile, fit_to_screens

SCREEN, RIGHT = QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 1024)


class TestFile:
    def test_what_was_saved_is_loaded(self, tmp_path: Path) -> None:
        state = WindowState(QRect(10, -20, 800, 600), maximized=True, sidebar=False)
        WindowStateFile(tmp_path / "w.ini").save(state)
        assert WindowStateFile(tmp_path / "w.ini").load() == state

    def test_the_first_start_remembers_nothing(self, tmp_path: Path) -> None:
        assert WindowStateFile(tmp_path / "w.ini").load() == WindowState()

    @pytest.mark.parametrize(
        "content",
        [
            "[window]\nx=a\ny=1\nwidth=2\nheight=3\nmaximized=maybe\nsidebar=7\n",
            "[window]\nx=1\ny=1\nwidth=0\nheight=-3\n",
            "[window]\nx=1\ny=1\n",
            "\x00\xff nonsense",
        ],
    )
    def test_what_is_not_understood_is_as_on_the_first_start(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "w.ini").write_text(content, encoding="latin-1")
        assert WindowStateFile(tmp_path / "w.ini").load() == WindowState()

    def test_text_is_no_truth_by_itself(self, tmp_path: Path) -> None:
        (tmp_path / "w.ini").write_text("[window]\nmaximized=false\nsidebar=false\n")
        assert WindowStateFile(tmp_path / "w.ini").load() == WindowState(sidebar=False)

    def test_a_folder_that_cannot_be_written_does_no_harm(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way")
        WindowStateFile(tmp_path / "file" / "w.ini").save(WindowState())


class TestScreens:
    @pytest.mark.parametrize("area", [QRect(100, 100, 800, 600), QRect(2000, 50, 900, 700)])
    def test_a_window_in_view_stays(self, area: QRect) -> None:
        assert fit_to_screens(area, [SCREEN, RIGHT], SMALLEST) == area

    def test_a_window_of_a_screen_that_is_gone_comes_to_the_main_one(self) -> None:
        assert SCREEN.contains(fit_to_screens(QRect(2400, 300, 800, 600), [SCREEN], SMALLEST))

    @pytest.mark.parametrize("area", [QRect(50, -500, 800, 600), QRect(50, 1079, 800, 600)])
    def test_its_top_edge_can_be_reached(self, area: QRect) -> None:
        found = fit_to_screens(area, [SCREEN], SMALLEST)
        assert SCREEN.contains(found) or found == QRect(50, 1079, 800, 600)

    def test_a_window_larger_than_the_screen_gets_smaller(self) -> None:
        small = QRect(0, 0, 1024, 700)
        assert small.contains(fit_to_screens(QRect(0, 0, 3000, 2000), [small], SMALLEST))

    def test_it_is_never_smaller_than_it_can_be(self) -> None:
        found = fit_to_screens(QRect(0, 0, 3000, 2000), [QRect(0, 0, 320, 240)], SMALLEST)
        assert (found.width(), found.height()) == SMALLEST


async def test_the_window_comes_back_where_it_was(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "w.ini"
    first = MainWindow(state_file=file)
    first.setGeometry(60, 40, 900, 640)
    first.show()
    qtbot.waitExposed(first)
    first.body.toggle()
    place = first.geometry()
    first.close()
    await first.end_work()
    first.deleteLater()
    second = MainWindow(state_file=file)
    assert second.geometry() == place
    assert not second.body.wanted_when_wide
    second.deleteLater()
