"""The command line: options of this program and of the upstream project, and what they do to the settings."""

from __future__ import annotations

import pytest

from s2s_desktop.errors import AssistantError
from s2s_desktop.settings.option_table import IGNORED_OPTIONS, IGNORED_SWITCHES, KEY_NAMES, OPTIONS
from s2s_desktop.settings.overrides import TEMPORARY_PROFILE, ArgumentParser, add_arguments, apply
from s2s_desktop.settings.schema import BUILT_IN, Persona, Profile, Settings


def make_parser() -> ArgumentParser:
    """Return a parser like that of the program: the options stand before and behind the command."""
    common = ArgumentParser(add_help=False)
    add_arguments(common)
    parser = ArgumentParser(prog="s2s-desktop", parents=[common])
    commands = parser.add_subparsers(dest="command")
    ask = commands.add_parser("ask", parents=[common])
    ask.add_argument("text")
    ask.add_argument("--json", action="store_true")
    return parser


def override(*arguments: str, settings: Settings | None = None) -> tuple[Settings, list[str]]:
    namespace = make_parser().parse_args(arguments)
    return apply(settings or Settings(), namespace)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        make_parser().parse_args(arguments)
    assert caught.value.code == 2
    return capsys.readouterr().err


def mine(**values: object) -> Settings:
    profile = {"name": "mine", "base_url": "http://127.0.0.1:1/v1", "model": "m", **values}
    return Settings.model_validate({"profile": "mine", "profiles": [profile]})


def test_without_options_nothing_changes() -> None:
    settings = mine()

    changed, notices = override(settings=settings)

    assert changed == settings
    assert changed is not settings
    assert notices == []


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        (["--model", "x"], "model", "x"),
        (["--model_name", "x"], "model", "x"),
        (["--model-name=x"], "model", "x"),
        (["--responses_api_model_name", "x"], "model", "x"),
        (["--responses_api_language_model_name", "x"], "model", "x"),
        (["--chat_completions_model_name", "x"], "model", "x"),
        (["--llm-backend", "chat-completions"], "backend", "chat-completions"),
        (["--llm_backend", "responses_api"], "backend", "responses-api"),
        (["--llm", "open_api"], "backend", "responses-api"),
        (["--llm", "openai-api"], "backend", "responses-api"),
        (["--llm=chat-completions-api"], "backend", "chat-completions"),
        (["--api-key-env", "MY_KEY"], "api_key_env", "MY_KEY"),
        (["--stream"], "stream", True),
        (["--no-stream"], "stream", False),
        (["--no_stream"], "stream", False),
        (["--stream", "false"], "stream", False),
        (["--stream=True"], "stream", True),
        (["--responses_api_stream", "False"], "stream", False),
        (["--no-responses-api-stream"], "stream", False),
        (["--no-stream", "false"], "stream", True),
        (["--chat_completions_stream", "0"], "stream", False),
        (["--responses_api_disable_thinking"], "disable_thinking", True),
        (["--disable-thinking", "no"], "disable_thinking", False),
        (["--responses_api_reasoning_effort", "low"], "reasoning_effort", "low"),
        (["--reasoning-effort", "none"], "reasoning_effort", "none"),
        (["--reasoning-effort", "auto"], "reasoning_effort", ""),
        (["--temperature", "0.5"], "temperature", 0.5),
        (["--llm_gen_temperature", "0"], "temperature", 0.0),
        (["--llm_gen_max_new_tokens", "64"], "max_output_tokens", 64),
        (["--responses_api_request_timeout_s", "7"], "first_token_timeout_s", 7.0),
        (["--responses_api_audio_max_tokens", "9"], "audio_max_tokens", 9),
        (["--responses_api_audio_temperature", "0.1"], "audio_temperature", 0.1),
        (["--responses_api_audio_content_type", "audio_url"], "audio_content_type", "audio_url"),
        (["--chat_completions_audio_history_turns", "0"], "audio_history_turns", 0),
        (["--stt", "none"], "audio_input", True),
        (["--stt", "faster-whisper"], "audio_input", False),
    ],
)
def test_options_of_the_profile(arguments: list[str], field: str, value: object) -> None:
    before, _ = override("ask", "hi", *arguments, settings=mine())
    behind, _ = override(*arguments, "ask", "hi", settings=mine())

    for changed in (before, behind):
        assert changed.profile == "mine"
        assert getattr(changed.active_profile(), field) == value


