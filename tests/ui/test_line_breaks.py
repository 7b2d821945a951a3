"""Prose keeps its lines; the structure of Markdown stays what it was."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from s2s_desktop.ui.line_breaks import keep_line_breaks


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("Roses are red,\nviolets are blue.", "Roses are red, \nviolets are blue."),
        ("Roses are red,  \nviolets are blue.", "Roses are red, \nviolets are blue."),
        ("Name: Ann\\\nAge: 7", "Name: Ann \nAge: 7"),
        ("**Loud.**\nquiet", "Loud. \nquiet"),
        ("- item\ngoes on", "item \ngoes on"),
    ],
)
def test_lines_of_prose_stay_lines(qapp: QApplication, markdown: str, shown: str) -> None:
    document = QTextDocument()
    document.setMarkdown(keep_line_breaks(markdown))
    assert document.toPlainText() == shown
    assert document.blockCount() == 1


@pytest.mark.parametrize(
    "markdown",
    [
        "# Title\ntext",
        "text\n# Title",
        "text\n- one\n- two",
        "text\n1. one\n2. two",
        "text\n> said",
        "Title\n=====",
        "Title\n---\ntext",
        "a | b\n--|--\nx | y",
        "text\n\n    code\ntext",
        "[a]: http://example.org\ntext",
        "one\n\ntwo",
    ],
)
def test_structure_is_left_alone(markdown: str) -> None:
    assert keep_line_breaks(markdown) == markdown
