"""The key of an endpoint: where it is kept, a new one, and deleting it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from s2s_desktop.conversation.preferences import KeyState
from s2s_desktop.settings.presets import PRESETS, Preset
from s2s_desktop.settings.schema import Profile, SpeechServer
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.field import Field, Remark
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.links import open_link
from s2s_desktop.ui.theme import Theme

Endpoint = Profile | SpeechServer


class KeyField(QWidget):
    """Shows where the key is, and takes a new one. A saved key is never shown.

    Args:
        editor: Asks for the key and keeps it.
        theme: Colors.
        endpoint: Returns whose key it is; None while there is nobody.
        parent: Owner.
        purpose: In front of the names, where several keys are in view.

    Signals:
        changed: A key was saved or deleted.
    """

    changed = Signal()

    def __init__(
        self,
        editor: SettingsEditor,
        theme: Theme,
        endpoint: Callable[[], Endpoint | None],
        parent: QWidget,
        purpose: str = "",
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._endpoint = endpoint
        self._asked: object = None
        self._state: KeyState | None = None
        self.input = QLineEdit(self)
        self.input.setEchoMode(QLineEdit.EchoMode.Password)
        self.input.textChanged.connect(self._show_buttons)
        self.input.returnPressed.connect(self._save)

        self._purpose = purpose
        self._field = Field(theme, self._named(self.tr("API key")), self.input, "", self)
        self._names = (self._named(self.tr("Show the key")), self._named(self.tr("Hide the key")))
        self._reveal = IconButton(theme, "eye", self._names[0], parent=self)
        self._reveal.clicked.connect(self._toggle_reveal)
        self._field.beside.addWidget(self._reveal)
        self._kept = Remark(theme, self)
        self._place = ChoiceBox(theme, self)
        self._place.set_name(self._named(self.tr("Where to keep the key")))
        self._store = self._button(self.tr("Save key"), self._save, "primary")
        self._delete = self._button(self.tr("Delete key"), self._forget, "danger")
        self._get = self._button(self.tr("Get a key…"), self._open_key_page, "link")
        self._outcome = Remark(theme, self)
        saving = QHBoxLayout()
        saving.setSpacing(8)
        saving.addWidget(self._place, 1)
        saving.addWidget(self._store)
        known = QHBoxLayout()
        known.setSpacing(8)
        known.addWidget(self._kept, 1, Qt.AlignmentFlag.AlignVCenter)
        known.addWidget(self._delete)
        known.addWidget(self._get)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._field)
        layout.addLayout(saving)
        layout.addLayout(known)
        layout.addWidget(self._outcome)
        self._show()

    @property
    def sentence(self) -> str:
        """What is said about the key."""
        return self._kept.sentence

    @property
    def outcome(self) -> str:
        """What became of the last key that was saved or deleted."""
        return self._outcome.sentence

    def refresh(self) -> None:
        """Ask where the key is, when another endpoint is edited than before."""
        endpoint = self._endpoint()
        asked = endpoint and (getattr(endpoint, "name", ""), endpoint.base_url, endpoint.api_key_env)
        if asked != self._asked:
            self._asked = asked
            self._state = None
            self.input.clear()
            self._outcome.show_remark("")
            self._show()
            if endpoint is not None:
                self._editor.run(self._ask, self._kept.show_problem)

    async def _ask(self) -> None:
        asked, endpoint = self._asked, self._endpoint()
        if endpoint is None:
            return
        state = await self._editor.preferences.key_state(endpoint)
        if asked == self._asked:
            self._state = state
            self._show()

    def _show(self) -> None:
        state = self._state
        hint = self._preset.key_hint if self._preset else self.tr("What the server asks for; empty for none")
        given = bool(state and state.from_environment)
        self.input.setPlaceholderText(self.tr("Enter a new key to replace it") if self._has_key else hint)
        self.input.setEnabled(not given)
        self._reveal.setEnabled(not given)
        self._kept.show_remark(self._sentence(), "check" if self._has_key else "info", "muted")
        no_store = bool(state and state.keyring_problem)
        places = (
            ("keyring", self.tr("Keep in the key store of this computer")),
            ("session", self.tr("Keep until the app closes")),
            ("file", self.tr("Keep in a file that only you can read")),
        )
        self._place.offer(places[1:] if no_store else places)
        if not self._place.value:
            self._place.show_value("session" if no_store else "keyring")
        self._show_buttons()

    @property
    def _has_key(self) -> bool:
        return bool(self._state and self._state.present)

    @property
    def _preset(self) -> Preset | None:
        endpoint = self._endpoint()
        if endpoint is None:
            return None
        return next((each for each in PRESETS[1:-1] if each.base_url == endpoint.base_url.strip()), None)

    def _sentence(self) -> str:
        state = self._state
        if state is None:
            return ""
        if state.present:
            said = self.tr("The key for {host}: {where}.").format(host=state.host, where=state.where)
        else:
            said = self.tr("There is no key for {host} yet.").format(host=state.host)
        if state.from_environment:
            return said + " " + self.tr("It is neither saved nor changed here.")
        return f"{said} {state.keyring_problem}".strip()

    def _show_buttons(self) -> None:
        typed = bool(self.input.text().strip())
        given = bool(self._state and self._state.from_environment)
        preset = self._preset
        self._place.setVisible(typed)
        self._store.setVisible(typed)
        self._delete.setVisible(self._has_key and not given and not typed)
        self._get.setVisible(bool(preset and preset.key_url) and not self._has_key and not typed)

    def _toggle_reveal(self) -> None:
        hidden = self.input.echoMode() == QLineEdit.EchoMode.Password
        modes = QLineEdit.EchoMode
        self.input.setEchoMode(modes.Normal if hidden else modes.Password)
        if hidden:
            self._reveal.set_icon("eye-off", self._names[1])
        else:
            self._reveal.set_icon("eye", self._names[0])

    def _save(self) -> None:
        key, endpoint, place = self.input.text().strip(), self._endpoint(), self._place.value
        if not key or endpoint is None:
            return

        async def save() -> None:
            await self._editor.preferences.save_key(endpoint, key, place)
            self.input.clear()
            await self._changed(self.tr("The key was saved."))

        self._editor.run(save, self._outcome.show_problem)

    def _forget(self) -> None:
        endpoint = self._endpoint()
        if endpoint is None:
            return

        async def delete() -> None:
            await self._editor.preferences.delete_key(endpoint)
            await self._changed(self.tr("The key was deleted everywhere it was kept."))

        self._editor.run(delete, self._outcome.show_problem)

    async def _changed(self, sentence: str) -> None:
        self._outcome.show_success(sentence)
        await self._ask()
        self.changed.emit()

    def _open_key_page(self) -> None:
        preset = self._preset
        if preset is not None:
            open_link(QUrl(preset.key_url))

    def _named(self, name: str) -> str:
        return f"{self._purpose}: {name}" if self._purpose else name

    def _button(self, text: str, act: Callable[[], None], role: str) -> QPushButton:
        return button(self, text, act, role=role, name=self._named(text))
