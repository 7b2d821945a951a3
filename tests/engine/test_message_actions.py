"""Taking turns back: the model forgets them, the file loses them, the window hears of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from conversation.parts import answer
from s2s_desktop.conversation.events import (
    ConversationOpened,
    Notice,
    SummaryChanged,
    ToolCall,
    TurnId,
    TurnRemoved,
    TypedMessage,
)
from s2s_desktop.engine.message_actions import MessageActions
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.events import AssistantMessage, FinishReason, ReplyFinished
from s2s_desktop.llm.history.serialize import AUDIO_PLACEHOLDER
from s2s_desktop.llm.items import AssistantText, Item, TextPart, ToolOutput, UserMessage
from s2s_desktop.llm.tools.runner import ToolRunner, built_in_tools
from s2s_desktop.settings.schema import Settings
from saved_conversations_kit import SavingSession, bytes_below, long_conversation, whole

PARIS = whole("paris", ("Where is Paris?", "In France."), ("How big is it?", "Two million people."))


class Actions(SavingSession):
    """A session whose turns can be taken back."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.actions = MessageActions(self.session, self.history, self.saved)
        self.session.add_observer(self.actions)

    @property
    def removed(self) -> list[int]:
        return [event.turn for event in self.seen.of(TurnRemoved)]

    async def texts(self) -> list[tuple[int, str, str]]:
        """What is saved of the conversation in use: number, question, answer."""
        await self.flush()
        turns = await self.saved.earlier(self.saved.conversation_id, before=10_000, limit=1000)
        return [(turn.number, turn.user_text, turn.reply_text) for turn in turns]


def said(items: list[Item]) -> list[str]:
    """The texts of a request, in order."""
    texts = []
    for item in items:
        if isinstance(item, UserMessage):
            texts.append(" ".join(part.text for part in item.parts if isinstance(part, TextPart)))
        elif isinstance(item, AssistantText):
            texts.append(item.text)
    return texts


@pytest.fixture
async def session() -> AsyncIterator[Actions]:
    session = Actions()
    yield session
    await session.close()


class TestRegenerate:
    async def test_the_last_question_is_asked_anew_without_the_answer_before(self, session: Actions) -> None:
        backend = session.answers(answer("One."), answer("Two, poorly."), answer("Two."))
        await session.session.converse("Count to one.")
        await session.session.converse("And to two?")
        await session.actions.regenerate()
        await session.session.settled()
        assert said(backend.requests[2]) == ["Count to one.", "One.", "And to two?"]
        assert session.removed == [2]
        assert await session.texts() == [(1, "Count to one.", "One."), (3, "And to two?", "Two.")]

    async def test_a_running_reply_ends_first(self, session: Actions) -> None:
        backend = session.answers(answer("Endless", pause_before_end=True), answer("Short."))
        session.session.send_text("Tell me.")
        await backend.waiting.wait()
        await session.actions.regenerate()
        await session.session.settled()
        assert said(backend.requests[1]) == ["Tell me."]
        assert await session.texts() == [(2, "Tell me.", "Short.")]

    async def test_a_failed_turn_is_asked_again(self, session: Actions) -> None:
        failure = ReplyFinished(FinishReason.ERROR, AssistantError(ErrorKind.SERVER, "Broken."))
        backend = session.answers([failure], answer("Here."))
        await session.session.converse("Hello?")
        await session.actions.regenerate()
        await session.session.settled()
        assert said(backend.requests[1]) == ["Hello?"]
        assert await session.texts() == [(2, "Hello?", "Here.")]

    async def test_in_a_conversation_that_was_opened_the_saved_answer_goes(self, session: Actions) -> None:
        await session.add(PARIS)
        backend = session.answers(answer("Eleven million with its suburbs."))
        await session.saved.open("paris")
        await session.actions.regenerate()
        await session.session.settled()
        assert said(backend.requests[0]) == ["Where is Paris?", "In France.", "How big is it?"]
        assert session.removed == [2]
        assert await session.texts() == [
            (1, "Where is Paris?", "In France."),
            (3, "How big is it?", "Eleven million with its suburbs."),
        ]

    @pytest.mark.parametrize(
        ("before", "words"), [(None, "no message"), (AUDIO_PLACEHOLDER, "your voice itself")]
    )
    async def test_where_nothing_can_be_asked_again_that_is_said(
        self, session: Actions, before: str | None, words: str
    ) -> None:
        if before is not None:
            session.actions(TurnId(1), TypedMessage(before))
        await session.actions.regenerate()
        assert words in session.seen.of(Notice)[0].text
        assert session.removed == []


