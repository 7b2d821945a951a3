"""The last page of the first start: which language model answers."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QWidget

from s2s_desktop.conversation.preferences import ModelChoice
from s2s_desktop.settings.presets import PRESETS, find_preset
from s2s_desktop.settings.schema import BUILT_IN, Profile, Settings
from s2s_desktop.ui.first_run_pages import FirstRunPage
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.choice_card import ChoiceCard
from s2s_desktop.ui.form.field import Field, Remark
from s2s_desktop.ui.form.group import Group
from s2s_desktop.ui.settings_pages.connection_test import ConnectionTest
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.key_field import KeyField
from s2s_desktop.ui.settings_pages.model_words import size_in_words
from s2s_desktop.ui.settings_pages.profile_selection import free_name


class ModelChoicePage(FirstRunPage):
    """The small model at once, a better one from the internet, or a provider."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self._context = context
        self.set_title(
            self.tr("Who answers?"),
            self.tr("You can change this at any time, above the conversation."),
        )
        self._better: ModelChoice | None = None
        group = Group(self)
        self._choices = QButtonGroup(self)
        self._small = self._card(
            self.tr("The small model that is included"),
            self.tr("Answers simple questions at once, without the internet."),
        )
        self._larger = self._card("", "")
        self._larger.hide()
        self._provider = self._card(
            self.tr("A provider, or a server of your own"),
            self.tr("OpenAI, Hugging Face, Ollama and others. Your words are sent there."),
        )
        self._small.setChecked(True)
        group.add(self._small, self._larger, self._provider)
        self.server = _ServerFields(context, self)
        self.server.hide()
        self._provider.toggled.connect(self.server.setVisible)
        self._provider.clicked.connect(self._show_server)
        self.remark = Remark(context.theme, self)
        group.add(self.server, self.remark)
        self.add(group)

    def opened(self) -> None:
        """Ask which model is best for this computer."""
        self._context.editor.run(self._find_better, self.remark.show_problem)

    def done(self) -> bool:
        """Let the chosen model answer from now on."""
        self.remark.show_problem("")
        if self._provider.isChecked():
            problem = self.server.use()
            self.remark.show_problem(problem)
            return not problem
        if self._larger.isChecked() and self._context.commands is not None:
            self._context.commands.fetch_better_model()
        return True

    def left(self) -> None:
        """End a test of a connection."""
        self.server.test.stop()

    def _show_server(self) -> None:
        self.server.opened()
        # The layout places the fields on the next turn of the loop only.
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(self.server, 0, 24))

    async def _find_better(self) -> None:
        models = await self._context.preferences.models()
        best = next((each for each in models if each.role == "llm" and each.recommended), None)
        settings = self._context.preferences.settings
        small = next(each.model for each in settings.profiles if each.name == BUILT_IN)
        if best is None or best.name == small:
            return
        self._better = best
        self._larger.show_choice(
            self.tr("A better model: {model}").format(model=best.title),
            self.tr("Also without the internet. {size} are downloaded once, in the background.").format(
                size=size_in_words(best.size)
            ),
        )
        self._larger.show()

    def _card(self, title: str, text: str) -> ChoiceCard:
        card = ChoiceCard(title, text, self)
        self._choices.addButton(card)
        return card


class _ServerFields(Group):
    """The few things a provider needs: which one, a key, a model."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        theme = context.theme
        self._provider = ChoiceBox(theme, self)
        self._provider.offer((each.title, each.title) for each in PRESETS if each.title != BUILT_IN)
        self._provider_field = Field(theme, self.tr("Provider"), self._provider, "", self)
        self._base_url = QLineEdit(self)
        self._base_url_field = Field(theme, self.tr("Base URL"), self._base_url, "", self)
        self._model = QLineEdit(self)
        model = Field(theme, self.tr("Model"), self._model, "", self)
        self.key = KeyField(context.editor, theme, lambda: self.profile, self)
        self.test = ConnectionTest(context.editor, theme, lambda: self.profile, self)
        self._provider.activated.connect(self._choose)
        self._base_url.editingFinished.connect(self.key.refresh)
        for line in (self._base_url, self._model):
            line.textChanged.connect(lambda: self.test.forget())
        self.add(self._provider_field, self._base_url_field, self.key, model, self.test)
        self._provider.setCurrentIndex(0)
        self._choose()

    @property
    def profile(self) -> Profile:
        """The profile as it was entered."""
        profile = find_preset(self._provider.value).profile()
        profile.base_url = self._base_url.text().strip()
        profile.model = self._model.text().strip()
        return profile

    def opened(self) -> None:
        """Ask for the key."""
        self.key.refresh()

    def use(self) -> str:
        """Add the profile and let it answer; returns what is missing, "" when it does."""
        profile = self.profile
        if not profile.model:
            return self.tr("Enter the model that should answer.")
        if "<" in profile.base_url + profile.model:
            return self.tr("Replace what stands between < and > by your own names.")

        def change(settings: Settings) -> None:
            added = profile.model_copy(deep=True)
            added.name = free_name(added.name, {each.name for each in settings.profiles})
            settings.profiles.append(added)
            settings.profile = added.name

        return self._context.editor.change(change)

    def _choose(self) -> None:
        preset = find_preset(self._provider.value)
        self._provider_field.show_help(preset.help)
        self._base_url.setText(preset.base_url)
        self._base_url_field.setVisible(not preset.base_url.startswith("https://") or "<" in preset.base_url)
        if not preset.base_url:
            self._base_url_field.hide()
        self._model.setText(preset.example_model)
        self.test.forget()
        if self.isVisible():
            self.key.refresh()
