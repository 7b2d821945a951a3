"""The page of the program itself."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.group import Group, buttons_row
from s2s_desktop.ui.form.page import Page
from s2s_desktop.ui.form.setting_field import Setting, section
from s2s_desktop.ui.form.slider_setting import Range
from s2s_desktop.ui.settings_pages.about import AboutGroup
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.history_group import HistoryGroup
from s2s_desktop.ui.settings_pages.shortcut_setting import ShortcutSetting
from s2s_desktop.ui.talk_shortcut import TalkShortcut


class GeneralPage(Page):
    """Looks, conversations, logs, and what this program is."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(self.tr("General"))
        self._context = context
        self.history = HistoryGroup(context, self)
        self.add(self._looks())
        self.add(self.history)
        self.add(self._help())
        self.add(AboutGroup(context.theme, self))

    def opened(self) -> None:
        """Ask how much was used."""
        self.history.opened()

    def _looks(self) -> Group:
        make = self._context.fields("general", self)
        group = Group(self, self.tr("Looks and behavior"))
        group.add(
            make.choice(
                "theme",
                self.tr("Colors"),
                (
                    ("system", self.tr("Same as the system")),
                    ("light", self.tr("Light")),
                    ("dark", self.tr("Dark")),
                ),
            ),
            make.slider(
                "text_scale",
                self.tr("Text size"),
                Range(
                    0.75, 2.0, 0.05, lambda value: self.tr("{percent}%").format(percent=round(value * 100))
                ),
            ),
        )
        tray = make.switch(
            "tray",
            self.tr("Show in the system tray"),
            self.tr("The icon shows what the assistant is doing."),
        )
        if not QSystemTrayIcon.isSystemTrayAvailable():
            tray.show_help(self.tr("This desktop has no system tray; the setting counts where there is one."))
        group.add(tray)
        if self._context.talk_shortcut is not None:
            group.add(self._keys(self._context.talk_shortcut))
        if self._context.login_offered:
            group.add(make.switch("start_with_login", self.tr("Start at login")))
        return group

    def _keys(self, talk_shortcut: TalkShortcut) -> ShortcutSetting:
        setting = Setting(
            section("general"),
            "talk_shortcut",
            self.tr("Keys to talk from any program"),
            self.tr(
                "They do what the microphone button does: switch it on and off, or with push to talk let you "
                "speak while you hold them. No other key is looked at."
            ),
        )
        return ShortcutSetting(self._context.editor, setting, self.theme, talk_shortcut, self)

    def _help(self) -> Group:
        group = Group(
            self,
            self.tr("If something does not work"),
            self.tr("The diagnostics hold neither keys nor anything that was said."),
        )
        self._outcome = Remark(self.theme, self)
        group.add_layout(
            buttons_row(
                button(self, self.tr("Copy diagnostics"), self._copy),
                button(self, self.tr("Open the log folder"), self._open_logs),
            )
        )
        group.add(self._outcome)
        return group

    def _copy(self) -> None:
        async def copy() -> None:
            QGuiApplication.clipboard().setText(await self._context.preferences.diagnostics())
            self._outcome.show_success(self.tr("Copied. Paste it into a report."))

        self._context.editor.run(copy, self._outcome.show_problem)

    def _open_logs(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(self._context.preferences.logs_folder())):
            folder = self._context.preferences.logs_folder()
            self._outcome.show_problem(
                self.tr("The folder could not be opened: {folder}").format(folder=folder)
            )