@pytest.mark.parametrize(
    ("arguments", "section", "field", "value"),
    [
        (["--chat_size", "5"], "assistant", "chat_size", 5),
        (["--responses_api_chat_size", "0"], "assistant", "chat_size", 0),
        (["--init_chat_prompt", "Be brief."], "assistant", "system_prompt", "Be brief."),
        (["--responses_api_init_chat_prompt", ""], "assistant", "system_prompt", ""),
        (["--system-prompt", "Be brief."], "assistant", "system_prompt", "Be brief."),
        (["--enable_lang_prompt"], "assistant", "language_prompt", True),
        (["--compact_history", "true"], "assistant", "compact_history", True),
        (["--no_compact_history"], "assistant", "compact_history", False),
        (["--stt", "remote"], "speech", "stt_engine", "remote"),
        (["--stt", "openai-stt"], "speech", "stt_engine", "remote"),
        (["--tts", "kokoro_torch"], "speech", "tts_engine", "kokoro-torch"),
        (["--tts", "remote"], "speech", "tts_engine", "remote"),
        (["--faster-whisper-stt-device", "cuda"], "speech", "stt_device", "cuda"),
        (["--hotwords", "Zaphod"], "speech", "hotwords", "Zaphod"),
        (["--no-captions"], "speech", "captions", False),
        (["--vad-engine", "silero-torch"], "speech", "vad_engine", "silero-torch"),
        (["--microphone-mode", "toggle"], "audio", "microphone_mode", "toggle"),
        (["--no-smart-turn"], "audio", "smart_turn", False),
        (["--barge-in", "immediate"], "audio", "barge_in", "immediate"),
        (["--no-echo-cancelling"], "audio", "echo_cancelling", False),
        (["--keep-history", "false"], "history", "keep", False),
        (["--stt-model", "whisper-small"], "speech", "stt_model", "whisper-small"),
        (["--stt_model_name", "/models/x"], "speech", "stt_model", "/models/x"),
        (["--faster_whisper_stt_model_name", "tiny.en"], "speech", "stt_model", "whisper-tiny.en"),
        (["--stt-model", "large-v3-turbo"], "speech", "stt_model", "whisper-large-v3-turbo"),
        (["--language", "en-US"], "speech", "stt_language", "en"),
        (["--language", "auto"], "speech", "stt_language", ""),
        (["--faster_whisper_stt_gen_language", "German"], "speech", "stt_language", "de"),
        (["--voice", "bf_emma"], "speech", "voice", "bf_emma"),
        (["--kokoro_voice", "bm_fable"], "speech", "voice", "bm_fable"),
        (["--kokoro_speed", "1.5"], "speech", "speed", 1.5),
        (["--input-device", "USB Mic"], "audio", "input_device", "USB Mic"),
        (["--local_audio_output_device", "Speakers"], "audio", "output_device", "Speakers"),
        (["--thresh", "0.6"], "audio", "vad_threshold", 0.6),
        (["--min_speech_ms", "384"], "audio", "min_speech_ms", 384),
        (["--speech_pad_ms", "500"], "audio", "pre_roll_ms", 500),
        (["--pause-ms", "900"], "audio", "pause_ms", 900),
    ],
)
def test_options_of_the_other_sections(arguments: list[str], section: str, field: str, value: object) -> None:
    settings, notices = override(*arguments, "ask", "hi")

    assert getattr(getattr(settings, section), field) == value
    assert notices == []


def test_a_switch_does_not_swallow_what_follows() -> None:
    namespace = make_parser().parse_args(["ask", "--stream", "false alarms", "--json"])

    assert namespace.text == "false alarms"
    assert namespace.json


def test_what_stands_before_and_behind_the_command_adds_up_and_the_last_wins() -> None:
    settings, notices = override(
        "--speed", "1.5", "--chat-size", "3", "--host", "x", "ask", "hi", "--chat-size", "4", "--port", "1"
    )

    assert settings.speech.speed == 1.5
    assert settings.assistant.chat_size == 4
    assert len(notices) == 2


def test_text_behind_two_dashes_is_left_alone() -> None:
    assert make_parser().parse_args(["ask", "--", "--no_stream"]).text == "--no_stream"


