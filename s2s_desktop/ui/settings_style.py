"""The rules of forms: the settings and the first-run pages. Added to the stylesheet of the window."""

from __future__ import annotations

from string import Template

from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import CARD_RADIUS, FIELD_RADIUS

_RULES = Template("""
QDialog, QWidget[role="page"] { background: $background; }
QMessageBox { background: $surface; }
QLabel[role="group"] { font-weight: 600; }
QLabel[role="label"] { font-weight: 500; }
QLabel[role="problem"] { color: $danger; font-size: ${small}px; }
QLabel[role="success"] { color: $success; font-size: ${small}px; }
QFrame[role="line"] { background: $line; border: none; }

QLineEdit { background: $surface; padding: 6px 10px; }
QLineEdit:focus { padding: 5px 9px; }
QLineEdit[wrong="true"], QPlainTextEdit[wrong="true"], QComboBox[wrong="true"] { border-color: $danger; }
QLineEdit:disabled, QComboBox:disabled, QPlainTextEdit[role="box"]:disabled {
    background: $background; color: $muted; border-color: $line; }

QComboBox { background: $surface; color: $text; border: 1px solid $outline; border-radius: ${field}px;
    padding: 6px 30px 6px 12px; selection-background-color: $accent; selection-color: $accent_text; }
QComboBox:focus, QComboBox:on { border: 2px solid $accent; padding: 5px 29px 5px 11px; }
QComboBox::drop-down { border: none; width: 0; }
QComboBox:editable::drop-down { width: 30px; }
QComboBox:editable { padding-left: 10px; padding-right: 2px; }
QComboBox:editable:focus { padding-left: 9px; }
QComboBox[mirrored="true"] { padding-left: 30px; padding-right: 12px; }
QComboBox[mirrored="true"]:editable { padding-left: 32px; padding-right: 10px; }
QComboBox[mirrored="true"]::drop-down { subcontrol-position: top left; }
QComboBox::down-arrow { image: none; }
QComboBox QLineEdit, QComboBox QLineEdit:focus, QComboBox QLineEdit:disabled {
    background: transparent; border: none; padding: 0; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $line; outline: none; padding: 4px;
    selection-background-color: $raised; selection-color: $text; }
QComboBox QAbstractItemView::item { min-height: 30px; padding: 0 8px; border-radius: 6px; }
QComboBox QAbstractItemView::item:selected { background: $raised; color: $text; }

QPlainTextEdit[role="box"] { background: $surface; border: 1px solid $outline; border-radius: ${field}px;
    padding: 4px 6px; }
QPlainTextEdit[role="box"]:focus { border: 2px solid $accent; padding: 3px 5px; }

QSlider { min-height: 26px; background: transparent; }
QSlider::groove:horizontal { height: 4px; background: $line; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
    background: $surface; border: 1px solid $outline; }
QSlider::handle:horizontal:focus { border: 2px solid $accent; width: 12px; height: 12px; }
QSlider::sub-page:horizontal:disabled { background: $outline; }

QFrame[role="side"] { background: $surface; border: none; border-right: 1px solid $line; }
QListWidget[role="pages"] { background: transparent; border: none; outline: none; padding: 12px 8px; }
QListWidget[role="pages"]::item { padding: 8px 10px; margin: 1px 0; border-radius: ${field}px;
    border: 2px solid transparent; color: $text; }
QListWidget[role="pages"]::item:hover { background: $raised; }
QListWidget[role="pages"]::item:selected { background: $user_bubble; color: $text; }
QListWidget[role="pages"][focused="true"]::item:selected { border-color: $accent; }

QListWidget[role="list"] { background: $surface; border: 1px solid $outline; border-radius: ${field}px;
    outline: none; padding: 4px; }
QListWidget[role="list"]:focus { border: 2px solid $accent; padding: 3px; }
QListWidget[role="list"]::item { padding: 6px 8px; border-radius: 6px; color: $text; }
QListWidget[role="list"]::item:hover { background: $raised; }
QListWidget[role="list"]::item:selected { background: $user_bubble; color: $text; }
QFrame[role="foot"] QPushButton[role="link"] { padding: 5px 4px; margin-left: -6px; }
QFrame[role="foot"] { border: none; border-top: 1px solid $line; }
QPushButton[role="choice"] { text-align: left; padding: 11px 16px; font-weight: 400; font-size: ${body}px;
    border-radius: ${card}px; }
QPushButton[role="choice"]:checked { border-color: $accent; background: $user_bubble; }
QPushButton::menu-indicator { image: none; width: 0; }
""")


def form_stylesheet(theme: Theme) -> str:
    """Return the whole stylesheet of a window with forms."""
    tokens, scale = theme.tokens, theme.scale
    colors = {name: getattr(tokens, name) for name in tokens.__slots__}
    rules = _RULES.substitute(
        colors, body=scale.body, small=scale.small, field=FIELD_RADIUS, card=CARD_RADIUS
    )
    return theme.stylesheet() + rules
