"""The page of devices and turn-taking."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from s2s_desktop.conversation.events import MicLevel, MicrophoneChanged
from s2s_desktop.ui.form.group import FoldingGroup, Group
from s2s_desktop.ui.form.page import Page
from s2s_desktop.ui.form.slider_setting import Range
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.device_fields import DeviceFields
from s2s_desktop.ui.settings_pages.mic_check import MicCheck


class AudioPage(Page):
    """Devices, and who speaks when."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(self.tr("Audio"))
        self._context = context
        devices = Group(self, self.tr("Devices"))
        self.devices = DeviceFields(context, self)
        self.check = MicCheck(context.editor, context.theme, context.commands, self)
        devices.add(self.devices, self.check)
        self.add(devices)
        self.add(self._turns())
        self.add(self._interrupting())
        self.add(self._advanced())
        context.editor.changed.connect(self._explain)
        self._explain()

    def opened(self) -> None:
        """Look for devices."""
        self.devices.look()

    def observe(self, event: MicLevel | MicrophoneChanged) -> None:
        """Show how loud it is."""
        self.check.observe(event)

    def _turns(self) -> Group:
        make = self._context.fields("audio", self)
        group = Group(self, self.tr("Taking turns"))
        self._mode = make.choice(
            "microphone_mode",
            self.tr("How you take your turn"),
            (
                ("hands-free", self.tr("Hands-free")),
                ("push-to-talk", self.tr("Push to talk")),
                ("toggle", self.tr("Press to begin, press to end")),
            ),
        )
        self._pause = make.slider(
            "pause_ms",
            self.tr("Pause that ends your turn"),
            Range(200, 3000, 50, lambda value: self.tr("{number} s").format(number=f"{value / 1000:.2f}")),
            self.tr("Longer lets you think in the middle of a sentence; shorter brings the answer sooner."),
        )
        self._smart_turn = make.switch(
            "smart_turn",
            self.tr("Notice when a sentence is finished"),
            self.tr("Judges by the melody of your voice: then a shorter pause is enough."),
        )
        group.add(self._mode, self._pause, self._smart_turn)
        return group

    def _interrupting(self) -> Group:
        make = self._context.fields("audio", self)
        group = Group(self, self.tr("Speaking into a reply"))
        self._barge_in = make.choice(
            "barge_in",
            self.tr("When you speak while it answers"),
            (
                ("careful", self.tr("Pause, and stop if you said words")),
                ("immediate", self.tr("Stop at once")),
                ("off", self.tr("Do not listen meanwhile")),
            ),
        )
        echo = make.switch(
            "echo_cancelling",
            self.tr("Remove the echo of the speaker"),
            self.tr("So that the assistant does not hear itself. Not needed with headphones."),
        )
        group.add(self._barge_in, echo)
        return group

    def _advanced(self) -> FoldingGroup:
        folding = FoldingGroup(self.theme, self, self.tr("Advanced"))
        make = self._context.fields("audio", folding.group)

        def milliseconds(value: float) -> str:
            return self.tr("{number} ms").format(number=round(value))

        folding.group.add(
            make.slider(
                "vad_threshold",
                self.tr("How sure it must be that it hears speech"),
                Range(
                    0.05, 0.95, 0.05, lambda value: self.tr("{percent}%").format(percent=round(value * 100))
                ),
                self.tr("Higher ignores more noise; lower hears quiet voices."),
            ),
            make.slider(
                "min_speech_ms",
                self.tr("Shortest speech"),
                Range(50, 2000, 50, milliseconds),
                self.tr("Shorter sounds, such as a click, are ignored."),
            ),
            make.slider(
                "pre_roll_ms",
                self.tr("Sound kept from before the first word"),
                Range(0, 2000, 50, milliseconds),
                self.tr("So that the first syllable is not cut off."),
            ),
        )
        return folding

    def _explain(self) -> None:
        audio = self._context.editor.settings.audio
        self._mode.show_help(
            {
                "hands-free": self.tr("Speak whenever you like; a pause ends your turn."),
                "push-to-talk": self.tr(
                    "Hold Space or the button while you speak. The page General has keys for other programs."
                ),
                "toggle": self.tr(
                    "One press begins your turn, the next one ends it. The page General has keys for other "
                    "programs."
                ),
            }[audio.microphone_mode]
        )
        self._barge_in.show_help(
            {
                "careful": self.tr("A cough or an “mm-hm” does not end the reply."),
                "immediate": self.tr("Best with headphones: any sound ends the reply."),
                "off": self.tr("The microphone is closed while the assistant speaks."),
            }[audio.barge_in]
        )
        hands_free = audio.microphone_mode == "hands-free"
        self._pause.setVisible(hands_free)
        self._smart_turn.setVisible(hands_free)
