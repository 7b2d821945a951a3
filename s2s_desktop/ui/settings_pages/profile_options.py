"""How a profile answers: common options, and those that few people need."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.form.codecs import MAPPING, NUMBER, STRIPPED, WHOLE_NUMBER, optional
from s2s_desktop.ui.form.group import FoldingGroup, Group
from s2s_desktop.ui.form.setting_field import SettingField
from s2s_desktop.ui.form.text_setting import TextSetting
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.profile_selection import ProfileSelection

_EFFORTS = ("none", "minimal", "low", "medium", "high")


class ProfileOptions(Group):
    """What most people may want to change about the replies."""

    def __init__(self, context: Context, selection: ProfileSelection, parent: QWidget) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Replies"))
        self._selection = selection
        make = context.fields(selection.place, self)
        automatic = self.tr("Model’s default")
        self._fields: tuple[SettingField, ...] = (
            make.switch(
                "stream",
                self.tr("Stream replies"),
                self.tr("The voice begins while the rest is being written."),
            ),
            make.switch(
                "disable_thinking",
                self.tr("No thinking before the reply"),
                self.tr("Models that think aloud answer sooner without it."),
            ),
            make.text(
                "reasoning_effort",
                self.tr("Reasoning effort"),
                codec=STRIPPED,
                hint=automatic,
                suggestions=_EFFORTS,
            ),
            make.text("temperature", self.tr("Temperature"), codec=optional(NUMBER), hint=automatic),
            make.text(
                "max_output_tokens",
                self.tr("Longest reply (tokens)"),
                codec=optional(WHOLE_NUMBER),
                hint=automatic,
            ),
        )
        self._audio = make.switch(
            "audio_input",
            self.tr("Send speech as sound"),
        )
        stream, thinking, effort, temperature, longest = self._fields
        self.add(stream, thinking, self._audio)
        self.add_row(effort, temperature, longest)
        selection.changed.connect(self._switch)
        context.editor.changed.connect(self._explain)
        self._switch()

    def _switch(self) -> None:
        _show_anew((*self._fields, self._audio))
        self._audio.setVisible(not self._selection.is_built_in)
        self._explain()

    def _explain(self) -> None:
        profile = self._selection.profile
        if profile.audio_input and profile.backend != "chat-completions":
            text = self.tr("Takes effect with the protocol Chat Completions only: choose that above.")
        else:
            text = self.tr("For models that hear: your voice is sent instead of a transcript.")
        self._audio.show_help(text)


class ProfileAdvanced(FoldingGroup):
    """What few people need."""

    def __init__(self, context: Context, selection: ProfileSelection, parent: QWidget) -> None:
        super().__init__(context.theme, parent)
        self.set_title(self.tr("Advanced"))
        self._selection = selection
        make = context.fields(selection.place, self.group)
        seconds = self.tr("seconds")
        timeouts = [
            make.text(name, label, codec=NUMBER, hint=seconds)
            for name, label in (
                ("connect_timeout_s", self.tr("Wait to connect (s)")),
                ("first_token_timeout_s", self.tr("Wait for first word (s)")),
                ("idle_timeout_s", self.tr("Longest silence (s)")),
            )
        ]
        preemptive = make.choice(
            "preemptive_generation",
            self.tr("Ask before the turn is decided"),
            (
                ("auto", self.tr("Only servers on this computer")),
                ("on", self.tr("Always")),
                ("off", self.tr("Never")),
            ),
            self.tr("Replies come sooner; a request that was too early costs tokens for nothing."),
        )
        self._of_servers: list[SettingField] = [
            make.text(
                "headers",
                self.tr("HTTP headers"),
                self.tr("One on each line. Keys belong in the field for the key."),
                codec=MAPPING,
                lines=3,
                hint="Name: value",
            ),
            make.text(
                "query", self.tr("Query parameters"), codec=MAPPING, lines=2, hint="api-version: 2026-01-01"
            ),
            make.text(
                "api_key_env",
                self.tr("Environment variable of the key"),
                self.tr("Only if another one than the provider’s usual variable holds it."),
                codec=STRIPPED,
                hint="MY_PROVIDER_API_KEY",
            ),
        ]
        sound = [
            make.choice(
                "audio_content_type",
                self.tr("Sound is sent as"),
                (("input_audio", "input_audio"), ("audio_url", "audio_url")),
            ),
            make.text("audio_history_turns", self.tr("Turns sent as sound"), codec=WHOLE_NUMBER),
            make.text("audio_max_tokens", self.tr("Longest reply to sound"), codec=WHOLE_NUMBER),
            make.text("audio_temperature", self.tr("Temperature for sound"), codec=NUMBER),
        ]
        self._fields: list[SettingField] = [*timeouts, preemptive, *self._of_servers, *sound]
        self._of_servers += sound
        self.group.add_row(*timeouts)
        self.group.add(preemptive, *self._of_servers[:3])
        self.group.add_row(*sound[:2])
        self.group.add_row(*sound[2:])
        selection.changed.connect(self._switch)
        self._switch()

    def _switch(self) -> None:
        _show_anew(self._fields)
        for field in self._of_servers:
            field.setVisible(not self._selection.is_built_in)


def _show_anew(fields: tuple[SettingField, ...] | list[SettingField]) -> None:
    for field in fields:
        if isinstance(field, TextSetting):
            field.forget()
        else:
            field.refresh()