class TestOtherServers:
    def test_a_base_url_makes_a_temporary_profile_without_keys_of_another_host(self) -> None:
        settings = mine(
            api_key_env="MY_KEY",
            headers={"Authorization": "x"},
            query={"k": "v"},
            stream=False,
            temperature=0.2,
        )

        changed, _ = override("--base-url", "http://other:2/v1", settings=settings)

        profile = changed.active_profile()
        assert changed.profile == TEMPORARY_PROFILE
        assert profile.is_temporary
        assert profile.base_url == "http://other:2/v1"
        assert (profile.api_key_env, profile.headers, profile.query) == ("", {}, {})
        assert (profile.model, profile.stream, profile.temperature) == ("m", False, 0.2)
        assert settings.profile == "mine"

    def test_the_same_url_is_the_same_profile(self) -> None:
        changed, _ = override("--base-url", " http://127.0.0.1:1/v1", settings=mine(api_key_env="MY_KEY"))

        assert changed.profile == "mine"
        assert changed.active_profile().api_key_env == "MY_KEY"

    @pytest.mark.parametrize(
        ("url", "backend"),
        [
            ("http://127.0.0.1:8000/v1", "chat-completions"),
            ("http://127.0.0.1:8000/v1/responses", "responses-api"),
            ("http://127.0.0.1:8000/v1/chat/completions/", "chat-completions"),
            ("https://api.openai.com/v1", "responses-api"),
        ],
    )
    def test_a_server_without_a_backend_gets_the_likelier_one(self, url: str, backend: str) -> None:
        changed, _ = override("--base-url", url, "--model", "m")

        assert changed.active_profile().backend == backend
        assert changed.active_profile().model == "m"

    def test_a_backend_that_is_named_counts(self) -> None:
        changed, _ = override(
            "--llm-backend", "responses-api", "--responses_api_base_url=http://127.0.0.1:8000"
        )

        assert changed.active_profile().backend == "responses-api"

    def test_a_backend_and_a_model_without_a_server_mean_openai(self) -> None:
        changed, _ = override("--llm_backend", "responses-api", "--model_name", "gpt-4o")

        profile = changed.active_profile()
        assert (profile.name, profile.base_url, profile.model) == (TEMPORARY_PROFILE, "", "gpt-4o")

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--model", "qwen3-4b"],
            ["--llm-backend", "responses-api"],
            ["--profile", BUILT_IN, "--llm-backend", "responses-api", "--model", "qwen3-4b"],
        ],
    )
    def test_the_built_in_profile_can_be_changed_as_well(self, arguments: list[str]) -> None:
        assert override(*arguments)[0].profile == BUILT_IN

    def test_a_key_is_taken_with_a_warning_and_is_not_shown(self) -> None:
        for name in KEY_NAMES:
            changed, notices = override("--base-url", "http://127.0.0.1:8000", f"--{name}", "sk-canary")
            assert changed.active_profile().given_key == "sk-canary"
            assert "--api-key-env" in notices[0]
            assert "sk-canary" not in repr(changed) + "".join(notices)


class TestProfiles:
    def test_a_profile_of_the_settings(self) -> None:
        settings = Settings(profiles=[Profile(name="Work")])
        assert override("--profile", "work", settings=settings)[0].profile == "Work"

    def test_a_provider_that_is_no_profile_yet(self) -> None:
        changed, _ = override("--profile", "ollama", "--model", "x")

        profile = changed.active_profile()
        assert profile.base_url == "http://127.0.0.1:11434/v1"
        assert profile.model == "x"
        assert profile.is_temporary

    def test_an_unknown_one_is_refused_with_a_similar_one(self) -> None:
        with pytest.raises(AssistantError, match="Did you mean Groq"):
            override("--profile", "groqq")
        with pytest.raises(AssistantError, match="built-in, OpenAI"):
            override("--profile", "zzzzzz")


