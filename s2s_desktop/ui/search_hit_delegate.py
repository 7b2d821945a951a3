"""Draws what a search found."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QTextLayout
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from s2s_desktop.conversation.store.searching import SearchHit
from s2s_desktop.conversation.store.snippets import Snippet
from s2s_desktop.ui.conversation_list_model import AnyIndex
from s2s_desktop.ui.day_groups import short_date
from s2s_desktop.ui.snippet_layout import layout_snippet
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import FIELD_RADIUS, GAP

HitRole = Qt.ItemDataRole.UserRole
"""The `SearchHit` of a row."""

_INSET = 8
_PADDING = 10
_LINES = 3


class SearchHitDelegate(QStyledItemDelegate):
    """Draws the title with the day at its right, and the piece of the message below."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        width = self._view.viewport().width() - 2 * (_INSET + _PADDING)
        hit = index.data(HitRole)
        layout = self._layout(hit, width)
        lines = 0 if hit.turn is None else layout.boundingRect().height() + 2
        return QSize(0, round(QFontMetrics(self._title_font()).height() + lines) + 2 * 9)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        hit: SearchHit = index.data(HitRole)
        card = QRectF(option.rect).adjusted(_INSET, 1, -_INSET, -1)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("raised"))
            painter.drawRoundedRect(card, FIELD_RADIUS, FIELD_RADIUS)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(card.adjusted(1, 1, -1, -1), FIELD_RADIUS - 1, FIELD_RADIUS - 1)
        inside = card.adjusted(_PADDING, 8, -_PADDING, -8)
        day = short_date(hit.created_at, date.today())
        small = self._small_font()
        day_width = QFontMetrics(small).horizontalAdvance(day)
        painter.setFont(small)
        painter.setPen(self._theme.color("muted"))
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), day)
        height = QFontMetrics(self._title_font()).height()
        room = int(inside.width()) - day_width - GAP
        painter.setPen(self._theme.color("text"))
        self._title(hit, room).draw(painter, inside.topLeft())
        if hit.turn is not None:
            painter.setPen(self._theme.color("muted"))
            body = inside.topLeft() + QPointF(0, height + 2)
            self._layout(hit, int(inside.width())).draw(painter, body)
        painter.restore()

    def _title(self, hit: SearchHit, width: int) -> QTextLayout:
        snippet = hit.snippet if hit.turn is None else Snippet(hit.conversation.title, ())
        return layout_snippet(
            snippet,
            self._title_font(),
            width,
            1,
            text=self._theme.color("text"),
            mark=self._theme.color("user_bubble"),
        )

    def _layout(self, hit: SearchHit, width: int) -> QTextLayout:
        return layout_snippet(
            hit.snippet,
            self._small_font(),
            width,
            _LINES,
            text=self._theme.color("text"),
            mark=self._theme.color("user_bubble"),
        )

    def _title_font(self) -> QFont:
        font = self._theme.body_font()
        font.setPixelSize(self._theme.scale.body - 1)
        return font

    def _small_font(self) -> QFont:
        font = self._theme.body_font()
        font.setPixelSize(self._theme.scale.small)
        return font
