"""Draws the rows of the list of conversations."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.ui.conversation_list_model import AnyIndex, ConversationRole
from s2s_desktop.ui.icons import paint_icon
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import FIELD_RADIUS, GAP

INSET = 8
_PADDING = 10
_PIN = 14
_MAX_TITLE = 200


class ConversationListDelegate(QStyledItemDelegate):
    """One line a row; headings are small and quiet. All rows are equally high, which keeps long lists fast.

    Attributes:
        in_use: Id of the conversation that is going on.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.in_use = ""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(0, round(self._theme.scale.body * self._theme.scale.line_height) + 2 * 7)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        conversation = index.data(ConversationRole)
        rect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(conversation, Conversation):
            self._paint_row(painter, option, rect, conversation, str(index.data()))
        else:
            self._paint_heading(painter, rect, str(index.data()))
        painter.restore()

    @override
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        editor = QLineEdit(parent)
        editor.setMaxLength(_MAX_TITLE)
        editor.setAccessibleName(self.tr("Title of the conversation"))
        editor.setProperty("role", "rename")
        return editor

    @override
    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        editor.setGeometry(option.rect.adjusted(INSET, 1, -INSET, -1))

    def _paint_row(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        rect: QRect,
        conversation: Conversation,
        title: str,
    ) -> None:
        card = QRectF(rect).adjusted(INSET, 1, -INSET, -1)
        state = option.state
        in_use = conversation.id == self.in_use
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if in_use or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setOpacity(1.0 if in_use else 0.6)
            painter.setBrush(self._theme.color("raised"))
            painter.drawRoundedRect(card, FIELD_RADIUS, FIELD_RADIUS)
            painter.setOpacity(1.0)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(card.adjusted(1, 1, -1, -1), FIELD_RADIUS - 1, FIELD_RADIUS - 1)
        text = card.adjusted(_PADDING, 0, -_PADDING, 0)
        if conversation.pinned:
            side = self._theme.scale.sign(_PIN)
            place = QRectF(text.right() - side, text.center().y() - side / 2, side, side)
            paint_icon(painter, "pin", self._theme.color("muted"), place)
            text.setRight(place.left() - GAP)
        font = self._theme.body_font()
        font.setWeight(QFont.Weight.DemiBold if in_use else QFont.Weight.Normal)
        _draw(painter, font, text, title, Qt.AlignmentFlag.AlignVCenter, self._theme, "text")

    def _paint_heading(self, painter: QPainter, rect: QRect, heading: str) -> None:
        font = self._theme.body_font()
        font.setPixelSize(self._theme.scale.small)
        font.setWeight(QFont.Weight.DemiBold)
        text = QRectF(rect).adjusted(INSET + _PADDING, 0, -INSET, -5)
        _draw(painter, font, text, heading, Qt.AlignmentFlag.AlignBottom, self._theme, "muted")


def _draw(
    painter: QPainter,
    font: QFont,
    area: QRectF,
    text: str,
    align: Qt.AlignmentFlag,
    theme: Theme,
    token: str,
) -> None:
    painter.setFont(font)
    painter.setPen(theme.color(token))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()))
    painter.drawText(area, int(align | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine), shown)
