"""Follows the system's colors and text size, or the user's own choice, and gives them to the widgets."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QStyle

from s2s_desktop.ui.stylesheet import build_stylesheet
from s2s_desktop.ui.tokens import DARK, LIGHT, Tokens, TypeScale, type_scale, with_accent

Scheme = Literal["system", "light", "dark"]


class Theme(QObject):
    """The colors and sizes in use.

    Attributes:
        tokens: The colors of the scheme the system asks for.
        scale: Text sizes for the system's own text size.
        mono_family: The system's monospace font.
        reduced_motion: The system asks for no animations.

    Signals:
        changed: The scheme or the size of text changed while the program runs; paint again.
    """

    changed = Signal()

    def __init__(self, app: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._app = app
        self._system_px = QFontInfo(app.font()).pixelSize()
        self._scheme: Scheme = "system"
        self._text_scale = 1.0
        self.scale: TypeScale = type_scale(self._system_px)
        self.mono_family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        # Read from the system's own style, before ours takes its place.
        duration = app.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)
        self.reduced_motion = duration == 0
        self._system_accent = _system_accent(app.palette())
        self._system_is_dark = app.palette().color(QPalette.ColorRole.Window).lightness() < 128
        if app.style().objectName() != "fusion":
            app.setStyle("Fusion")  # one look everywhere; native styles ignore parts of a stylesheet
        self.tokens = self._choose(app.styleHints().colorScheme())
        self._apply()
        app.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    def choose(self, scheme: Scheme, text_scale: float) -> None:
        """Use what the user chose.

        Args:
            scheme: "system" follows the desktop.
            text_scale: Size of all text, relative to the usual one.
        """
        if (scheme, text_scale) == (self._scheme, self._text_scale):
            return
        self._scheme, self._text_scale = scheme, text_scale
        self.scale = type_scale(self._system_px, text_scale)
        hints = self._app.styleHints()
        wanted = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(scheme)
        # Title bars and native dialogs follow too. Where nothing was chosen nothing is touched.
        hints.setColorScheme(wanted if wanted is not None else Qt.ColorScheme.Unknown)
        self._refresh()

    def stylesheet(self) -> str:
        """Return the one stylesheet of the window."""
        return build_stylesheet(self.tokens, self.scale, self.mono_family)

    def color(self, token: str) -> QColor:
        """Return a color by the name of its token."""
        return QColor(getattr(self.tokens, token))

    def body_font(self) -> QFont:
        """Return the font of messages."""
        font = QFont(self._app.font())
        font.setPixelSize(self.scale.body)
        return font

    def _choose(self, scheme: Qt.ColorScheme) -> Tokens:
        chosen = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(self._scheme)
        scheme = chosen if chosen is not None else scheme
        # Some desktops name no scheme but give Qt dark colors.
        unknown_but_dark = scheme == Qt.ColorScheme.Unknown and self._system_is_dark
        tokens = DARK if scheme == Qt.ColorScheme.Dark or unknown_but_dark else LIGHT
        return with_accent(tokens, self._system_accent) if self._system_accent else tokens

    def _scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        if self._scheme == "system":
            self._refresh(scheme)

    def _refresh(self, scheme: Qt.ColorScheme | None = None) -> None:
        self.tokens = self._choose(scheme if scheme is not None else self._app.styleHints().colorScheme())
        self._apply()
        self.changed.emit()

    def _apply(self) -> None:
        """Give Qt's own parts (selection, menus, tool tips, links in Markdown) the same colors."""
        roles = {
            QPalette.ColorRole.Window: "background",
            QPalette.ColorRole.WindowText: "text",
            QPalette.ColorRole.Base: "surface",
            QPalette.ColorRole.AlternateBase: "raised",
            QPalette.ColorRole.Text: "text",
            QPalette.ColorRole.Button: "surface",
            QPalette.ColorRole.ButtonText: "text",
            QPalette.ColorRole.PlaceholderText: "muted",
            QPalette.ColorRole.ToolTipBase: "surface",
            QPalette.ColorRole.ToolTipText: "text",
            QPalette.ColorRole.Highlight: "accent",
            QPalette.ColorRole.HighlightedText: "accent_text",
            QPalette.ColorRole.Link: "accent",
            QPalette.ColorRole.LinkVisited: "accent",
        }
        palette = QPalette()
        for role, token in roles.items():
            palette.setColor(role, self.color(token))
        disabled = QPalette.ColorGroup.Disabled
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
            palette.setColor(disabled, role, self.color("outline"))
        self._app.setPalette(palette)


def _system_accent(palette: QPalette) -> str:
    """Return the accent color the user chose for the desktop; "" when the system names none."""
    active, accent = QPalette.ColorGroup.Active, getattr(QPalette.ColorRole, "Accent", None)
    if accent is None or not palette.isBrushSet(active, accent):
        return ""
    return palette.color(active, accent).name()
