"""The one stylesheet, written from the tokens. Widgets choose a rule with their `role` property."""

from __future__ import annotations

from string import Template

from s2s_desktop.ui.tokens import CARD_RADIUS, FIELD_RADIUS, SEARCH_ICON, Tokens, TypeScale

_RULES = Template("""
QWidget { color: $text; font-size: ${body}px; }
QWidget[role="window"], QWidget[role="page"] { background: $background; }
QScrollArea, QAbstractScrollArea { background: transparent; border: none; }
QToolTip { background: $surface; color: $text; border: 1px solid $line; padding: 4px 8px;
           font-size: ${small}px; }

QLabel { background: transparent; }
QLabel[role="title"] { font-size: ${title}px; font-weight: 600; }
QLabel[role="app"] { font-weight: 600; }
QLabel[role="muted"] { color: $muted; font-size: ${small}px; }
QLabel[role="heading"] { font-weight: 600; }
QLabel[role="strong"] { font-size: ${small}px; font-weight: 600; }
QLabel[role="muted-body"] { color: $muted; }
QLabel[role="warning"] { color: $warning; font-size: ${small}px; }
QLabel[role="chip"] { background: $raised; color: $muted; font-size: ${small}px;
                      border-radius: 12px; padding: 3px 12px; }
QLabel[role="state"] { font-weight: 600; }
QLabel[role="state"][tone="listening"] { color: $listening; }
QLabel[role="state"][tone="thinking"] { color: $thinking; }
QLabel[role="state"][tone="speaking"] { color: $speaking; }
QLabel[role="state"][tone="error"] { color: $error; }

QWidget[role="topbar"] { background: $background; border-bottom: 1px solid $line; }
QWidget[role="sidebar"] { background: $surface; border-right: 1px solid $line; }
QLineEdit { background: $background; color: $text; border: 1px solid $outline; border-radius: ${field}px;
    padding: 6px 8px; selection-background-color: $accent; selection-color: $accent_text; }
QLineEdit:focus { border: 2px solid $accent; padding: 5px 7px; }
QLineEdit[role="search"] { padding-left: ${search}px; }
QLineEdit[role="search"]:focus { padding-left: ${search_focused}px; }
QLineEdit[role="rename"], QLineEdit[role="rename"]:focus { background: $surface; padding: 0 7px; }
QListView { outline: none; }
QHeaderView, QHeaderView::section { background: $surface; color: $muted; border: none; }
QHeaderView::section { border-bottom: 1px solid $line; padding: 4px 8px; }
QMenu { background: $surface; border: 1px solid $line; padding: 6px; }
QMenu::item { padding: 6px 28px 6px 14px; border-radius: 6px; background: transparent; }
QMenu::item:selected { background: $raised; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: 6px 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 8px; }
QWidget[role="dock"] { background: $surface; border-top: 1px solid $line; }
QFrame[role="bubble"] { background: $user_bubble; border-radius: ${card}px; }
QFrame[role="caption"] { background: transparent; border: 1px dashed $outline; border-radius: ${card}px; }
QFrame[role="card"] { background: $surface; border: 1px solid $line; border-radius: ${card}px; }
QFrame[role="popup"] { background: $surface; border: 1px solid $outline; }
QLabel[role="small"] { font-size: ${small}px; }
QFrame[role="banner"] { background: $raised; border: none; border-radius: ${card}px; }
QFrame[role="code"] { background: $raised; border: none; border-radius: ${field}px; }
QFrame[role="field"] { background: $surface; border: 1px solid $outline; border-radius: 21px;
                       margin: 1px; }
QFrame[role="field"][focused="true"] { border: 2px solid $accent; border-radius: 22px; margin: 0; }

QTextBrowser, QPlainTextEdit { background: transparent; border: none; padding: 0;
    selection-background-color: $accent; selection-color: $accent_text; }
QPlainTextEdit[role="code"] { font-family: "$mono"; font-size: ${small}px; }
QTextBrowser[role="details"] { font-family: "$mono"; font-size: ${small}px; color: $muted; }

QPushButton { background: $surface; color: $text; border: 2px solid $line; border-radius: ${field}px;
              padding: 5px 14px; font-size: ${small}px; font-weight: 600; }
QPushButton:hover { background: $raised; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $muted; }
QPushButton[role="primary"] { background: $accent; color: $accent_text; border-color: $accent; }
QPushButton[role="primary"]:focus { border-color: $text; }
QPushButton[role="primary"]:disabled { background: $raised; color: $muted; border-color: $raised; }
QPushButton[role="danger"] { color: $danger; }
QPushButton[role="link"] { background: transparent; border-color: transparent; color: $accent; }
QPushButton[role="link"]:hover { background: $raised; }
QPushButton[role="link"]:focus { border-color: $accent; }
QPushButton[role="latency"], QPushButton[role="chip"] { color: $muted; font-weight: 400;
    border: 2px solid transparent; border-radius: 12px; padding: 2px 8px; }
QPushButton[role="latency"] { background: transparent; }
QPushButton[role="chip"] { background: $raised; padding: 2px 10px; }
QPushButton[role="latency"]:hover, QPushButton[role="chip"]:hover { background: $raised; color: $text; }
QPushButton[role="latency"]:focus, QPushButton[role="chip"]:focus { border-color: $accent; }
QPushButton[role="chip"]::menu-indicator { image: none; width: 0; }
QPushButton[role="example"] { border: 1px solid $line; border-radius: ${card}px; }
QPushButton[role="example"]:hover { background: $raised; }
QPushButton[role="example"]:focus { border: 2px solid $accent; }
QPushButton[role="jump"] { background: $surface; border: 1px solid $outline; border-radius: 16px;
    padding: 7px 16px; }
QPushButton[role="jump"]:hover { background: $raised; }
QPushButton[role="jump"]:focus { border: 2px solid $accent; padding: 6px 15px; }

QProgressBar { background: $line; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $outline; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
""")


def build_stylesheet(tokens: Tokens, scale: TypeScale, mono_family: str) -> str:
    """Return the stylesheet for one scheme and one text size."""
    colors = {name: getattr(tokens, name) for name in tokens.__slots__}
    return _RULES.substitute(
        colors,
        body=scale.body,
        small=scale.small,
        title=scale.title,
        mono=mono_family,
        search=scale.sign(SEARCH_ICON) + 12,
        search_focused=scale.sign(SEARCH_ICON) + 11,
        card=CARD_RADIUS,
        field=FIELD_RADIUS,
    )