class TestEditAndResend:
    async def test_the_turn_and_all_that_followed_make_way(self, session: Actions) -> None:
        backend = session.answers(answer("One."), answer("Two."), answer("Three."), answer("Zwei."))
        for text in ("Say one.", "Say two.", "Say three."):
            await session.session.converse(text)
        await session.actions.edit_and_resend(2, "Say two in German.")
        await session.session.settled()
        assert said(backend.requests[3]) == ["Say one.", "One.", "Say two in German."]
        assert session.removed == [3, 2]
        assert await session.texts() == [(1, "Say one.", "One."), (4, "Say two in German.", "Zwei.")]

    async def test_far_back_in_a_long_conversation(self, session: Actions) -> None:
        await session.add(long_conversation("long", 120))
        backend = session.answers(answer("Yes."))
        await session.saved.open("long")
        await session.actions.edit_and_resend(10, "Something else?")
        await session.session.settled()
        assert session.removed == [*range(120, 70, -1), 10, *range(70, 10, -1)]
        assert (await session.texts())[-2:] == [
            (9, "Question 9", "Answer 9"), (121, "Something else?", "Yes.")
        ]  # fmt: skip
        assert said(backend.requests[0])[-3:] == ["Question 9", "Answer 9", "Something else?"]

    async def test_nothing_happens_without_a_text(self, session: Actions) -> None:
        session.answers(answer("One."))
        await session.session.converse("Say one.")
        await session.actions.edit_and_resend(1, "  ")
        assert session.removed == []

    async def test_the_title_follows_the_new_words(self, session: Actions) -> None:
        session.answers(answer("No."), answer("Yes."))
        await session.session.converse("My secret plan")
        await session.actions.edit_and_resend(1, "A harmless plan")
        await session.session.settled()
        await session.flush()
        assert await session.titles() == ["A harmless plan"]


class TestDelete:
    async def test_it_is_gone_from_memory_and_file(self, session: Actions) -> None:
        backend = session.answers(answer("One."), answer("Two."), answer("Three."))
        await session.session.converse("Say one.")
        await session.session.converse("Say two.")
        await session.actions.delete_turn(1)
        await session.session.converse("Say three.")
        assert said(backend.requests[2]) == ["Say two.", "Two.", "Say three."]
        assert session.removed == [1]
        assert [number for number, _, _ in await session.texts()] == [2, 3]
        assert await session.saved.search("one") == []

    async def test_no_byte_of_it_stays(self, home: object, session: Actions) -> None:
        session.answers(answer("The word is plugh."), answer("Fine."))
        await session.session.converse("Remember xyzzy.")
        await session.session.converse("All right?")
        await session.flush()
        await session.actions.delete_turn(1)
        await session.close()
        content = bytes_below(home)  # type: ignore[arg-type]
        assert b"xyzzy" not in content
        assert b"plugh" not in content
        assert b"All right?" in content

    async def test_a_turn_with_tools_leaves_no_call_behind(self, session: Actions) -> None:
        session.stages.tools = ToolRunner(built_in_tools())
        call = ToolCall("call_1", "calculate", '{"expression": "2+2"}')
        backend = session.answers(
            [call, ReplyFinished(FinishReason.TOOL_CALLS)],
            [AssistantMessage("Four."), ReplyFinished(FinishReason.STOP)],
            answer("Hello."),
        )
        await session.session.converse("What is two and two?")
        await session.actions.delete_turn(1)
        await session.session.converse("Hi.")
        assert said(backend.requests[2]) == ["Hi."]
        assert not [item for item in backend.requests[2] if isinstance(item, ToolCall | ToolOutput)]

    async def test_a_summary_that_stands_for_it_goes_and_the_turns_come_back(self, session: Actions) -> None:
        await session.add(long_conversation("long", 6))
        await session.saved.open("long")
        await session.saved.summarized("asked five things", "answered five things", keep=1)
        await session.saved.open("long")
        backend = session.answers(answer("Yes."))
        await session.actions.delete_turn(3)
        await session.session.converse("And now?")
        assert said(backend.requests[0]) == [
            *(f"{what} {number}" for number in (1, 2, 4, 5, 6) for what in ("Question", "Answer")),
            "And now?",
        ]
        assert session.seen.of(SummaryChanged)[-1].summary is None

    async def test_a_summary_of_older_turns_stays(self, session: Actions) -> None:
        await session.add(long_conversation("long", 6))
        await session.saved.open("long")
        await session.saved.summarized("asked five things", "answered five things", keep=1)
        await session.saved.open("long")
        backend = session.answers(answer("Yes."))
        await session.actions.delete_turn(6)
        await session.session.converse("And now?")
        assert said(backend.requests[0])[0] == "Earlier I said: asked five things"

    async def test_without_saving_it_is_forgotten_too(self) -> None:
        settings = Settings()
        settings.history.keep = False
        session = Actions(settings)
        backend = session.answers(answer("One."), answer("Two."))
        await session.session.converse("Say one.")
        await session.actions.delete_turn(1)
        await session.session.converse("Say two.")
        assert said(backend.requests[1]) == ["Say two."]
        assert session.removed == [1]
        await session.close()

    async def test_one_that_is_not_there_is_said(self, session: Actions) -> None:
        await session.actions.delete_turn(7)
        assert "no longer there" in session.seen.of(Notice)[0].text
        assert session.removed == []


