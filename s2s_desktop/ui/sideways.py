"""Which turns of the wheel belong to what scrolls sideways inside the conversation."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent


def is_sideways(event: QWheelEvent) -> bool:
    """Tell whether a wheel or touchpad moves sideways only; anything else scrolls the conversation."""
    return bool(event.angleDelta().x()) and not event.angleDelta().y()