class TestMistakes:
    @pytest.mark.parametrize(
        ("option", "meant"),
        [
            ("--modle", "--model"),
            ("--baseurl", "--base-url"),
            ("--bse-url=x", "--base-url"),
            ("--responses_api_modelname", "--responses-api-model-name"),
            ("--jsn", "--json"),
            ("--chatsize", "--chat-size"),
        ],
    )
    def test_an_unknown_option_is_refused_with_the_nearest_one(
        self, capsys: pytest.CaptureFixture[str], option: str, meant: str
    ) -> None:
        assert f"Did you mean {meant}?" in refused(capsys, "ask", "hi", option)

    def test_an_option_like_no_other_is_refused_with_the_help(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert "See --help" in refused(capsys, "ask", "hi", "--xyzzy", "1")

    def test_options_are_not_abbreviated(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "--mod" in refused(capsys, "ask", "hi", "--mod", "x")

    @pytest.mark.parametrize(
        ("arguments", "why"),
        [
            (["--speed", "9"], "--speed: '9' does not fit"),
            (["--speed", "nan"], "--speed: 'nan' does not fit"),
            (["--speed", "fast"], "--speed: 'fast' does not fit"),
            (["--chat_size", "-1"], "--chat-size: '-1' does not fit"),
            (["--stream=perhaps"], "--stream: 'perhaps' does not fit"),
            (["--language", "klingon"], "--language: 'klingon' does not fit: 'klingon' is no language"),
            (["--llm-backend", "grpc"], "choose responses-api or chat-completions"),
            (["--responses_api_audio_content_type", "mp3"], "'mp3' does not fit"),
            (["--model"], "expected one argument"),
        ],
    )
    def test_a_value_that_does_not_fit_is_refused_at_once(
        self, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
    ) -> None:
        assert why in refused(capsys, "ask", "hi", *arguments)


class TestUpstream:
    @pytest.mark.parametrize("name", IGNORED_OPTIONS)
    def test_options_that_mean_nothing_here_are_taken_with_a_notice(self, name: str) -> None:
        settings, notices = override(f"--{name.replace('-', '_')}", "1", "ask", "hi")

        assert settings == Settings()
        assert len(notices) == 1
        assert notices[0].startswith(f"--{name} means nothing here")

    @pytest.mark.parametrize("name", IGNORED_SWITCHES)
    @pytest.mark.parametrize("form", ["--{}", "--no_{}", "--{}=true"])
    def test_switches_that_mean_nothing_here_are_taken_with_a_notice(self, name: str, form: str) -> None:
        settings, notices = override(form.format(name.replace("-", "_")), "ask", "hi")

        assert settings == Settings()
        assert len(notices) == 1

    def test_a_command_line_of_upstream_as_a_whole(self) -> None:
        settings, notices = override(
            "ask", "hi", "--mode", "local", "--stt", "parakeet-tdt", "--llm_backend", "chat-completions",
            "--tts", "qwen3", "--model_name", "Qwen/Qwen3-4B", "--responses_api_base_url",
            "http://localhost:8000/v1", "--responses_api_api_key", "", "--responses_api_stream", "true",
            "--chat_size", "30", "--smart_turn", "--thresh", "0.6", "--min_silence_ms", "64",
        )  # fmt: skip

        profile = settings.active_profile()
        assert (profile.backend, profile.model) == ("chat-completions", "Qwen/Qwen3-4B")
        assert profile.base_url == "http://localhost:8000/v1"
        assert settings.audio.smart_turn
        assert [notice.split()[0] for notice in notices] == [
            "--mode", "--stt", "--tts", "--responses-api-api-key:", "--min-silence-ms",
        ]  # fmt: skip

    def test_old_values_are_mapped_with_a_notice(self) -> None:
        _, notices = override("--llm", "open_api", "--base-url", "http://127.0.0.1:1")
        assert notices == ["--llm: open_api is called responses-api here."]

    def test_the_number_of_a_device_is_not_taken_for_its_name(self) -> None:
        settings, notices = override("--local_audio_input_device", "3")
        assert settings.audio.input_device == ""
        assert "numbers of devices change" in notices[0]


def test_the_help_shows_each_setting_once_under_its_own_name() -> None:
    text = make_parser().format_help()

    for option in OPTIONS:
        assert f"--{option.names[0]}" in text
    assert "--responses-api" not in text
    assert "--qwen3" not in text


def test_no_name_is_given_twice() -> None:
    names = [name for option in OPTIONS for name in option.names]
    names += [*KEY_NAMES, *IGNORED_OPTIONS, *IGNORED_SWITCHES, "stt", "tts", "profile"]

    assert len(names) == len(set(names))


def test_servers_that_hear_and_speak_have_options() -> None:
    settings, _ = override("--openai-stt-base-url", "http://127.0.0.1:9000", "--tts-server-voice", "nova")
    assert settings.speech.stt_server.base_url == "http://127.0.0.1:9000"
    assert settings.speech.tts_server.voice == "nova"


def test_it_is_known_which_option_gave_a_setting() -> None:
    settings, _ = override("--voice", "bf_emma", "--stt_model", "small", "--model", "x", settings=mine())
    assert settings.given == {
        "speech.voice": "--voice", "speech.stt_model": "--stt-model", "profile.model": "--model"
    }  # fmt: skip
    assert settings.given_by("speech.speed") == ""
    assert settings.model_copy(deep=True).given_by("speech.voice") == "--voice"


def test_an_option_that_makes_a_temporary_profile_gave_the_choice_of_the_profile_too() -> None:
    settings, _ = override("--base-url", "http://127.0.0.1:2/v1")
    assert settings.given_by("profile") == "--base-url"


def test_a_persona_is_chosen_by_its_name_and_an_unknown_one_refused() -> None:
    settings = mine()
    settings.assistant.personas = [Persona(name="Ada")]
    assert override("--persona", "Ada", settings=settings)[0].assistant.persona == "Ada"
    with pytest.raises(AssistantError, match="There is no persona 'Eve'"):
        override("--persona", "Eve", settings=settings)
