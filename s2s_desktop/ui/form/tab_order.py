"""Lets the Tab key follow the order in which fields are laid out, not the one they were made in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def order_tabs(*parents: QWidget) -> None:
    """Set the order of all fields below `parents`, one after the other."""
    for earlier, later in pairwise(field for parent in parents for field in _fields(parent)):
        QWidget.setTabOrder(earlier, later)


def _fields(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
    if widget.focusProxy() is not None:
        return  # what is inside is one field
    inner = widget.widget() if isinstance(widget, QScrollArea) else None
    layout = widget.layout()
    if inner is not None:
        yield from _fields(inner)
    elif layout is not None:
        yield from _fields_of(layout)


def _fields_of(layout: QLayout) -> Iterator[QWidget]:
    for index in range(layout.count()):
        item = layout.itemAt(index)
        inner = item.layout() if item is not None else None
        widget = item.widget() if item is not None else None
        if inner is not None:
            yield from _fields_of(inner)
        elif widget is not None:
            yield from _fields(widget)
