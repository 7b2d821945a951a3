"""Every color, size and duration of the window, light and dark, in one place."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colors of one scheme as `#rrggbb`.

    Text on its background has a contrast of at least 4.5 : 1, a sign (icon, ring, border of a field) at least
    3 : 1 (WCAG 2.2, 1.4.3 and 1.4.11); `tests/ui/test_tokens.py` checks every pair that occurs.

    Attributes:
        background: The window.
        surface: Fields and cards on it.
        raised: Quiet fills: chips, code, hovered buttons.
        text: Body text.
        muted: Secondary text.
        line: Hairlines between groups; decoration only.
        outline: Borders that show where to type.
        accent: Links, the main action, and the microphone at rest.
        accent_text: Text and icons on `accent`.
        user_bubble: Behind what the user said.
        danger: Failures.
        warning: What needs attention.
        success: What went well.
        listening: The microphone listens.
        thinking: The reply is being prepared.
        speaking: The voice speaks.
        error: The last turn failed.
        on_state: Icons on the four state colors.
    """

    background: str
    surface: str
    raised: str
    text: str
    muted: str
    line: str
    outline: str
    accent: str
    accent_text: str
    user_bubble: str
    danger: str
    warning: str
    success: str
    listening: str
    thinking: str
    speaking: str
    error: str
    on_state: str


LIGHT = Tokens(
    background="#f8f8f6",
    surface="#ffffff",
    raised="#eeeeeb",
    text="#1d2023",
    muted="#5c636b",
    line="#e3e3df",
    outline="#868d95",
    accent="#2b62d1",
    accent_text="#ffffff",
    user_bubble="#dde8fc",
    danger="#b3261e",
    warning="#855300",
    success="#1b7148",
    listening="#0c7d6b",
    thinking="#a35f00",
    speaking="#2b62d1",
    error="#c0332b",
    on_state="#ffffff",
)

DARK = Tokens(
    background="#17191c",
    surface="#1f2226",
    raised="#2a2e33",
    text="#eceeef",
    muted="#a4acb4",
    line="#2f3439",
    outline="#737c86",
    accent="#8ab4ff",
    accent_text="#0c1c38",
    user_bubble="#25375a",
    danger="#ff9a91",
    warning="#f3bd5a",
    success="#6fd3a6",
    listening="#45c9ab",
    thinking="#f3bd5a",
    speaking="#8ab4ff",
    error="#ff8d83",
    on_state="#12161b",
)

TEXT_CONTRAST = 4.5
SIGN_CONTRAST = 3.0

# Widths that hold text are those at the usual size of text: `TypeScale.room` gives them at any other.

COLUMN_WIDTH = 720
"""Widest column of text, about 72 characters."""

NARROW_WIDTH = 720
"""Below this width the dock puts its two halves under each other and the sidebar folds away."""

SIDEBAR_WIDTH = 272
SEARCH_ICON = 16

GAP = 8
BLOCK_GAP = 16
EDGE = 24
EDGE_NARROW = 16
ROW_AIR = 10
"""Room for the sign of the keyboard focus around a row of the conversation."""
FIELD_RADIUS = 8
CARD_RADIUS = 12
MOTION_MS = 160


_USUAL_BODY = 15
_LARGEST_SIGN = 1.5


@dataclass(frozen=True, slots=True)
class TypeScale:
    """Sizes of text in px.

    Attributes:
        body: Messages and fields.
        small: Secondary text.
        title: Headings.
        line_height: Distance of lines as a multiple of the size.
    """

    body: int = _USUAL_BODY
    small: int = 13
    title: int = 20
    line_height: float = 1.45

    @property
    def factor(self) -> float:
        """How much larger text is than usual."""
        return self.body / _USUAL_BODY

    def room(self, px: int) -> int:
        """Return the width that holds as much text as `px` does at the usual size."""
        return round(px * self.factor)

    def sign(self, px: int) -> int:
        """Return the size of an icon beside text that is `px` at the usual size.

        Signs grow with large text, but not as much: they are read at a glance.
        """
        return round(px * min(max(self.factor, 1.0), _LARGEST_SIGN))


_USUAL_SYSTEM_PX = 13.5
"""Text size of common desktops (9-11 pt at 96 dpi, 13 pt on macOS)."""


def type_scale(system_px: float, chosen: float = 1.0) -> TypeScale:
    """Return the sizes of text.

    Args:
        system_px: Height of the system's own text; a larger one than usual scales everything.
        chosen: The user's factor on top of it.
    """
    factor = min(max(system_px / _USUAL_SYSTEM_PX, 1.0) * chosen, 2.5)
    plain = TypeScale()
    return TypeScale(round(plain.body * factor), round(plain.small * factor), round(plain.title * factor))


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colors, 1..21 (WCAG 2.2, relative luminance)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def with_accent(tokens: Tokens, accent: str) -> Tokens:
    """Return `tokens` with the system's accent, made darker or lighter until it can be read."""
    backgrounds = (tokens.background, tokens.surface, tokens.raised)
    toward_white = _luminance(tokens.background) < 0.5
    red, green, blue = _channels(accent)
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    color = accent
    while min(contrast(color, background) for background in backgrounds) < TEXT_CONTRAST:
        lightness += 0.02 if toward_white else -0.02
        channels = colorsys.hls_to_rgb(hue, min(max(lightness, 0.0), 1.0), saturation)
        color = "#" + "".join(f"{round(channel * 255):02x}" for channel in channels)
    text = max((tokens.accent_text, "#ffffff", "#101418"), key=lambda candidate: contrast(candidate, color))
    return replace(tokens, accent=color, accent_text=text, speaking=color)


def _channels(color: str) -> tuple[float, float, float]:
    value = int(color.removeprefix("#"), 16)
    return (value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255


def _luminance(color: str) -> float:
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(color))
    return sum(share * channel for share, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
