"""The settings file: whatever is in it the program starts, and nothing of it gets lost."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import MutableMapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.errors import AssistantError
from s2s_desktop.settings import file
from s2s_desktop.settings.file import load, save
from s2s_desktop.settings.schema import BUILT_IN, SCHEMA_VERSION, Profile, Settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob("settings.broken-*.toml"))


FULL = Settings.model_validate(
    {
        "profile": "mine",
        "profiles": [
            {
                "name": "mine",
                "backend": "chat-completions",
                "base_url": "http://127.0.0.1:8000/v1",
                "api_key_env": "MY_KEY",
                "model": "m",
                "stream": False,
                "disable_thinking": True,
                "reasoning_effort": "low",
                "temperature": 0.3,
                "max_output_tokens": 100,
                "headers": {"X-Title": "a \"b\" 'c' ü"},
                "query": {"api-version": "1"},
                "connect_timeout_s": 1.5,
                "first_token_timeout_s": 2.5,
                "idle_timeout_s": 3.5,
                "audio_input": True,
                "audio_content_type": "audio_url",
                "audio_max_tokens": 7,
                "audio_temperature": 0.5,
                "audio_history_turns": 3,
                "preemptive_generation": "off",
            }
        ],
        "assistant": {
            "personas": [
                {"name": "Ada", "system_prompt": "You are Ada.", "voice": "bf_emma", "profile": "mine"},
                {"name": "Bob"},
            ],
            "persona": "Ada",
            "system_prompt": "Be kind.\nAlways. 日本語",
            "chat_size": 5,
            "language_prompt": True,
            "compact_history": True,
            "tools": False,
        },
        "speech": {
            "stt_engine": "remote",
            "stt_model": "/tmp/m",
            "stt_language": "de",
            "stt_device": "cuda",
            "stt_compute_type": "int8",
            "vad_engine": "silero-torch",
            "hotwords": "Zaphod, Trillian",
            "captions": False,
            "stt_server": {"base_url": "http://127.0.0.1:9000", "model": "whisper-1", "api_key_env": "HEAR"},
            "tts_engine": "remote",
            "tts_server": {"voice": "nova"},
            "voice": "bf_emma",
            "speed": 1.25,
        },
        "general": {
            "theme": "dark",
            "text_scale": 1.5,
            "tray": False,
            "welcomed": True,
            "talk_shortcut": "F9",
        },
        "audio": {
            "microphone_mode": "toggle",
            "smart_turn": False,
            "barge_in": "off",
            "echo_cancelling": False,
            "input_device": "Mic [1]",
            "output_device": "",
            "vad_threshold": 0.7,
            "pause_ms": 700,
            "min_speech_ms": 300,
            "pre_roll_ms": 500,
        },
        "history": {"keep": False, "keep_audio": True, "audio_limit_mb": 7},
    }
)


class TestRoundTrip:
    def test_without_a_file_there_are_defaults_and_nothing_to_say(self, path: Path) -> None:
        loaded = load(path)

        assert loaded.settings == Settings()
        assert loaded.notices == ()
        assert not path.exists()

    def test_every_setting_comes_back_as_it_was(self, path: Path) -> None:
        save(path, FULL)

        loaded = load(path)

        assert loaded.settings == FULL
        assert loaded.notices == ()

    def test_going_back_to_defaults_comes_back_too(self, path: Path) -> None:
        save(path, FULL)
        save(path, Settings())

        assert load(path).settings == Settings()

    def test_a_persona_keeps_its_comment_and_the_last_one_can_go(self, path: Path) -> None:
        save(path, FULL)
        path.write_text(path.read_text().replace('name = "Bob"', 'name = "Bob" # a friend'))
        changed = load(path).settings
        changed.assistant.personas[1].voice = "am_michael"
        save(path, changed)
        assert "# a friend" in path.read_text()
        changed.assistant.personas = []
        save(path, changed)
        assert load(path).settings.assistant.personas == []

    def test_every_section_of_the_schema_is_in_the_round_trip(self) -> None:
        default = Settings()
        for name in type(default).model_fields:
            if name != "schema_version":
                assert getattr(FULL, name) != getattr(default, name), name
        for section in (FULL.assistant, FULL.speech, FULL.audio, FULL.history, FULL.profiles[1]):
            plain = type(section)(name="mine") if isinstance(section, Profile) else type(section)()
            same = [key for key in type(section).model_fields if getattr(section, key) == getattr(plain, key)]
            assert set(same) <= {"name", "output_device"}, same

    def test_only_what_differs_from_the_defaults_is_written(self, path: Path) -> None:
        settings = Settings()
        settings.speech.voice = "bf_emma"
        save(path, settings)

        lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
        assert lines == [f"schema_version = {SCHEMA_VERSION}", "[speech]", 'voice = "bf_emma"']

    def test_comments_order_and_unknown_keys_stay(self, path: Path) -> None:
        text = (
            "# mine\n"
            "future = 1  # keep\n"
            "\n"
            "[speech]  # how it sounds\n"
            "speed = 1.5  # faster\n"
            'later = "x"\n'
            "\n"
            "[[profiles]]\n"
            "# my server\n"
            'name = "mine"\n'
            'model = "a"  # the model\n'
            "secret_option = [1, 2]\n"
            "\n"
            "[other]\n"
            "x = 1\n"
        )
        path.write_text(text, "utf-8")
        settings = load(path).settings
        settings.speech.speed = 1.25
        settings.profiles[1].model = "b"
        save(path, settings)

        expected = text.replace("1.5  # faster", "1.25  # faster").replace('"a"  # the', '"b"  # the')
        written = path.read_text("utf-8")
        for line in expected.splitlines():
            assert line in written.splitlines()
        assert load(path).settings.profiles[1].model == "b"

    def test_profiles_are_added_changed_and_removed_by_name(self, path: Path) -> None:
        settings = Settings(profiles=[Profile(name="a", model="1"), Profile(name="b", model="2")])
        save(path, settings)
        settings.profiles = [profile for profile in settings.profiles if profile.name != "a"]
        settings.profiles.append(Profile(name="c", headers={"X": "1"}))
        save(path, settings)
        settings.profiles[-1].headers = {}
        save(path, settings)

        assert load(path).settings == settings

    def test_a_profile_of_the_command_line_is_not_saved(self, path: Path) -> None:
        settings = Settings(profiles=[Profile(name="mine")], profile="mine")
        save(path, settings)
        temporary = Profile(name="command line", model="x")
        temporary.give_key("sk-canary")
        temporary.mark_temporary()
        settings.profiles.append(temporary)
        settings.profile = "command line"
        settings.speech.speed = 1.5
        save(path, settings)

        loaded = load(path).settings
        assert loaded.profile == "mine"
        assert [profile.name for profile in loaded.profiles] == [BUILT_IN, "mine"]
        assert loaded.speech.speed == 1.5
        assert "sk-canary" not in path.read_text("utf-8")

    def test_switches_stay_switches(self, path: Path) -> None:
        path.write_text('[assistant]\ntools = "false"\ncompact_history = true\n', "utf-8")

        assistant = load(path).settings.assistant

        assert assistant.tools is False
        assert assistant.compact_history is True


class TestBrokenFiles:
    @pytest.mark.parametrize(
        "raw",
        [
            b"",
            b"  \n",
            b'{"llm": {"base_url": "ht',
            b"\x00" * 200,
            b"[]",
            b"\xff\xfe\x00x",
            b"a = ",
            b"[" * 5000,
        ],
        ids=["empty", "blank", "JSON that is cut", "NUL bytes", "brackets", "UTF-16", "cut", "nested"],
    )
    def test_a_file_that_is_no_toml_is_set_aside_once(self, path: Path, raw: bytes) -> None:
        path.write_bytes(raw)

        loaded = load(path)

        assert loaded.settings == Settings()
        assert len(loaded.notices) == 2
        assert [copy.read_bytes() for copy in copies(path)] == [raw]
        assert copies(path)[0].name in loaded.notices[1]
        again = load(path)
        assert again == file.Loaded(Settings()), "it is said once"

    def test_what_stands_before_the_damage_is_kept(self, path: Path) -> None:
        path.write_text('[speech]\nvoice = "bf_emma"\nspeed = 1.5\n[assistant]\nchat_si', "utf-8")

        loaded = load(path)

        assert loaded.settings.speech.voice == "bf_emma"
        assert loaded.settings.speech.speed == 1.5
        assert load(path) == file.Loaded(loaded.settings)

    def test_a_text_without_end_costs_only_itself(self, path: Path) -> None:
        path.write_text('[speech]\nvoice = "bf_emma"\n[assistant]\nsystem_prompt = """x\ny\nz\n', "utf-8")

        assert load(path).settings.speech.voice == "bf_emma"

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ('[audio]\nvad_threshold = "abc"\n', "audio.vad_threshold"),
            ("[speech]\nspeed = nan\n", "speech.speed"),
            ("[speech]\nspeed = 0.49\n", "speech.speed"),
            ('[speech]\nspeed = "1,5"\n', "speech.speed"),
            ('[speech]\nstt_language = "klingon"\n', "speech.stt_language"),
            ("speech = 3\n", "speech"),
            ("profiles = 3\n", "profiles"),
            ("[[profiles]]\nmodel = 'x'\n", "profiles.1"),
            ("[[profiles]]\nname = 'x'\nstream = 'perhaps'\n", "profiles.1.stream"),
            ("[[profiles]]\nname = 'x'\n[profiles.headers]\nX = 3\n", "profiles.1.headers.X"),
            ("profiles = [1]\n", "profiles.1"),
            ("profiles = [{name = 'x', model = 3}]\n", "profiles.1.model"),
            ("schema_version = 'one'\n", "schema_version"),
            ("schema_version = -3.5\n", "schema_version"),
        ],
    )
    def test_a_wrong_value_falls_back_alone(self, path: Path, text: str, name: str) -> None:
        good = "profile = 'built-in'\n[assistant]\nchat_size = 7\n"
        top, _, sections = text.partition("[") if not text.startswith("[") else ("", "", text[1:])
        path.write_text(
            f"{top}{good}{'[' if sections else ''}{sections}", "utf-8"
        ) if "= [" not in text else (path.write_text(text + good, "utf-8"))

        loaded = load(path)

        assert loaded.settings.assistant.chat_size == 7
        assert f"The setting {name} was not usable" in loaded.notices[0]
        assert len(copies(path)) == 1
        assert load(path) == file.Loaded(loaded.settings), "it is mended"

    def test_several_wrong_values_are_each_named_without_their_content(self, path: Path) -> None:
        path.write_text(
            "[speech]\nspeed = 'sk-canary'\nvoice = 3\n[[profiles]]\nname='x'\nheaders = 'sk-canary'\n",
            "utf-8",
        )

        loaded = load(path)

        assert loaded.settings.profiles[1].name == "x"
        assert len(loaded.notices) == 4
        assert "sk-canary" not in "".join(loaded.notices)

    def test_two_profiles_of_one_name_are_told_apart(self, path: Path) -> None:
        path.write_text("[[profiles]]\nname='x'\nmodel='1'\n[[profiles]]\nname='x'\nmodel='2'\n", "utf-8")

        names = [profile.name for profile in load(path).settings.profiles]

        assert names == [BUILT_IN, "x", "x (2)"]

    def test_a_chosen_profile_that_is_gone_is_said(self, path: Path) -> None:
        path.write_text("profile = 'gone'\n", "utf-8")

        loaded = load(path)

        assert loaded.settings.active_profile().name == BUILT_IN
        assert "'gone'" in loaded.notices[0]

    def test_a_byte_order_mark_is_no_damage(self, path: Path) -> None:
        path.write_bytes(b"\xef\xbb\xbf[speech]\r\nspeed = 1.5\r\n")

        assert load(path) == file.Loaded(Settings.model_validate({"speech": {"speed": 1.5}}))

    def test_a_folder_in_place_of_the_file(self, path: Path) -> None:
        path.mkdir()

        loaded = load(path)

        assert loaded.settings == Settings()
        assert str(path) in loaded.notices[0]

    @settings(max_examples=60, deadline=None)
    @given(st.binary(max_size=60) | st.text(alphabet="[]{}=.\"'#ab1\n ", max_size=60).map(str.encode))
    def test_no_content_stops_the_program(self, tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
        path = tmp_path_factory.mktemp("s") / "settings.toml"
        path.write_bytes(raw)

        loaded = load(path)
        save(path, loaded.settings)

        assert load(path).settings == loaded.settings


class TestVersions:
    def test_a_newer_file_is_left_as_it_is(self, path: Path) -> None:
        path.write_text(f"schema_version = {SCHEMA_VERSION + 5}\n[speech]\nspeed = 1.5\nnew = 1\n", "utf-8")

        loaded = load(path)
        save(path, loaded.settings)

        assert loaded.settings.speech.speed == 1.5
        assert "newer version" in loaded.notices[0]
        assert f"schema_version = {SCHEMA_VERSION + 5}" in path.read_text("utf-8")
        assert "new = 1" in path.read_text("utf-8")

    def test_an_older_file_is_brought_to_this_version(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def rename(document: MutableMapping[str, object]) -> None:
            speech = document["speech"]
            assert isinstance(speech, MutableMapping)
            speech["speed"] = speech.pop("tempo")

        monkeypatch.setattr(file, "MIGRATIONS", {SCHEMA_VERSION - 1: rename})
        path.write_text(f"schema_version = {SCHEMA_VERSION - 1}\n[speech]\ntempo = 1.5\n", "utf-8")

        loaded = load(path)

        assert loaded.settings.speech.speed == 1.5
        assert loaded.settings.schema_version == SCHEMA_VERSION
        assert loaded.notices == ()


class TestWriting:
    def test_a_crash_while_writing_leaves_the_old_file(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        save(path, FULL)
        before = path.read_bytes()

        def no_space(handle: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", no_space)
        with pytest.raises(AssistantError, match="No space left on device"):
            save(path, Settings())

        assert path.read_bytes() == before
        assert [entry.name for entry in path.parent.iterdir()] == [path.name], "no half file is left"

    def test_a_folder_that_cannot_be_written_is_explained(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(AssistantError, match="could not be saved") as caught:
            save(tmp_path / "file" / "settings.toml", Settings())

        assert str(tmp_path) in caught.value.message

    def test_a_broken_file_is_not_overwritten_without_a_copy(self, path: Path) -> None:
        path.write_bytes(b"voice = ")
        save(path, Settings())

        assert [copy.read_bytes() for copy in copies(path)] == [b"voice = "]
        assert load(path) == file.Loaded(Settings())

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
    def test_a_new_file_is_private_and_an_old_one_keeps_its_permissions(self, path: Path) -> None:
        save(path, Settings())
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)
        save(path, FULL)
        assert stat.S_IMODE(path.stat().st_mode) == 0o644

    @pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights on Windows")
    def test_a_symbolic_link_stays_one(self, path: Path, tmp_path: Path) -> None:
        real = tmp_path / "dotfiles" / "s2s.toml"
        real.parent.mkdir()
        real.write_text("# mine\n", "utf-8")
        path.symlink_to(real)

        save(path, FULL)

        assert path.is_symlink()
        assert load(real).settings == FULL

    def test_folders_are_made(self, tmp_path: Path) -> None:
        path = tmp_path / "a" / "ü b" / "settings.toml"
        save(path, FULL)
        assert load(path).settings == FULL
