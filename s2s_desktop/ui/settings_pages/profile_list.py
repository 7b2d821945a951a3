"""The list of profiles, with what can be done to them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from s2s_desktop.settings.presets import PRESETS
from s2s_desktop.settings.schema import BUILT_IN
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.question import ask
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.icons import icon_pixmap
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.profile_selection import ProfileSelection

_ROW = 34
_MOST_ROWS = 6
_ICON = 16


class ProfileList(QWidget):
    """Chooses the profile that is edited and the one that answers.

    Attributes:
        question: The question that is open, or was last.
    """

    def __init__(self, context: Context, selection: ProfileSelection, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._selection = selection
        self.question: QMessageBox | None = None
        self.list = _List(self)
        self.list.setAccessibleName(self.tr("Profiles"))
        self.list.currentItemChanged.connect(self._chosen)
        self.list.delete = self._confirm_delete
        self._use = button(self, self.tr("Use this profile"), self._use_it, role="primary")
        theme = context.theme
        self._add = IconButton(theme, "plus", self.tr("Add a profile"), parent=self)
        self._duplicate = IconButton(theme, "copy", self.tr("Duplicate this profile"), parent=self)
        self._delete = IconButton(theme, "trash", self.tr("Delete this profile"), parent=self)
        self._add.clicked.connect(self._show_presets)
        self._duplicate.clicked.connect(lambda: self._say(selection.duplicate()))
        self._delete.clicked.connect(self._confirm_delete)
        self.remark = Remark(theme, self)
        row = QHBoxLayout()
        row.setSpacing(4)
        for part in (self._add, self._duplicate, self._delete):
            row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self._use)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.list)
        layout.addLayout(row)
        layout.addWidget(self.remark)
        context.editor.changed.connect(self._show)
        selection.changed.connect(self._show)
        theme.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        settings, scale = self._context.editor.settings, self._context.theme.scale
        active = settings.active_profile().name
        blocked = self.list.blockSignals(True)
        self.list.clear()
        row, side = scale.room(_ROW), scale.sign(_ICON)
        self.list.setIconSize(QSize(side, side))
        for profile in settings.profiles:
            in_use = profile.name == active
            title = self.tr("Built-in") if profile.name == BUILT_IN else displayable_text(profile.name)
            if profile.is_temporary:
                title = self.tr("{name} (this run only)").format(name=title)
            item = QListWidgetItem(self._sign(in_use, side), title)
            item.setData(Qt.ItemDataRole.UserRole, profile.name)
            item.setSizeHint(QSize(0, row))
            if in_use:
                text = self.tr("{name}, in use").format(name=title)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
            self.list.addItem(item)
            if profile.name == self._selection.name:
                self.list.setCurrentItem(item)
        self.list.blockSignals(blocked)
        self.list.setFixedHeight(row * min(max(self.list.count(), 2), _MOST_ROWS) + 10)
        given = self._context.preferences.given_by("profile")
        self._use.setEnabled(not self._selection.in_use and not given)
        self._use.setText(self.tr("In use") if self._selection.in_use else self.tr("Use this profile"))
        self._delete.setEnabled(not self._selection.is_built_in)
        if given:
            self.remark.show_remark(self.tr("The profile in use was set by {source}.").format(source=given))

    def _sign(self, in_use: bool, side: int) -> QIcon:
        if not in_use:
            empty = QPixmap(side, side)
            empty.fill(Qt.GlobalColor.transparent)
            return QIcon(empty)
        color = self._context.theme.color("accent")
        return QIcon(icon_pixmap("check", color, side, self.devicePixelRatioF()))

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._say("")
            self._selection.select(str(item.data(Qt.ItemDataRole.UserRole)))

    def _use_it(self) -> None:
        self._say(self._selection.use())

    def _say(self, problem: str) -> None:
        self.remark.show_problem(problem)

    def _show_presets(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for preset in PRESETS:
            if preset.title != BUILT_IN:
                action = menu.addAction(preset.title)
                action.triggered.connect(
                    lambda _=False, chosen=preset: self._say(self._selection.add(chosen))
                )
        menu.popup(self._add.mapToGlobal(QPoint(0, self._add.height() + 4)))

    def _confirm_delete(self) -> None:
        if self._selection.is_built_in:
            return
        name = self._selection.name
        self.question = ask(
            self.window(),
            self.tr("Delete the profile “{name}”?").format(name=name if len(name) <= 60 else name[:59] + "…"),
            self.tr("Its key stays where it is kept; delete that first if you want it gone."),
            self.tr("Delete profile"),
            lambda: self._say(self._selection.delete()),
        )


class _List(QListWidget):
    """A list whose Delete key asks to delete."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "list")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.delete: Callable[[], None] = lambda: None

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.delete()
        else:
            super().keyPressEvent(event)