class TestNumbers:
    async def test_new_turns_follow_the_saved_ones(self, session: Actions) -> None:
        await session.add(PARIS)
        session.answers(answer("Yes."))
        await session.saved.open("paris")
        await session.session.converse("Is it old?")
        turns = [
            turn.number for turn, event in session.seen.events if turn and isinstance(event, TypedMessage)
        ]
        assert turns == [3]
        assert [number for number, _, _ in await session.texts()] == [1, 2, 3]

    async def test_a_new_conversation_counts_from_one(self, session: Actions) -> None:
        session.answers(answer("Yes."), answer("No."))
        await session.session.converse("Old?")
        await session.saved.new()
        await session.session.converse("New?")
        assert await session.texts() == [(1, "New?", "No.")]

    async def test_a_reply_that_was_cut_off_stays_in_its_own_conversation(self, session: Actions) -> None:
        backend = session.answers(answer("Long ago", pause_before_end=True), answer("Yes."))
        session.session.send_text("Tell me a story.")
        await backend.waiting.wait()
        old = session.saved.conversation_id
        await session.saved.new()
        await session.session.converse("New?")
        assert await session.texts() == [(1, "New?", "Yes.")]
        (cut,) = await session.saved.earlier(old, before=100, limit=10)
        assert (cut.user_text, cut.interrupted, cut.finished) == ("Tell me a story.", True, True)

    async def test_what_another_window_wrote_meanwhile_is_not_mistaken_for_our_turn(
        self, session: Actions
    ) -> None:
        """It took our number in the file, where our turn has the next one."""
        session.answers(answer("Ours."), answer("Ours too."))
        await session.session.converse("We ask.")
        await session.flush()
        other = Actions()
        other.answers(answer("Theirs."))
        await other.saved.open(session.saved.conversation_id)
        await other.session.converse("They ask.")
        await other.flush()
        await session.session.converse("We ask again.")
        assert [text for _, text, _ in await session.texts()] == ["We ask.", "They ask.", "We ask again."]
        await session.actions.delete_turn(2)
        assert [text for _, text, _ in await session.texts()] == ["We ask.", "They ask."]
        await other.close()


async def test_opening_another_conversation_forgets_the_turns_of_the_one_before(session: Actions) -> None:
    session.answers(answer("One."))
    await session.session.converse("Say one.")
    session.session.publish(ConversationOpened(None))
    await session.actions.regenerate()
    assert session.removed == []
