"""The page of the language models: profiles, and everything about one of them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.form.group import Group
from s2s_desktop.ui.form.page import Page
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.profile_connection import ProfileConnection
from s2s_desktop.ui.settings_pages.profile_list import ProfileList
from s2s_desktop.ui.settings_pages.profile_options import ProfileAdvanced, ProfileOptions
from s2s_desktop.ui.settings_pages.profile_selection import ProfileSelection


class ModelPage(Page):
    """Which language model answers, and how."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(self.tr("Language model"))
        self.selection = ProfileSelection(context.editor, self)
        profiles = Group(
            self,
            self.tr("Profiles"),
            self.tr(
                "Each is a model with its server and options. The one in use answers from the next turn on."
            ),
        )
        self.profiles = ProfileList(context, self.selection, self)
        profiles.add(self.profiles)
        self.connection = ProfileConnection(context, self.selection, self)
        self.options = ProfileOptions(context, self.selection, self)
        self.advanced = ProfileAdvanced(context, self.selection, self)
        for group in (profiles, self.connection, self.options, self.advanced):
            self.add(group)

    def opened(self) -> None:
        """Ask for the catalog and for the key."""
        self.connection.opened()
