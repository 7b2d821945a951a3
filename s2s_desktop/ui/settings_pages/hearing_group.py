"""How speech becomes text."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from s2s_desktop.settings.languages import LANGUAGES
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.codecs import STRIPPED
from s2s_desktop.ui.form.group import FoldingGroup, Group
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.speech_server_fields import SpeechServerFields


class HearingGroup(Group):
    """Engine, model and language of speech recognition."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Hearing"))
        self._context = context
        make = context.fields("speech", self)
        engine = make.choice(
            "stt_engine",
            self.tr("Speech is understood by"),
            (
                ("faster-whisper", self.tr("This computer (Whisper)")),
                ("remote", self.tr("A server")),
            ),
        )
        self.server = SpeechServerFields(context, "speech.stt_server", self.tr("Hearing server"), False, self)
        self._model = make.text(
            "stt_model",
            self.tr("Recognition model"),
            self.tr("A model of the page Models, a folder, or a name on Hugging Face."),
            codec=STRIPPED,
            suggestions=(),
        )
        languages = sorted(LANGUAGES.items(), key=lambda entry: entry[1])
        language = make.choice(
            "stt_language",
            self.tr("Language you speak"),
            (("", self.tr("Detected automatically")), *languages),
            self.tr("Choosing it makes short sentences more reliable."),
        )
        hotwords = make.text(
            "hotwords",
            self.tr("Names and special words"),
            self.tr("Words you say often, separated by commas: they are recognized more reliably."),
            hint=self.tr("Saoirse, Kubernetes, Øresund"),
        )
        captions = make.switch(
            "captions",
            self.tr("Captions while you speak"),
            self.tr("Shows your words as they are heard. Off saves some computing."),
        )
        self.advanced = FoldingGroup(context.theme, self, self.tr("Advanced hearing"))
        device = make.choice(
            "stt_device",
            self.tr("Compute on"),
            (
                ("auto", self.tr("Whatever is fastest")),
                ("cpu", self.tr("Processor")),
                ("cuda", self.tr("NVIDIA GPU")),
            ),
        )
        precision = make.text(
            "stt_compute_type",
            self.tr("Number format"),
            codec=STRIPPED,
            suggestions=("auto", "int8", "int8_float16", "float16", "float32"),
        )
        detector = make.choice(
            "vad_engine",
            self.tr("Speech detector"),
            (
                ("silero-onnx", self.tr("Silero (built in)")),
                ("silero-torch", self.tr("Silero with PyTorch (extra)")),
            ),
            self.tr("PyTorch needs the extra parts: pip install “s2s-desktop[torch]”."),
        )
        self.advanced.group.add_row(device, precision)
        self.advanced.group.add(detector)
        self._local = (self._model, device, precision)
        self.add(engine, self.server, self._model, language, hotwords, captions, self.advanced)
        context.editor.changed.connect(self._show)
        self._show()

    def opened(self) -> None:
        """Ask which models there are."""
        self._context.editor.run(self._list_models, self._model.remark.show_problem)
        self.server.refresh()

    async def _list_models(self) -> None:
        models = await self._context.preferences.models()
        assert isinstance(self._model.box, ChoiceBox)
        self._model.box.offer((each.name, each.title) for each in models if each.role == "stt")

    def _show(self) -> None:
        remote = self._context.editor.settings.speech.stt_engine == "remote"
        appears = remote and self.server.isHidden()
        self.server.setVisible(remote)
        for field in self._local:
            field.setVisible(not remote)
        if appears:
            self.server.refresh()
