"""The fields of a server that hears or speaks."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from s2s_desktop.settings.schema import SpeechServer
from s2s_desktop.ui.form.codecs import STRIPPED
from s2s_desktop.ui.form.setting_field import section
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.key_field import KeyField
from s2s_desktop.ui.settings_pages.server_model_field import ServerModels
from s2s_desktop.ui.tokens import BLOCK_GAP


class SpeechServerFields(QWidget):
    """Address, key and model of a server with the audio endpoints of the OpenAI API.

    Args:
        context: As for pages.
        path: Where its table is, for example "speech.stt_server".
        purpose: In front of the labels, for example "Hearing": two such servers are on one page.
        speaks: The server speaks, and so has a voice.
        parent: Owner.
    """

    def __init__(self, context: Context, path: str, purpose: str, speaks: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._place = section(path)
        make = context.fields(self._place, self)
        base_url = make.text(
            "base_url",
            self.tr("{purpose}: base URL").format(purpose=purpose),
            codec=STRIPPED,
            hint="https://api.openai.com/v1 (OpenAI)",
        )
        self.key = KeyField(context.editor, context.theme, self._server, self, purpose)
        model = make.text(
            "model",
            self.tr("{purpose}: model").format(purpose=purpose),
            codec=STRIPPED,
            suggestions=(),
            hint=self.tr("What the server calls it"),
        )
        self.models = ServerModels(model, context.editor, context.theme, self._server, purpose)
        variable = make.text(
            "api_key_env",
            self.tr("{purpose}: environment variable of the key").format(purpose=purpose),
            codec=STRIPPED,
            hint=self.tr("Only if another one than the usual one holds it"),
        )
        parts: list[QWidget] = [base_url, self.key, model]
        if speaks:
            label = self.tr("{purpose}: voice").format(purpose=purpose)
            parts.append(make.text("voice", label, codec=STRIPPED))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(BLOCK_GAP)
        for part in (*parts, variable):
            layout.addWidget(part)
        context.editor.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Ask for the key again, where the server is another one now."""
        if self.isVisible():
            self.key.refresh()

    def _server(self) -> SpeechServer:
        found = self._place.finder()(self._context.editor.settings)
        assert isinstance(found, SpeechServer)
        return found
