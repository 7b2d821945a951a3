"""The page of hearing and voice."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.form.page import Page
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.hearing_group import HearingGroup
from s2s_desktop.ui.settings_pages.voice_group import VoiceGroup


class SpeechPage(Page):
    """How speech is understood, and how replies sound."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(self.tr("Speech"))
        self.voice = VoiceGroup(context, self)
        self.hearing = HearingGroup(context, self)
        self.add(self.voice)
        self.add(self.hearing)

    def opened(self) -> None:
        """Ask for the catalog and for the keys."""
        self.hearing.opened()
        self.voice.opened()
