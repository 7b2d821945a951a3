"""The page of the model files."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from s2s_desktop.conversation.events import ModelProgress
from s2s_desktop.conversation.preferences import ModelChoice
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.group import Group, buttons_row
from s2s_desktop.ui.form.page import Page
from s2s_desktop.ui.form.tab_order import order_tabs
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.model_row import ModelRow
from s2s_desktop.ui.wrapping_label import WrappingLabel


class ModelsPage(Page):
    """Every model of the catalog, by what it is for.

    Attributes:
        rows: By the names of the models.
    """

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(self.tr("Models"))
        self._context = context
        self.rows: dict[str, ModelRow] = {}
        self._by_title: dict[str, ModelRow] = {}
        self._groups: dict[str, Group] = {}
        self._titles = {
            "llm": self.tr("Language models"),
            "stt": self.tr("Speech recognition"),
            "tts": self.tr("Voice"),
            "turn": self.tr("Turn-taking"),
        }
        where = Group(self)
        folder = WrappingLabel(self, "muted")
        folder.show_sentence(
            self.tr("Model files are kept in {folder}").format(folder=context.preferences.models_folder())
        )
        folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        folder.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.remark = Remark(context.theme, self)
        where.add(folder)
        where.add_layout(buttons_row(button(self, self.tr("Open the folder"), self._open_folder)))
        where.add(self.remark)
        self.add(where)

    def opened(self) -> None:
        """Ask what is on this computer."""
        self._context.editor.run(self._list, self.remark.show_problem)

    def observe(self, progress: ModelProgress) -> None:
        """Show how far a download has come."""
        row = self._by_title.get(progress.title)
        if row is not None:
            row.show_progress(progress)

    async def _list(self) -> None:
        order = list(self._titles)
        models = await self._context.preferences.models()
        for model in sorted(models, key=lambda each: order.index(each.role) if each.role in order else 9):
            if model.name in self.rows:
                self.rows[model.name].show_model(model)
            else:
                self._add(model)
        order_tabs(self.column)

    def _add(self, model: ModelChoice) -> None:
        if model.role not in self._groups:
            group = self._groups[model.role] = Group(self.column, self._titles.get(model.role, model.role))
            self.add(group)
        row = ModelRow(model, self._context.editor, self.theme, self.column)
        row.changed.connect(self.opened)
        self.rows[model.name] = self._by_title[model.title] = row
        self._groups[model.role].add(row)
        row.show()

    def _open_folder(self) -> None:
        folder = self._context.preferences.models_folder()
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(folder)):
            self.remark.show_problem(self.tr("The folder could not be opened here."))
