"""Everything that can be done with a turn, for the right mouse button and the menu key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QMenu, QWidget


@dataclass(frozen=True, slots=True)
class TurnActions:
    """What the menu can do; None leaves an action out."""

    copy_message: Callable[[], None] | None
    copy_answer: Callable[[], None] | None
    edit: Callable[[], None] | None
    regenerate: Callable[[], None] | None
    show_times: Callable[[], None] | None
    delete: Callable[[], None] | None


class TurnMenu(QMenu):
    """The menu of one turn; it goes away when it was used."""

    def __init__(self, actions: TurnActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("This turn"))
        self._offer(self.tr("Copy your message"), actions.copy_message)
        self._offer(self.tr("Copy the answer"), actions.copy_answer)
        self._offer(self.tr("Edit and send again"), actions.edit)
        self._offer(self.tr("Answer again"), actions.regenerate)
        self._offer(self.tr("Where the time went"), actions.show_times)
        if actions.delete is not None:
            self.addSeparator()
        self._offer(self.tr("Delete this turn"), actions.delete)
        self.aboutToHide.connect(self.deleteLater)

    def _offer(self, text: str, act: Callable[[], None] | None) -> None:
        if act is not None:
            self.addAction(text).triggered.connect(lambda: act())
