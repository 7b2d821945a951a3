"""Where the requests of a profile go: server, key, model, and a test of them."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget

from s2s_desktop.conversation.preferences import ModelChoice
from s2s_desktop.settings.presets import PRESETS, Preset
from s2s_desktop.settings.schema import Profile
from s2s_desktop.ui.form.codecs import STRIPPED
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.group import Group
from s2s_desktop.ui.form.name_field import NameField
from s2s_desktop.ui.settings_pages.connection_test import ConnectionTest
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.key_field import KeyField
from s2s_desktop.ui.settings_pages.model_words import size_in_words
from s2s_desktop.ui.settings_pages.profile_selection import ProfileSelection
from s2s_desktop.ui.settings_pages.server_model_field import ServerModels


class ProfileConnection(Group):
    """The name of a profile, its server, its key and its model."""

    def __init__(self, context: Context, selection: ProfileSelection, parent: QWidget) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Server and model"))
        self._context = context
        self._selection = selection
        editor, theme = context.editor, context.theme
        self.name = NameField(theme, self.tr("Profile name"), selection.rename, self)
        make = context.fields(selection.place, self)
        self._base_url = make.text(
            "base_url",
            self.tr("Base URL"),
            codec=STRIPPED,
            hint=self.tr("https://api.openai.com/v1 (OpenAI)"),
        )
        self._endpoint = Remark(theme, self._base_url)
        self._base_url.add_below(self._endpoint)
        assert isinstance(self._base_url.box, QLineEdit)
        self._base_url.box.textChanged.connect(self._show_endpoint)
        self._backend = make.choice(
            "backend",
            self.tr("Protocol"),
            (
                ("responses-api", self.tr("Responses API")),
                ("chat-completions", self.tr("Chat Completions")),
            ),
            self.tr("OpenAI speaks both; most other servers speak Chat Completions."),
        )
        self.key = KeyField(editor, theme, lambda: selection.profile, self)
        self.model = make.text(
            "model",
            self.tr("Model"),
            codec=STRIPPED,
            suggestions=(),
            hint=self.tr("What the server calls it"),
        )
        self._models = ServerModels(self.model, editor, theme, lambda: selection.profile)
        self._catalog_model = make.choice("model", self.tr("Model on this computer"))
        self._catalog_model.show_help(
            self.tr("A model that is not here yet is downloaded; the page Models shows how far it has come.")
        )
        self.test = ConnectionTest(editor, theme, lambda: selection.profile, self)
        self._server_parts = (self.name, self._base_url, self._backend, self.key, self.model)
        self.add(self.name, self._base_url, self._backend, self.key)
        self.add(self.model, self._catalog_model, self.test)
        self._tested: Profile | None = None
        editor.changed.connect(self._changed)
        selection.changed.connect(self._switch)
        self._switch()

    def opened(self) -> None:
        """Ask for what may have changed meanwhile."""
        self._context.editor.run(self._list_catalog, self._catalog_model.remark.show_problem)
        self.key.refresh()

    @property
    def endpoint(self) -> str:
        """What is said about where requests go."""
        return self._endpoint.sentence

    async def _list_catalog(self) -> None:
        models = await self._context.preferences.models()
        self._catalog_model.box.offer((each.name, _title(each)) for each in models if each.role == "llm")
        self._catalog_model.refresh()

    def _switch(self) -> None:
        """Show another profile."""
        for field in (self._base_url, self.model):
            field.forget()
        self._backend.refresh()
        self._catalog_model.refresh()
        built_in = self._selection.is_built_in
        for part in self._server_parts:
            part.setVisible(not built_in)
        self._catalog_model.setVisible(built_in)
        profile = self._selection.profile
        self._models.offer((profile.model,) if profile.model else ())
        self.model.forget()
        self._base_url.show_help("" if built_in else _preset_of(profile).help)
        self._changed()

    def _changed(self) -> None:
        profile = self._selection.profile
        self.name.show_name(profile.name)
        self._show_endpoint()
        if self.isVisible() and not self._selection.is_built_in:
            self.key.refresh()
        if profile != self._tested:
            self._tested = profile.model_copy(deep=True)
            self.test.forget()

    def _show_endpoint(self) -> None:
        if self._selection.is_built_in:
            return
        profile = self._selection.profile.model_copy(deep=True)
        profile.base_url = self._base_url.typed.strip()
        found = self._context.preferences.final_endpoint(profile)
        is_address = found.startswith(("http://", "https://"))
        said = self.tr("Requests go to {address}").format(address=found) if is_address else found
        arrow = "chevron-left" if self.isRightToLeft() else "chevron-right"
        self._endpoint.show_remark(said, arrow if is_address else "warning")


def _preset_of(profile: Profile) -> Preset:
    """Return what a profile was made from, by its address; several local servers share one."""
    known = [each for each in PRESETS[1:] if each.base_url == profile.base_url] or [PRESETS[-1]]
    return next((each for each in known if profile.name.startswith(each.title)), known[0])


def _title(model: ModelChoice) -> str:
    here = "" if model.status == "present" else f" ({size_in_words(model.size)})"
    return f"{model.title}{here}"
