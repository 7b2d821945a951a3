"""What is saved, what the command line gave and what belongs to the conversation, kept apart."""

from __future__ import annotations

from s2s_desktop.engine.settings_in_use import Choice, SettingsInUse
from s2s_desktop.settings.schema import BUILT_IN, Persona, Profile, Settings


def made(**assistant: object) -> Settings:
    settings = Settings()
    settings.profiles += [Profile(name="Groq", model="g"), Profile(name="Local", model="l")]
    settings.assistant.personas = [
        Persona(name="Ada", system_prompt="You are Ada.", voice="bf_emma", profile="Groq"),
        Persona(name="Bob"),
    ]
    for name, value in assistant.items():
        setattr(settings.assistant, name, value)
    return settings


class TestPersona:
    def test_it_brings_prompt_voice_and_profile(self) -> None:
        in_use = SettingsInUse(made(persona="Ada"))
        assert in_use.choice == Choice("Groq", "Ada")
        assert in_use.resolved.assistant.system_prompt == "You are Ada."
        assert in_use.resolved.speech.voice == "bf_emma"
        assert in_use.resolved.active_profile().name == "Groq"

    def test_the_settings_to_edit_do_not_hold_what_it_brings(self) -> None:
        current = SettingsInUse(made(persona="Ada")).current
        assert (current.assistant.system_prompt, current.speech.voice) == ("", "af_heart")

    def test_what_it_leaves_open_stays_as_the_settings_say(self) -> None:
        in_use = SettingsInUse(made(persona="Bob", system_prompt="Be brief."))
        assert in_use.choice == Choice(BUILT_IN, "Bob")
        assert in_use.resolved.assistant.system_prompt == "Be brief."

    def test_the_command_line_counts_more(self) -> None:
        settings = made(persona="Ada", system_prompt="From outside.")
        settings.profile, settings.speech.voice = "Local", "am_michael"
        for path in ("profile", "assistant.system_prompt", "speech.voice"):
            settings.mark_given(path, "--option")
        in_use = SettingsInUse(settings)
        assert in_use.choice == Choice("Local", "Ada")
        assert in_use.resolved.assistant.system_prompt == "From outside."
        assert in_use.resolved.speech.voice == "am_michael"

    def test_a_remote_voice_is_the_servers(self) -> None:
        settings = made(persona="Ada")
        settings.speech.tts_engine = "remote"
        assert SettingsInUse(settings).resolved.speech.tts_server.voice == "bf_emma"


class TestConversations:
    def test_one_that_is_opened_has_its_own_and_a_new_one_the_default(self) -> None:
        in_use = SettingsInUse(made())
        assert in_use.go_on("Local", "Bob") == ""
        assert in_use.choice == Choice("Local", "Bob")
        assert in_use.current.profile == "Local"
        assert in_use.begin() == Choice(BUILT_IN, "")

    def test_a_profile_that_is_gone_is_told_and_replaced(self) -> None:
        in_use = SettingsInUse(made())
        assert "“Gone”" in in_use.go_on("Gone", "")
        assert in_use.choice == Choice(BUILT_IN, "")

    def test_a_persona_that_is_gone_is_told_and_left_out(self) -> None:
        in_use = SettingsInUse(made())
        assert "“Eve”" in in_use.go_on("Groq", "Eve")
        assert in_use.choice == Choice("Groq", "")

    def test_one_without_a_profile_gets_the_default(self) -> None:
        in_use = SettingsInUse(made())
        assert in_use.go_on("", "") == ""
        assert in_use.choice == Choice(BUILT_IN, "")


class TestChanging:
    def test_another_setting_leaves_the_conversation_its_profile_and_the_file_its_default(self) -> None:
        in_use = SettingsInUse(made())
        in_use.go_on("Groq", "Bob")
        settings = in_use.current
        settings.speech.speed = 1.5
        in_use.change(settings)
        assert in_use.choice == Choice("Groq", "Bob")
        saved = in_use.for_file(Settings())
        assert (saved.profile, saved.assistant.persona, saved.speech.speed) == (BUILT_IN, "", 1.5)

    def test_another_profile_is_meant_for_this_conversation_and_for_new_ones(self) -> None:
        in_use = SettingsInUse(made())
        in_use.go_on("Groq", "")
        settings = in_use.current
        settings.profile = "Local"
        in_use.change(settings)
        assert in_use.choice == Choice("Local", "")
        assert in_use.begin() == Choice("Local", "")

    def test_another_persona_brings_its_profile(self) -> None:
        in_use = SettingsInUse(made())
        settings = in_use.current
        settings.assistant.persona = "Ada"
        in_use.change(settings)
        assert in_use.choice == Choice("Groq", "Ada")
        assert in_use.for_file(Settings()).profile == BUILT_IN

    def test_a_profile_or_persona_that_is_removed_is_let_go(self) -> None:
        in_use = SettingsInUse(made())
        in_use.go_on("Groq", "Ada")
        settings = in_use.current
        settings.profiles = [each for each in settings.profiles if each.name != "Groq"]
        settings.assistant.personas = []
        in_use.change(settings)
        assert in_use.choice == Choice(BUILT_IN, "")

    def test_the_caller_keeps_no_hold_on_it(self) -> None:
        in_use = SettingsInUse(made())
        settings = in_use.current
        in_use.change(settings)
        settings.speech.speed = 2.0
        assert in_use.current.speech.speed == 1.0


class TestCommandLine:
    def given(self) -> SettingsInUse:
        settings = made()
        settings.profile = "Groq"
        settings.speech.voice, settings.profiles[1].model = "am_michael", "from outside"
        for path in ("profile", "profile.model", "speech.voice"):
            settings.mark_given(path, "--option")
        return SettingsInUse(settings)

    def test_what_it_gave_is_used_and_not_saved(self) -> None:
        in_use = self.given()
        settings = in_use.current
        settings.speech.speed = 1.5
        in_use.change(settings)
        assert in_use.resolved.speech.voice == "am_michael"
        assert in_use.current.given_by("speech.voice") == "--option"
        saved = in_use.for_file(made())
        assert (saved.profile, saved.speech.voice, saved.speech.speed) == (BUILT_IN, "af_heart", 1.5)
        assert saved.profiles[1].model == "g"

    def test_what_the_user_changes_all_the_same_is_saved_and_no_longer_given(self) -> None:
        in_use = self.given()
        settings = in_use.current
        settings.speech.voice = "bf_emma"
        in_use.change(settings)
        assert in_use.current.given_by("speech.voice") == ""
        assert in_use.for_file(made()).speech.voice == "bf_emma"
        assert in_use.current.given_by("profile.model") == "--option"
