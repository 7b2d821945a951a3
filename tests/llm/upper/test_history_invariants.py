"""Whatever a conversation does, a request stays one that every server takes."""

from __future__ import annotations

import itertools

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.history.serialize import chat_messages
from s2s_desktop.llm.items import AssistantText, Item, ToolOutput, UserMessage

CHAT_SIZE = 4
WORDS = st.text(alphabet="ab .*é", max_size=12)
CALL_IDS = st.sampled_from(["call_1", "call_2", "call_3"])


class Conversation(RuleBasedStateMachine):
    """Drives a history the way a session, a network and a user can."""

    def __init__(self) -> None:
        super().__init__()
        self.history = History(chat_size=CHAT_SIZE)

    @rule(said=WORDS.filter(lambda text: bool(text.strip())))
    def speak(self, said: str) -> None:
        self.history.begin_turn(UserMessage.of(said))

    @rule(text=WORDS)
    def text_arrives(self, text: str) -> None:
        self.history.add_assistant(text)

    @rule(call_id=CALL_IDS)
    def call_arrives(self, call_id: str) -> None:
        self.history.add_tool_call(ToolCall(call_id, "clock", "{}"))

    @rule(call_id=CALL_IDS)
    def output_arrives(self, call_id: str) -> None:
        self.history.add_tool_output(call_id, "noon")

    @rule()
    def reply_ends(self) -> None:
        self.history.commit()

    @rule(heard=WORDS)
    def interrupt(self, heard: str) -> None:
        self.history.interrupt(heard)

    @rule()
    def fail(self) -> None:
        self.history.fail()

    @precondition(lambda self: len(self.history) > 2)
    @rule()
    def save_and_load(self) -> None:
        self.history.load(self.history.items(""))

    @invariant()
    def every_call_has_its_output_right_behind_the_calls(self) -> None:
        items = self.history.items("prompt")
        position = 0
        while position < len(items):
            calls = _run(items, position, ToolCall)
            outputs = _run(items, position + len(calls), ToolOutput)
            assert [call.call_id for call in calls] == [output.call_id for output in outputs]
            position += len(calls) + len(outputs) or 1

    @invariant()
    def no_two_neighbors_have_the_same_role(self) -> None:
        roles = [message["role"] for message in chat_messages(self.history.items("prompt"))]
        assert all(a != b or a == "tool" for a, b in itertools.pairwise(roles)), roles

    @invariant()
    def a_user_never_speaks_right_behind_a_tool(self) -> None:
        roles = [message["role"] for message in chat_messages(self.history.items("prompt"))]
        assert ("tool", "user") not in set(itertools.pairwise(roles)), roles

    @invariant()
    def the_window_is_bounded(self) -> None:
        users = [item for item in self.history.items("") if isinstance(item, UserMessage)]
        assert len(users) <= CHAT_SIZE + 1
        assert len(self.history) <= CHAT_SIZE

    @invariant()
    def no_message_is_empty(self) -> None:
        for item in self.history.items("prompt"):
            assert not isinstance(item, AssistantText) or item.text.strip()
            assert not isinstance(item, UserMessage) or item.parts


def _run(items: list[Item], start: int, kind: type[Item]) -> list[Item]:
    end = start
    while end < len(items) and isinstance(items[end], kind):
        end += 1
    return items[start:end]


TestConversation = Conversation.TestCase
TestConversation.settings = settings(
    max_examples=150, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
