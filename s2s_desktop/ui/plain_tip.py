"""Tool tips that show text from anywhere as it is."""

from __future__ import annotations

from s2s_desktop.ui.displayable import displayable_text


def plain_tip(text: str) -> str:
    """Return a tool tip. Qt takes one for HTML when it looks like it: a `<` must stay a `<`."""
    escaped = displayable_text(text).replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
    return f"<p>{escaped}</p>" if escaped else ""
