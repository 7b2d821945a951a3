"""What X and Wayland call the keys that Qt names (`xkbcommon-keysyms.h` of libxkbcommon)."""

from __future__ import annotations

from PySide6.QtCore import Qt

_Key = Qt.Key
_NAMES = {
    _Key.Key_Space: "space",
    _Key.Key_Tab: "Tab",
    _Key.Key_Backspace: "BackSpace",
    _Key.Key_Return: "Return",
    _Key.Key_Enter: "KP_Enter",
    _Key.Key_Escape: "Escape",
    _Key.Key_Insert: "Insert",
    _Key.Key_Delete: "Delete",
    _Key.Key_Pause: "Pause",
    _Key.Key_Print: "Print",
    _Key.Key_Home: "Home",
    _Key.Key_End: "End",
    _Key.Key_Left: "Left",
    _Key.Key_Up: "Up",
    _Key.Key_Right: "Right",
    _Key.Key_Down: "Down",
    _Key.Key_PageUp: "Prior",
    _Key.Key_PageDown: "Next",
    _Key.Key_ScrollLock: "Scroll_Lock",
    _Key.Key_Menu: "Menu",
    _Key.Key_MicMute: "XF86AudioMicMute",
    _Key.Key_MediaPlay: "XF86AudioPlay",
    _Key.Key_MediaTogglePlayPause: "XF86AudioPlay",
    _Key.Key_MediaRecord: "XF86AudioRecord",
}
_SIGNS = {
    "!": "exclam", '"': "quotedbl", "#": "numbersign", "$": "dollar", "%": "percent", "&": "ampersand",
    "'": "apostrophe", "(": "parenleft", ")": "parenright", "*": "asterisk", "+": "plus", ",": "comma",
    "-": "minus", ".": "period", "/": "slash", ":": "colon", ";": "semicolon", "<": "less", "=": "equal",
    ">": "greater", "?": "question", "@": "at", "[": "bracketleft", "\\": "backslash", "]": "bracketright",
    "^": "asciicircum", "_": "underscore", "`": "grave", "{": "braceleft", "|": "bar", "}": "braceright",
    "~": "asciitilde",
}  # fmt: skip
_LAST_OF_UNICODE = 0x10FFFF


def xkb_name(key: Qt.Key) -> str:
    """Return the keysym name of a key, for example "a", "F9" or "U00E9"; "" when there is none."""
    if key in _NAMES:
        return _NAMES[key]
    if _Key.Key_F1.value <= key.value <= _Key.Key_F35.value:
        return f"F{key.value - _Key.Key_F1.value + 1}"
    if key.value > _LAST_OF_UNICODE:
        return ""
    sign = chr(key.value).lower()
    if sign in _SIGNS:
        return _SIGNS[sign]
    return sign if sign.isascii() and sign.isalnum() else f"U{ord(sign):04X}"


def keysym_of_unicode(name: str) -> int:
    """Return the keysym of a name such as "U00E9"; 0 for other names.

    Latin-1 characters are their own keysyms, all others have a bit of their own (X Window System Protocol,
    appendix A).
    """
    try:
        code = int(name.removeprefix("U"), 16) if name.startswith("U") and len(name) > 1 else 0
    except ValueError:
        return 0
    return code if code <= 0xFF else code | 0x01000000
