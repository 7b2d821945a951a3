"""The model of a server: typed, or chosen from what the server has."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.text_setting import TextSetting
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.settings_pages.key_field import Endpoint
from s2s_desktop.ui.theme import Theme

translate = QCoreApplication.translate  # by this name lupdate finds the strings


class ServerModels:
    """Adds a button to a field that asks the server for its models and offers them.

    Args:
        field: The field to type the model in.
        editor: Asks the server.
        theme: Colors.
        endpoint: Returns the server to ask; None while there is none.
        purpose: In front of the name of the button, where several are in view.
    """

    def __init__(
        self,
        field: TextSetting,
        editor: SettingsEditor,
        theme: Theme,
        endpoint: Callable[[], Endpoint | None],
        purpose: str = "",
    ) -> None:
        self._field = field
        self._editor = editor
        self._endpoint = endpoint
        name = translate("ServerModels", "Ask the server which models it has")
        self._button = IconButton(theme, "refresh", f"{purpose}: {name}" if purpose else name, parent=field)
        self._button.clicked.connect(self.ask)
        field.beside.addWidget(self._button)

    def offer(self, names: tuple[str, ...]) -> None:
        """Offer these models below the field."""
        assert isinstance(self._field.box, ChoiceBox)
        self._field.box.offer((name, name) for name in names)

    def ask(self) -> None:
        """Ask the server."""
        self._editor.flushing.emit()
        self._button.setEnabled(False)
        self._field.remark.show_remark(translate("ServerModels", "Asking the server…"))
        self._editor.run(self._ask, self._field.remark.show_problem)

    async def _ask(self) -> None:
        endpoint = self._endpoint()
        try:
            names = await self._editor.preferences.model_names(endpoint) if endpoint is not None else ()
        finally:
            self._button.setEnabled(True)
        if endpoint is not None and endpoint == self._endpoint():  # else another profile is shown by now
            self.offer(names)
            tr = self._field.tr
            found = (
                tr("The server has one model.") if len(names) == 1 else tr("The server has {count} models.")
            )
            self._field.remark.show_success(found.format(count=len(names)))
