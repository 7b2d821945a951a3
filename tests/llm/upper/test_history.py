"""History: what is kept, what is dropped, and what a request holds whatever happened before."""

from __future__ import annotations

import pytest

from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.history.turns import CANCELLED, IMAGE_PLACEHOLDER, Step, Turn
from s2s_desktop.llm.items import (
    AssistantText,
    AudioPart,
    ImagePart,
    Item,
    SystemMessage,
    TextPart,
    ToolOutput,
    UserMessage,
)


def exchange(history: History, said: str, answer: str) -> None:
    history.begin_turn(UserMessage.of(said))
    history.add_assistant(answer)
    history.commit()


def user_texts(history: History) -> list[str]:
    messages = [item for item in history.items("") if isinstance(item, UserMessage)]
    return [part.text for message in messages for part in message.parts if isinstance(part, TextPart)]


def test_a_request_holds_prompt_earlier_turns_and_the_open_one() -> None:
    history = History()
    exchange(history, "Hello", "Hi!")
    history.begin_turn(UserMessage.of("And now?"))

    assert history.items("Be kind.") == [
        SystemMessage("Be kind."),
        UserMessage.of("Hello"),
        AssistantText("Hi!"),
        UserMessage.of("And now?"),
    ]


def test_what_a_question_would_send_is_seen_without_asking_it() -> None:
    history = History()
    exchange(history, "Hello", "Hi!")
    before = history.items("Be kind.")

    asked = history.items("Be kind.", question=UserMessage.of("And now?"))

    assert asked == [*before, UserMessage.of("And now?")]
    assert history.items("Be kind.") == before


@pytest.mark.parametrize("prompt", ["", "  \n"])
def test_an_empty_prompt_is_not_sent(prompt: str) -> None:
    assert History().items(prompt) == []


class TestWindow:
    @pytest.mark.parametrize(("chat_size", "kept"), [(0, []), (1, ["4"]), (3, ["2", "3", "4"])])
    def test_size_counts_turns_of_the_user_before_the_current_one(
        self, chat_size: int, kept: list[str]
    ) -> None:
        history = History(chat_size=chat_size)
        for number in range(5):
            exchange(history, str(number), "yes")
        history.begin_turn(UserMessage.of("now"))

        assert user_texts(history) == [*kept, "now"]

    def test_a_large_window_drops_several_turns_at_once_so_that_the_prefix_stays_cached(self) -> None:
        history = History(chat_size=20)
        prefixes = set()
        lengths = []
        for number in range(100):
            exchange(history, str(number), "yes")
            prefixes.add(user_texts(history)[0])
            lengths.append(len(history))

        assert max(lengths) == 20
        assert min(lengths[20:]) == 15
        assert len(prefixes) <= 1 + 80 / 5

    def test_items_of_closed_turns_are_only_appended_to(self) -> None:
        history = History(chat_size=10)
        before: list[Item] = []
        for number in range(10):
            history.begin_turn(UserMessage.of(str(number)))
            request = history.items("prompt")
            assert request[: len(before)] == before
            before = request
            history.add_assistant("yes")
            history.commit()

    def test_after_a_thousand_turns_a_request_is_no_longer_than_after_thirty(self) -> None:
        history = History(chat_size=30)
        for number in range(30):
            exchange(history, str(number), "yes")
        full = len(history.items(""))
        for number in range(970):
            exchange(history, str(number), "yes")

        assert len(history.items("")) <= full

    def test_a_compacted_history_holds_up_to_twice_its_size(self) -> None:
        history = History(chat_size=4, compacts=True)
        for number in range(8):
            exchange(history, str(number), "yes")
        assert len(history) == 8

        exchange(history, "8", "yes")

        assert user_texts(history) == ["5", "6", "7", "8"]


