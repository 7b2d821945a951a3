"""The page of the assistant: what it is told, what it remembers, and who it can be."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.form.codecs import WHOLE_NUMBER
from s2s_desktop.ui.form.group import Group
from s2s_desktop.ui.form.page import Page
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.personas import Personas


class AssistantPage(Page):
    """How the assistant behaves."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(self.tr("Assistant"))
        make = context.fields("assistant", self)
        manner = Group(self, self.tr("Manner"))
        manner.add(
            make.text(
                "system_prompt",
                self.tr("Instructions"),
                self.tr("What the model is told ahead of every conversation (the system prompt)."),
                lines=6,
                hint=self.tr(
                    "Empty uses instructions made for talking: short, plain sentences without lists."
                ),
            ),
            make.switch(
                "language_prompt",
                self.tr("Answer in the language that was heard"),
                self.tr("Tells the model the language with every turn."),
            ),
            make.switch(
                "tools",
                self.tr("Let the model use tools"),
                self.tr("Such as the calculator. Very small models do better without."),
            ),
        )
        memory = Group(self, self.tr("Memory of a conversation"))
        memory.add(
            make.text(
                "chat_size",
                self.tr("Turns that are sent along"),
                self.tr("More lets the model refer further back, and costs time and tokens."),
                codec=WHOLE_NUMBER,
                narrow=True,
            ),
            make.switch(
                "compact_history",
                self.tr("Summarize older turns"),
                self.tr("The model writes a summary of what no longer fits, instead of forgetting it."),
            ),
        )
        self.personas = Personas(context, self)
        for group in (manner, memory, self.personas):
            self.add(group)
