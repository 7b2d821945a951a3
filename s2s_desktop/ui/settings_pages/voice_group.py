"""How replies sound."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.field import Field
from s2s_desktop.ui.form.group import Group
from s2s_desktop.ui.form.slider_setting import NumberLabel, PatientSlider, Range
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.speech_server_fields import SpeechServerFields
from s2s_desktop.ui.settings_pages.voice_blend import SHARES, Blend, parse_blend
from s2s_desktop.ui.settings_pages.voice_preview import VoicePreview


class VoiceGroup(Group):
    """Engine, voice and speed, with a preview."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Voice"))
        self._context = context
        theme = context.theme
        make = context.fields("speech", self)
        engine = make.choice(
            "tts_engine",
            self.tr("Replies are spoken by"),
            (
                ("kokoro-onnx", self.tr("This computer (Kokoro)")),
                ("kokoro-torch", self.tr("This computer, Kokoro with PyTorch (extra)")),
                ("remote", self.tr("A server")),
            ),
        )
        self.server = SpeechServerFields(context, "speech.tts_server", self.tr("Voice server"), True, self)
        self._first = ChoiceBox(theme, self)
        self.voice = Field(theme, self.tr("Voice"), self._first, "", self)
        self._second = ChoiceBox(theme, self)
        self.second = Field(
            theme, self.tr("Blend with"), self._second, self.tr("Two voices together make a new one."), self
        )
        self._share = PatientSlider(self)
        self._share.setRange(1, SHARES - 1)
        self.share = Field(theme, self.tr("Share of the second voice"), self._share, "", self)
        self._percent = NumberLabel(("90%",), self.share)
        self.share.beside.addWidget(self._percent)
        self.preview = VoicePreview(context.editor, lambda: self._chosen, self.voice.show_problem, self.voice)
        self.voice.beside.addWidget(self.preview)
        self.speed = make.slider(
            "speed", self.tr("Speed"), Range(0.5, 2.0, 0.05, lambda value: f"{value:.2f}×")
        )
        for box in (self._first, self._second):
            box.activated.connect(self._hand_in)
        self._share.valueChanged.connect(self._describe_share)
        self._share.sliderReleased.connect(self._hand_in)
        self._share.valueChanged.connect(lambda: None if self._share.isSliderDown() else self._hand_in())
        self.add(engine, self.server, self.voice, self.second, self.share, self.speed)
        self._engine = engine
        context.editor.changed.connect(self._show)
        self._show()

    def opened(self) -> None:
        """Ask for the key of a voice server."""
        self.server.refresh()

    def _show(self) -> None:
        speech = self._context.editor.settings.speech
        voices = [(voice.name, voice.title) for voice in self._context.preferences.voices()]
        blend = parse_blend(speech.voice)
        self._first.offer(voices)
        self._first.show_value(blend.first)
        self._second.offer((("", self.tr("No second voice")), *voices))
        self._second.show_value(blend.second)
        blocked = self._share.blockSignals(True)
        self._share.setValue(blend.share)
        self._share.blockSignals(blocked)
        self._describe_share()
        torch = self.tr("Needs the extra parts: pip install “s2s-desktop[torch]”.")
        self._engine.show_help(torch if speech.tts_engine == "kokoro-torch" else "")
        remote = speech.tts_engine == "remote"
        appears = remote and self.server.isHidden()
        self.server.setVisible(remote)
        self.voice.setVisible(not remote)
        self.second.setVisible(not remote and blend.plain)
        self.share.setVisible(not remote and bool(blend.second))
        if appears:
            self.server.refresh()
        given = self._context.preferences.given_by("speech.voice")
        for field in (self.voice, self.second, self.share):
            field.show_problem("")
            field.show_given(given if field is self.voice else "")
            field.control.setEnabled(not given)

    def _describe_share(self) -> None:
        percent = self.tr("{percent}%").format(percent=self._share.value() * 100 // SHARES)
        self._percent.setText(percent)
        self._share.setAccessibleDescription(percent)

    @property
    def _chosen(self) -> str:
        first = parse_blend(self._first.value)
        return str(Blend(first.first, self._second.value if first.plain else "", self._share.value()))

    def _hand_in(self) -> None:
        voice = self._chosen

        def change(settings: Settings) -> None:
            settings.speech.voice = voice

        self.voice.show_problem(self._context.editor.change(change))