class TestFailure:
    def test_a_failed_turn_leaves_no_trace_and_gives_its_message_back(self) -> None:
        history = History()
        exchange(history, "Hello", "Hi!")
        before = history.items("")
        history.begin_turn(UserMessage.of("What is the time?"))
        history.add_assistant("It is")

        message = history.fail()

        assert message == UserMessage.of("What is the time?")
        assert history.items("") == before

    def test_a_turn_without_a_reply_leaves_no_trace(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Hm?"))
        history.add_assistant("  \n")
        history.commit()

        assert history.items("") == []

    @pytest.mark.parametrize("message", [UserMessage(()), UserMessage.of(""), UserMessage.of(" \n")])
    def test_a_message_that_says_nothing_is_refused(self, message: UserMessage) -> None:
        with pytest.raises(ValueError, match="something"):
            History().begin_turn(message)

    def test_without_an_open_turn_late_parts_are_ignored(self) -> None:
        history = History()
        history.add_assistant("late")
        history.add_tool_call(ToolCall("call_1", "clock", "{}"))
        history.add_tool_output("call_1", "noon")
        history.commit()
        history.interrupt("late")

        assert history.fail() is None
        assert history.items("") == []


class TestInterruption:
    def test_what_was_heard_stays_and_is_marked(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Count to five"))
        history.add_assistant("One, two, three, four, five.")
        history.interrupt("One, two,")

        assert history.items("") == [
            UserMessage.of("Count to five"),
            AssistantText("One, two,", interrupted=True),
        ]

    def test_what_was_heard_of_text_that_was_still_arriving_stays(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Count to five"))
        history.interrupt("One, two,")

        assert history.items("")[-1] == AssistantText("One, two,", interrupted=True)

    def test_when_nothing_was_heard_the_next_message_joins_the_interrupted_one(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("What is the weather"))
        history.add_assistant("The weather")
        history.interrupt("")
        history.begin_turn(UserMessage.of("in Paris?"))

        assert history.items("") == [UserMessage((TextPart("What is the weather"), TextPart("in Paris?")))]

    def test_beginning_a_turn_interrupts_the_open_one(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("What is the weather"))
        history.add_assistant("The weather")
        history.begin_turn(UserMessage.of("in Paris?"))

        assert AssistantText("The weather") not in history.items("")
        assert user_texts(history) == ["What is the weather", "in Paris?"]

    def test_a_tool_call_without_output_is_cancelled_and_the_reply_ends_in_text(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("What time is it?"))
        history.add_assistant("Let me look.")
        history.add_tool_call(ToolCall("call_1", "clock", "{}"))
        history.interrupt("Let me look.")

        assert history.items("") == [
            UserMessage.of("What time is it?"),
            AssistantText("Let me look.", interrupted=True),
            ToolCall("call_1", "clock", "{}"),
            ToolOutput("call_1", CANCELLED),
            AssistantText("…", interrupted=True),
        ]

    def test_heard_text_is_shared_out_over_the_steps_of_a_reply(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("What time is it?"))
        history.add_assistant("*Let me* look.")
        history.add_tool_call(ToolCall("call_1", "clock", "{}"))
        history.add_tool_output("call_1", "noon")
        history.add_assistant("It is **noon**, and the sun is high.")
        history.interrupt("Let me look. It is noon,")

        assert [item for item in history.items("") if isinstance(item, AssistantText)] == [
            AssistantText("Let me look."),
            AssistantText("It is noon,", interrupted=True),
        ]

    def test_a_reply_of_tools_alone_that_nobody_heard_keeps_what_the_tools_did(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Set a timer"))
        history.add_tool_call(ToolCall("call_1", "timer", "{}"))
        history.add_tool_output("call_1", "set")
        history.interrupt("")

        assert history.items("")[1:] == [
            ToolCall("call_1", "timer", "{}"),
            ToolOutput("call_1", "set"),
            AssistantText("…", interrupted=True),
        ]

    def test_speech_that_goes_on_replaces_the_message_and_drops_the_reply(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Tell me"))
        history.add_assistant("What?")
        history.revise(UserMessage.of("Tell me a joke"))

        assert history.items("") == [UserMessage.of("Tell me a joke")]


class TestTools:
    def test_parallel_calls_stand_together_before_their_outputs_in_call_order(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Both?"))
        history.add_assistant("Looking.")
        history.add_tool_call(ToolCall("call_a", "clock", "{}"))
        history.add_tool_call(ToolCall("call_b", "clock", "{}"))
        history.add_tool_output("call_b", "2")
        history.add_tool_output("call_a", "1")

        assert history.items("")[1:] == [
            AssistantText("Looking."),
            ToolCall("call_a", "clock", "{}"),
            ToolCall("call_b", "clock", "{}"),
            ToolOutput("call_a", "1"),
            ToolOutput("call_b", "2"),
        ]

    def test_text_around_a_call_is_one_message_before_it(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Now?"))
        history.add_assistant("Looking.")
        history.add_tool_call(ToolCall("call_1", "clock", "{}"))
        history.add_assistant("One moment.")
        history.add_tool_output("call_1", "noon")

        assert history.items("")[1] == AssistantText("Looking. One moment.")
        assert isinstance(history.items("")[-1], ToolOutput)

    def test_text_that_arrives_after_a_quick_output_does_not_end_the_request(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Now?"))
        history.add_tool_call(ToolCall("call_1", "clock", "{}"))
        history.add_tool_output("call_1", "noon")
        history.add_assistant("One moment.")

        assert history.items("")[1:] == [
            AssistantText("One moment."),
            ToolCall("call_1", "clock", "{}"),
            ToolOutput("call_1", "noon"),
        ]

    def test_a_call_repeated_by_the_stream_is_one_call(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Now?"))
        for _ in range(2):
            history.add_tool_call(ToolCall("call_1", "clock", "{}"))
        history.add_tool_output("call_1", "noon")

        assert len(history.items("")) == 3

    def test_servers_that_number_calls_anew_in_every_reply_are_fine(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Now?"))
        for output in ("noon", "one"):
            history.add_tool_call(ToolCall("call_0", "clock", "{}"))
            history.add_tool_output("call_0", output)

        outputs = [item for item in history.items("") if isinstance(item, ToolOutput)]
        assert outputs == [ToolOutput("call_0", "noon"), ToolOutput("call_0", "one")]

    def test_a_turn_that_ends_in_tool_outputs_is_closed_with_text(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Set a timer"))
        history.add_assistant("Done.")
        history.add_tool_call(ToolCall("call_1", "timer", "{}"))
        history.add_tool_output("call_1", "set")
        history.commit()

        assert history.items("")[-1] == AssistantText("…")


class TestMedia:
    def test_an_image_is_sent_once(self) -> None:
        history = History()
        picture = UserMessage((TextPart("What is this?"), ImagePart("https://x/y.png")))
        history.begin_turn(picture)
        assert history.items("") == [picture]
        history.add_assistant("A cat.")
        history.commit()

        assert history.items("")[0] == UserMessage((TextPart("What is this?"), TextPart(IMAGE_PLACEHOLDER)))

    @pytest.mark.parametrize(("kept", "expected"), [(0, "pppa"), (1, "ppaa"), (2, "paaa")])
    def test_only_the_newest_turns_keep_their_audio(self, kept: int, expected: str) -> None:
        history = History(audio_history_turns=kept)
        for _ in range(3):
            history.begin_turn(UserMessage((AudioPart(b"wav"),)))
            history.add_assistant("I heard you.")
            history.commit()
        history.begin_turn(UserMessage((AudioPart(b"wav"),)))

        messages = [item for item in history.items("") if isinstance(item, UserMessage)]
        kinds = ["a" if message.parts == (AudioPart(b"wav"),) else "p" for message in messages]
        assert "".join(kinds) == expected
        assert all(
            message.parts == (TextPart("[User audio input]"),) for message in messages[: expected.count("p")]
        )


def test_priming_stands_behind_the_prompt_and_does_not_count() -> None:
    priming = (UserMessage.of("Hi"), AssistantText("Hello!"))
    history = History(chat_size=1, priming=priming)
    for number in range(3):
        exchange(history, str(number), "yes")

    assert history.items("prompt") == [
        SystemMessage("prompt"),
        *priming,
        UserMessage.of("2"),
        AssistantText("yes"),
    ]


def test_a_reminder_stands_behind_the_newest_words_and_is_not_kept() -> None:
    history = History()
    history.begin_turn(UserMessage.of("Hallo"))

    assert history.items("", reminder="Answer in German.") == [
        UserMessage((TextPart("Hallo"), TextPart("Answer in German.")))
    ]
    assert history.items("") == [UserMessage.of("Hallo")]


class TestLoading:
    def test_a_saved_conversation_goes_on(self) -> None:
        history = History()
        exchange(history, "Hello", "Hi!")
        history.begin_turn(UserMessage.of("What time is it?"))
        history.add_tool_call(ToolCall("call_1", "clock", "{}"))
        history.add_tool_output("call_1", "noon")
        history.add_assistant("It is")
        history.interrupt("It")
        saved = history.items("prompt")

        again = History()
        again.load(saved)

        assert again.items("prompt") == saved

    def test_what_was_broken_off_is_mended(self) -> None:
        history = History()
        history.load(
            [
                AssistantText("no question before it"),
                UserMessage.of("Now?"),
                ToolCall("call_1", "clock", "{}"),
                UserMessage.of("never answered"),
            ]
        )

        assert history.items("") == [
            UserMessage.of("Now?"),
            ToolCall("call_1", "clock", "{}"),
            ToolOutput("call_1", CANCELLED),
            AssistantText("…"),
        ]

    def test_a_long_conversation_is_cut_to_the_window(self) -> None:
        history = History(chat_size=2)
        items: list[Item] = []
        for number in range(1000):
            items += [UserMessage.of(str(number)), AssistantText("yes")]
        history.load(items)

        assert user_texts(history) == ["998", "999"]


class TestTakingBack:
    def history(self, **options: object) -> History:
        history = History(**options)  # type: ignore[arg-type]
        for number in (1, 2, 3):
            history.begin_turn(UserMessage.of(f"Question {number}"), number)
            history.add_assistant(f"Answer {number}")
            history.commit()
        return history

    def texts(self, history: History) -> list[str]:
        return [
            item.text if isinstance(item, AssistantText) else item.parts[0].text  # type: ignore[union-attr]
            for item in history.items("")
        ]

    def test_a_turn_is_forgotten_by_its_number(self) -> None:
        history = self.history()
        assert not history.remove([2, 99])
        assert self.texts(history) == ["Question 1", "Answer 1", "Question 3", "Answer 3"]
        assert history.question(2) is None
        assert history.question(3) == UserMessage.of("Question 3")

    def test_an_open_turn_too(self) -> None:
        history = self.history()
        history.begin_turn(UserMessage.of("Question 4"), 4)
        history.revise(UserMessage.of("Question 4, longer"))
        assert history.question(4) == UserMessage.of("Question 4, longer")
        history.remove([4])
        assert not history.is_open
        history.add_assistant("Too late")
        assert len(history) == 3

    def test_a_summary_goes_with_what_it_stands_for(self) -> None:
        history = self.history(compacts=True)
        history.replace(history.oldest(2), Turn(UserMessage.of("Earlier"), [Step("Much")]))
        assert not history.remove([3])
        assert self.texts(history) == ["Earlier", "Much"]
        assert history.remove([1])
        assert len(history) == 0

    def test_turns_without_a_number_stay(self) -> None:
        history = History()
        history.begin_turn(UserMessage.of("Who?"))
        history.add_assistant("Me.")
        history.commit()
        history.remove([0])
        assert len(history) == 1

    def test_loaded_turns_have_the_numbers_they_were_saved_with(self) -> None:
        history = History()
        items = [
            UserMessage.of("Earlier"), AssistantText("Much"),
            UserMessage.of("Seven"), AssistantText("7"), UserMessage.of("Eight"), AssistantText("8"),
        ]  # fmt: skip
        history.load(items, (6, 7, 8), summary_through=6)
        assert not history.remove([8])
        assert self.texts(history) == ["Earlier", "Much", "Seven", "7"]
        assert history.remove([3])
        assert self.texts(history) == ["Seven", "7"]
