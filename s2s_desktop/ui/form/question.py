"""Asks before something that cannot be undone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from s2s_desktop.ui.displayable import displayable_text


def ask(
    parent: QWidget, question: str, more: str, action: str, act: Callable[[], None], title: str = ""
) -> QMessageBox:
    """Show a question without waiting for the answer.

    Args:
        parent: The window it belongs to.
        question: May hold names from anywhere: shown as plain text.
        more: One sentence of our own about what follows.
        action: What the button says that does it.
        act: Called when it is clicked.
        title: Of the window; "" is `action`.
    """
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title or action)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(displayable_text(question))
    box.setInformativeText(more)
    do = box.addButton(action, QMessageBox.ButtonRole.DestructiveRole)
    cancel = box.addButton(
        QCoreApplication.translate("question", "Cancel"), QMessageBox.ButtonRole.RejectRole
    )
    box.setDefaultButton(cancel)
    box.setEscapeButton(cancel)
    do.setProperty("role", "danger")
    do.style().polish(do)
    for button in (do, cancel):
        button.setAccessibleName(button.text())
    do.clicked.connect(lambda: act())
    box.open()
    return box
