"""The characters one can talk with."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from s2s_desktop.settings.schema import BUILT_IN, Persona, Settings
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.field import Field
from s2s_desktop.ui.form.group import Group, buttons_row
from s2s_desktop.ui.form.name_field import NameField
from s2s_desktop.ui.form.question import ask
from s2s_desktop.ui.form.setting_field import Finder, Place
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.profile_selection import free_name

_LETTERS = 28
"""Room for the name of a voice."""


class Personas(Group):
    """Chooses a persona, and edits it.

    Attributes:
        question: The question that is open, or was last.
    """

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self.set_title(
            self.tr("Personas"), self.tr("A persona has instructions, a voice and a model of its own.")
        )
        self._context = context
        self._index = 0
        self.question: QMessageBox | None = None
        theme, editor = context.theme, context.editor
        self._begin = context.fields("assistant", self).choice(
            "persona", self.tr("New conversations begin with")
        )
        self._edited = ChoiceBox(theme, self)
        self._edited.activated.connect(lambda: self._edit(self._edited.currentIndex()))
        self._edited_field = Field(theme, self.tr("Persona to edit"), self._edited, "", self)
        self._add = button(self, self.tr("Add a persona"), self._add_one)
        self._delete = button(self, self.tr("Delete persona"), self._confirm_delete, role="danger")
        make = context.fields(Place(self._finder, lambda: ""), self)
        self._name = NameField(theme, self.tr("Persona name"), self._rename, self)
        self._prompt = make.text(
            "system_prompt",
            self.tr("Persona instructions"),
            lines=4,
            hint=self.tr("Empty uses the instructions above."),
        )
        self._voice = make.choice("voice", self.tr("Persona voice"))
        self._profile = make.choice("profile", self.tr("Persona model"))
        self._parts = (self._edited_field, self._name, self._prompt, self._voice, self._profile)
        self.add(self._begin, self._edited_field)
        self.add_layout(buttons_row(self._add, self._delete))
        self.add(self._name, self._prompt)
        self.add_row(self._voice, self._profile, letters=_LETTERS)
        editor.changed.connect(self._show)
        self._show()

    @property
    def _personas(self) -> list[Persona]:
        return self._context.editor.settings.assistant.personas

    def _finder(self) -> Finder:
        personas = self._personas
        name = personas[self._index].name if self._index < len(personas) else ""
        return lambda settings: next(
            (each for each in settings.assistant.personas if each.name == name), None
        )

    def _show(self) -> None:
        personas, settings = self._personas, self._context.editor.settings
        self._index = min(self._index, max(len(personas) - 1, 0))
        names = [(persona.name, persona.name) for persona in personas]
        self._begin.box.offer((("", self.tr("No persona")), *names))
        self._begin.refresh()
        self._edited.clear()
        for persona in personas:
            self._edited.addItem(displayable_text(persona.name), persona.name)
        self._edited.setCurrentIndex(self._index if personas else -1)
        same = (("", self.tr("Same as in the settings")),)
        voices = ((voice.name, voice.title) for voice in self._context.preferences.voices())
        self._voice.box.offer((*same, *voices))
        profiles = (
            (each.name, self.tr("Built-in") if each.name == BUILT_IN else each.name)
            for each in settings.profiles
        )
        self._profile.box.offer((*same, *profiles))
        for field in (self._voice, self._profile):
            field.refresh()
        self._name.show_name(personas[self._index].name if personas else "")
        self._begin.setVisible(bool(personas))
        self._delete.setVisible(bool(personas))
        for part in self._parts:
            part.setVisible(bool(personas))

    def _edit(self, index: int) -> None:
        self._context.editor.flushing.emit()
        self._index = index
        self._show()
        self._prompt.forget()

    def _rename(self, name: str) -> str:
        before = self._personas[self._index].name
        if name != before and name in {persona.name for persona in self._personas}:
            return self.tr("There is a persona with this name already.")

        def change(settings: Settings) -> None:
            for persona in settings.assistant.personas:
                if persona.name == before:
                    persona.name = name
            if settings.assistant.persona == before:
                settings.assistant.persona = name

        return self._context.editor.change(change)

    def _add_one(self) -> None:
        name = free_name(self.tr("New persona"), {persona.name for persona in self._personas})
        self._context.editor.flushing.emit()
        self._context.editor.change(lambda settings: settings.assistant.personas.append(Persona(name=name)))
        self._edit(len(self._personas) - 1)
        self._name.input.setFocus()
        self._name.input.selectAll()

    def _confirm_delete(self) -> None:
        persona = self._personas[self._index]
        self.question = ask(
            self.window(),
            self.tr("Delete the persona “{name}”?").format(name=persona.name[:60]),
            self.tr("Its instructions are lost. Conversations stay."),
            self.tr("Delete persona"),
            lambda: self._remove(persona.name),
        )

    def _remove(self, name: str) -> None:
        def change(settings: Settings) -> None:
            assistant = settings.assistant
            assistant.personas = [each for each in assistant.personas if each.name != name]
            if assistant.persona == name:
                assistant.persona = ""

        self._context.editor.change(change)
        self._edit(0)
