"""Puts widgets into the column of the conversation."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import COLUMN_WIDTH, EDGE_NARROW


def centered(widget: QWidget, theme: Theme) -> QHBoxLayout:
    """Return a layout with `widget` in the middle, no wider than the column, with air around it."""

    def fit() -> None:
        widget.setMaximumWidth(theme.scale.room(COLUMN_WIDTH))

    fit()
    theme.changed.connect(fit)
    layout = QHBoxLayout()
    layout.setContentsMargins(EDGE_NARROW, 0, EDGE_NARROW, 0)
    layout.setSpacing(0)
    layout.addStretch(1)
    layout.addWidget(widget, 1000)
    layout.addStretch(1)
    return layout
