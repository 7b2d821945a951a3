"""Settings take effect while the program runs: saved, used at the next turn, and never in the way."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from engine.kit import RunningEngine, profile_at, says
from llm.fake_provider import FakeProvider, Reply, WaitFor
from llm.streams import chat_reply
from s2s_desktop.conversation.events import ModelProgress, Notice, TextDelta, ToolCall
from s2s_desktop.engine import model_use
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.http.endpoint import normalize_base_url
from s2s_desktop.settings.schema import BUILT_IN, Persona, Profile, Settings, SpeechServer


@pytest.fixture
def one() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        yield says(provider, "I am one.")


@pytest.fixture
def two() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        yield says(provider, "I am two.")


@pytest.fixture
def settings(one: FakeProvider, two: FakeProvider) -> Settings:
    settings = Settings()
    settings.profiles += [profile_at(one, "One"), profile_at(two, "Two")]
    settings.profile = "One"
    return settings


@pytest.fixture
async def engine(settings: Settings) -> AsyncIterator[RunningEngine]:
    engine = RunningEngine(settings)
    await engine.start()
    yield engine
    await engine.close()


class TestApply:
    async def test_another_profile_answers_the_next_turn(self, engine: RunningEngine) -> None:
        assert await engine.ask("Who?") == "I am one."
        await engine.change(profile="Two")
        assert await engine.ask("Who?") == "I am two."
        assert engine.readiness.model_name == "Two · demo"
        assert engine.saved().profile == "Two"
        assert engine.changes == 1

    async def test_a_running_reply_goes_on_with_the_old_one(
        self, engine: RunningEngine, one: FakeProvider
    ) -> None:
        go_on = threading.Event()
        body = chat_reply("One ", "more thing.")
        middle = body.rindex(b"data:", 0, body.index(b"more"))
        one.script(Reply([body[:middle], WaitFor(go_on), body[middle:]]))
        engine.engine.send_text("Go on.")
        await engine.seen.until(lambda: bool(engine.seen.of(TextDelta)))
        settings = engine.preferences.settings
        settings.profile = "Two"
        await engine.preferences.apply(settings)
        go_on.set()
        await engine.engine.session.settled()
        assert "".join(delta.text for delta in engine.seen.of(TextDelta)) == "One more thing."
        await engine.ready()
        assert await engine.ask("Who?") == "I am two."

    async def test_the_prompt_is_sent_from_the_next_turn_on(
        self, engine: RunningEngine, one: FakeProvider
    ) -> None:
        await engine.change(assistant__system_prompt="Speak like a pirate.")
        await engine.ask("Who?")
        messages = one.requests[-1].json()["messages"]
        assert isinstance(messages, list)
        assert messages[0]["content"] == "Speak like a pirate."

    async def test_tools_and_memory_change_too(self, engine: RunningEngine, one: FakeProvider) -> None:
        await engine.ask("First?")
        assert one.requests[-1].json().get("tools")
        await engine.change(assistant__tools=False, assistant__chat_size=0)
        await engine.ask("Second?")
        assert not one.requests[-1].json().get("tools")
        await engine.ask("Third?")
        messages = one.requests[-1].json()["messages"]
        assert isinstance(messages, list)
        assert [message["content"] for message in messages[1:]] == ["Third?"]

    async def test_what_stayed_the_same_is_not_loaded_anew(
        self, engine: RunningEngine, one: FakeProvider
    ) -> None:
        model = engine.engine.session.stages.language_model
        await engine.change(speech__speed=1.5, audio__pause_ms=900)
        assert engine.engine.session.stages.language_model is model

    async def test_a_model_that_cannot_be_loaded_is_told_and_the_one_before_goes_on(
        self, engine: RunningEngine
    ) -> None:
        settings = engine.preferences.settings
        settings.profiles.append(Profile(name="Empty", base_url="http://127.0.0.1:9/v1", model=""))
        settings.profile = "Empty"
        await engine.preferences.apply(settings)
        await engine.ready()
        assert "names no model" in engine.seen.of(Notice)[-1].text
        assert await engine.ask("Who?") == "I am one."
        assert engine.readiness.model_name == "One · demo"

    async def test_going_back_needs_no_loading(self, engine: RunningEngine) -> None:
        model = engine.engine.session.stages.language_model
        one = engine.preferences.settings
        two = one.model_copy(deep=True)
        two.profile = "Two"
        engine.engine._parts.use(two)
        engine.engine._parts.use(one)
        await engine.ready()
        assert engine.engine.session.stages.language_model is model

    async def test_settings_that_cannot_be_saved_are_used_all_the_same(
        self, engine: RunningEngine, home: Path
    ) -> None:
        (home / "settings.toml").mkdir(parents=True)
        settings = engine.preferences.settings
        settings.profile = "Two"
        with pytest.raises(AssistantError, match="could not be saved"):
            await engine.preferences.apply(settings)
        await engine.ready()
        assert await engine.ask("Who?") == "I am two."

    async def test_the_settings_are_a_copy(self, engine: RunningEngine) -> None:
        engine.preferences.settings.speech.speed = 2.0
        assert engine.preferences.settings.speech.speed == 1.0


class TestGiven:
    async def test_the_command_line_is_named_and_not_saved(self, settings: Settings) -> None:
        settings.speech.voice = "bf_emma"
        settings.mark_given("speech.voice", "--voice")
        engine = RunningEngine(settings)
        assert engine.preferences.given_by("speech.voice") == "--voice"
        await engine.change(speech__speed=1.5)
        assert "bf_emma" not in engine.saved_text()
        assert engine.preferences.settings.speech.voice == "bf_emma"
        await engine.close()

    async def test_a_variable_is_named(self, monkeypatch: pytest.MonkeyPatch, one: FakeProvider) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", one.base_url)
        settings = Settings()
        settings.profiles.append(Profile(name="OpenAI", model="demo"))
        settings.profile = "OpenAI"
        engine = RunningEngine(settings)
        assert engine.preferences.given_by("profile.base_url") == "OPENAI_BASE_URL"
        assert engine.preferences.final_endpoint(settings.profiles[1]) == f"{one.base_url}/responses"
        await engine.close()


class TestConversations:
    async def test_each_goes_on_with_its_own_profile_and_persona(self, settings: Settings) -> None:
        settings.assistant.personas = [Persona(name="Ada", system_prompt="You are Ada.", profile="Two")]
        engine = RunningEngine(settings)
        await engine.start()
        conversations = engine.engine.conversations
        assert conversations is not None
        assert await engine.ask("First?") == "I am one."
        first = conversations.conversation_id
        await conversations.new()
        await engine.change(assistant__persona="Ada")
        assert await engine.ask("Second?") == "I am two."
        second = conversations.conversation_id
        await conversations.written()

        await conversations.open(first)
        await engine.ready()
        assert engine.preferences.settings.profile == "One"
        assert engine.preferences.settings.assistant.persona == ""
        assert await engine.ask("Who?") == "I am one."
        await conversations.open(second)
        await engine.ready()
        assert engine.preferences.settings.assistant.persona == "Ada"
        assert await engine.ask("Who?") == "I am two."
        await engine.close()

    async def test_changing_it_belongs_to_the_conversation_at_once(self, engine: RunningEngine) -> None:
        conversations = engine.engine.conversations
        assert conversations is not None
        await engine.ask("First?")
        await conversations.written()
        await engine.change(profile="Two")
        (saved,) = await conversations.page(limit=5)
        assert saved.profile == "Two"

    async def test_a_profile_that_is_gone_is_told(self, engine: RunningEngine) -> None:
        conversations = engine.engine.conversations
        assert conversations is not None
        await engine.ask("First?")
        await conversations.written()
        first = conversations.conversation_id
        await engine.change(profile="Two")
        await conversations.open(first)
        await conversations.new()
        settings = engine.preferences.settings
        settings.profiles = [each for each in settings.profiles if each.name != "Two"]
        settings.profile = "One"
        await engine.preferences.apply(settings)
        await conversations.open(first)
        await engine.ready()
        assert "“Two” of this conversation is no longer there" in engine.seen.of(Notice)[-1].text
        assert await engine.ask("Who?") == "I am one."

    async def test_saving_can_be_switched_in_both_places(self, engine: RunningEngine) -> None:
        conversations = engine.engine.conversations
        assert conversations is not None
        await conversations.keep(False)
        assert engine.preferences.settings.history.keep is False
        await engine.change(speech__speed=1.5)
        assert engine.saved().history.keep is False
        await engine.change(history__keep=True)
        assert conversations.keeps
        assert engine.saved().history.keep is True

    async def test_usage_is_a_sentence(self, engine: RunningEngine) -> None:
        assert await engine.preferences.usage() == "No tokens have been counted in the saved conversations."


class TestKeys:
    async def test_a_saved_key_is_sent_at_once_and_a_deleted_one_no_longer(
        self, engine: RunningEngine, one: FakeProvider
    ) -> None:
        profile = engine.preferences.settings.active_profile()
        await engine.preferences.save_key(profile, " sk-test-1234567890 ", "session")
        await engine.ready()
        state = await engine.preferences.key_state(profile)
        assert (state.present, state.host, state.from_environment) == (True, f"127.0.0.1:{one.port}", False)
        assert "until the app closes" in state.where
        assert state.keyring_problem
        await engine.ask("Who?")
        assert one.requests[-1].headers["authorization"] == "Bearer sk-test-1234567890"
        await engine.preferences.delete_key(profile)
        await engine.ready()
        await engine.ask("Who?")
        assert "sk-test" not in one.requests[-1].headers.get("authorization", "")
        assert "sk-test" not in engine.saved_text()

    async def test_one_from_the_environment_can_not_be_changed_here(
        self, engine: RunningEngine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MY_KEY", "from-outside")
        server = SpeechServer(base_url="http://127.0.0.1:9/v1", api_key_env="MY_KEY")
        state = await engine.preferences.key_state(server)
        assert (state.present, state.from_environment) == (True, True)
        assert "MY_KEY" in state.where
        for change in (
            engine.preferences.save_key(server, "other", "session"), engine.preferences.delete_key(server)
        ):  # fmt: skip
            with pytest.raises(AssistantError, match="MY_KEY"):
                await change

    async def test_the_model_on_this_computer_has_no_key_and_says_so(self, engine: RunningEngine) -> None:
        builtin = model_use.builtin_profile(engine.preferences.settings)
        assert not (await engine.preferences.key_state(builtin)).present
        assert "this computer" in engine.preferences.final_endpoint(builtin)
        with pytest.raises(AssistantError, match="needs no key"):
            await engine.preferences.save_key(builtin, "k", "session")

    async def test_nothing_is_no_key(self, engine: RunningEngine) -> None:
        with pytest.raises(AssistantError, match="Enter the key"):
            await engine.preferences.save_key(engine.preferences.settings.active_profile(), " ", "session")


class TestServers:
    async def test_their_models_are_listed(self, engine: RunningEngine, one: FakeProvider) -> None:
        body = json.dumps({"data": [{"id": "b"}, {"id": "a"}]}).encode()
        one.script(Reply(body, content_type="application/json"), repeat=True)
        assert await engine.preferences.model_names(SpeechServer(base_url=one.base_url)) == ("a", "b")

    async def test_one_that_does_not_answer_is_a_sentence(self, engine: RunningEngine) -> None:
        with pytest.raises(AssistantError):
            await engine.preferences.model_names(Profile(name="x", base_url="http://127.0.0.1:1/v1"))

    async def test_a_connection_is_tested_step_by_step(
        self, engine: RunningEngine, one: FakeProvider
    ) -> None:
        models = Reply(b'{"data": [{"id": "demo"}]}', content_type="application/json")
        one.answer(lambda request: models if request.method == "GET" else Reply(chat_reply("Hello.")))
        profile = engine.preferences.settings.active_profile()
        steps = [step async for step in engine.preferences.check_connection(profile)]
        assert steps[0].name == "Address"
        assert normalize_base_url(one.base_url, "chat-completions").final_url in steps[0].sentence
        assert steps[-1].ok

    async def test_an_address_that_cannot_be_meant_is_a_sentence(self, engine: RunningEngine) -> None:
        profile = Profile(name="x", base_url="ftp://x")
        assert "ftp" in engine.preferences.final_endpoint(profile)
        (step,) = [step async for step in engine.preferences.check_connection(profile)]
        assert (step.name, step.ok) == ("Address", False)

    async def test_the_built_in_one_needs_no_test(self, engine: RunningEngine) -> None:
        builtin = model_use.builtin_profile(engine.preferences.settings)
        (step,) = [step async for step in engine.preferences.check_connection(builtin)]
        assert step.ok is None


class TestFacts:
    async def test_diagnostics_hold_no_secret(self, engine: RunningEngine) -> None:
        settings = engine.preferences.settings
        profile = settings.active_profile()
        profile.base_url += "?key=hush-hush"
        profile.headers = {"X-Key": "hush-hush"}
        await engine.preferences.apply(settings)
        await engine.preferences.save_key(profile, "sk-hush-hush", "session")
        text = await engine.preferences.diagnostics()
        assert "S2S Desktop" in text
        assert "hush" not in text

    async def test_voices_are_named_for_people(self, engine: RunningEngine) -> None:
        first = engine.preferences.voices()[0]
        assert (first.name, first.title, first.language) == (
            "af_heart",
            "Heart (female), American English",
            "en",
        )

    async def test_a_voice_that_the_persona_overrules_is_told(self, engine: RunningEngine) -> None:
        settings = engine.preferences.settings
        settings.assistant.personas = [Persona(name="Ada", voice="bf_emma")]
        settings.assistant.persona = "Ada"
        await engine.preferences.apply(settings)
        assert not engine.seen.of(Notice)
        await engine.change(speech__voice="am_michael")
        assert "“Ada” speaks with a voice of its own" in engine.seen.of(Notice)[-1].text

    async def test_folders_are_there_to_open(self, engine: RunningEngine, home: Path) -> None:
        assert engine.preferences.models_folder() == str(home / "models")
        assert engine.preferences.logs_folder() == str(home / "logs")


async def test_without_a_network_and_a_model_the_program_says_so_and_runs(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings()
    model_use.builtin_profile(settings).model = "no-such-model"
    engine = RunningEngine(settings)
    await engine.start()
    assert "no-such-model" in engine.seen.of(ModelProgress)[-1].error
    assert not engine.readiness.llm
    assert settings.profile == BUILT_IN
    assert not engine.seen.of(ToolCall)
    await engine.close()
