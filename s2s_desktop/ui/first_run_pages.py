"""The first three pages of the first start: welcome and privacy, microphone, voice."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from s2s_desktop.ui.form.group import Group
from s2s_desktop.ui.form.page import Page
from s2s_desktop.ui.form.slider_setting import Range
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.icons import app_icon
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.device_fields import DeviceFields
from s2s_desktop.ui.settings_pages.mic_check import MicCheck
from s2s_desktop.ui.settings_pages.voice_list import VoiceList
from s2s_desktop.ui.settings_pages.voice_preview import VoicePreview
from s2s_desktop.ui.wrapping_label import WrappingLabel

_LOGO = 64


class FirstRunPage(Page):
    """One page: a title, a sentence, and something to try."""

    def done(self) -> bool:
        """Use what was chosen; False when something is missing, which the page then says."""
        return True

    def left(self) -> None:
        """The page goes out of view: end what makes a sound."""


class WelcomePage(FirstRunPage):
    """What this is, and what happens to what is said."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        logo = QLabel(self)
        logo.setPixmap(app_icon().pixmap(QSize(_LOGO, _LOGO), self.devicePixelRatioF()))
        self.set_title(self.tr("Talk with your computer"), self.tr("It listens, answers, and speaks."))
        self.welcome(logo)
        points = Group(self)
        for icon, sentence in (
            (
                "mic",
                self.tr("What you say stays here: everything it needs runs on this computer."),
            ),
            (
                "model",
                self.tr("Your words leave it only if you choose a provider to answer them."),
            ),
            (
                "download",
                self.tr(
                    "Its models are downloaded once, in the background. You can type as soon as the first "
                    "is here."
                ),
            ),
        ):
            points.add(_Point(context, icon, sentence, points))
        keep = context.fields("history", self).switch(
            "keep",
            self.tr("Save conversations"),
            self.tr("On this computer only. You can change this and delete everything at any time."),
        )
        points.add(keep)
        self.add(points)


class MicrophonePage(FirstRunPage):
    """Can it hear you?"""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(
            self.tr("Can it hear you?"),
            self.tr("Record a few seconds and listen to what it heard."),
        )
        self.devices = DeviceFields(context, self)
        self.check = MicCheck(context.editor, context.theme, context.commands, self)
        group = Group(self)
        group.add(self.devices, self.check)
        self.add(group)

    def opened(self) -> None:
        """Look for devices."""
        self.devices.look()

    def left(self) -> None:
        """End a recording."""
        self.check.stop()


class VoicePage(FirstRunPage):
    """How shall it sound?"""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(
            self.tr("How should it sound?"),
            self.tr("Each voice speaks its own language best. More about voices is in the settings."),
        )
        make = context.fields("speech", self)
        self.voices = VoiceList(context, self)
        self.preview = VoicePreview(
            context.editor, lambda: self.voices.chosen, self.voices.remark.show_problem, self.voices
        )
        self.voices.beside.addWidget(self.preview, 0, Qt.AlignmentFlag.AlignTop)
        speed = make.slider("speed", self.tr("Speed"), Range(0.5, 2.0, 0.05, lambda value: f"{value:.2f}×"))
        group = Group(self)
        group.add(self.voices, speed)
        self.add(group)

    def left(self) -> None:
        """End a preview."""
        self.preview.stop()


class _Point(QWidget):
    """An icon and a sentence."""

    def __init__(self, context: Context, icon: str, sentence: str, parent: QWidget) -> None:
        super().__init__(parent)
        words = WrappingLabel(self, "plain")
        words.show_sentence(sentence)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(14)
        layout.addWidget(IconLabel(context.theme, icon, "accent", self, 22), 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(words, 1)
