"""Turns that the user takes back leave the file, and what a conversation belongs to is kept in it."""

from __future__ import annotations

import numpy as np

from conversation.store.kit import Shelf, integrity, whole
from s2s_desktop.conversation.store.records import Role, TitleSource
from s2s_desktop.llm.items import UserMessage

NINE = [(f"q{number}", f"a{number}") for number in range(1, 10)]


def numbers(shelf: Shelf, name: str = "c") -> list[int]:
    return [turn.number for turn in shelf.library.turns(name)]


class TestRemoving:
    def test_one_and_all_that_follow(self, shelf: Shelf) -> None:
        shelf.library.add(whole("c", *NINE))
        assert shelf.library.remove_turns("c", 3, 3) == (3,)
        assert numbers(shelf) == [1, 2, 4, 5, 6, 7, 8, 9]
        assert shelf.library.remove_turns("c", 6) == (6, 7, 8, 9)
        assert numbers(shelf) == [1, 2, 4, 5]
        assert shelf.library.remove_turns("c", 3, 3) == ()
        assert integrity(shelf.path) == "ok"

    def test_they_are_found_no_longer_and_leave_no_trace(self, shelf: Shelf) -> None:
        shelf.library.add(whole("c", ("keep this", "yes"), ("remember xyzzy", "the word is plugh")))
        shelf.library.remove_turns("c", 2, 2)
        assert shelf.library.search("xyzzy") == []
        shelf.library.forget_removed()
        assert b"xyzzy" not in shelf.bytes_on_disk()
        assert b"plugh" not in shelf.bytes_on_disk()
        assert len(shelf.library.search("keep")) == 1

    def test_their_recordings_go(self, shelf: Shelf) -> None:
        shelf.library.add(whole("c", *NINE))
        for turn in (1, 2):
            shelf.sounds.save("c", turn, Role.USER, np.ones(100, np.float32), 16_000)
        shelf.library.remove_turns("c", 2, 2)
        assert [sound.turn for sound in shelf.library.recordings("c")] == [1]

    def test_a_summary_that_stands_for_one_goes_and_a_later_one_can_be_made(self, shelf: Shelf) -> None:
        shelf.library.add(whole("c", *NINE))
        assert shelf.library.compact("c", "first", "first", keep=6) is not None
        assert shelf.library.compact("c", "second", "second", keep=3) is not None
        shelf.library.remove_turns("c", 5, 5)
        assert [made.user_summary for made in shelf.library.compactions("c")] == ["first"]
        made = shelf.library.compact("c", "third", "third", keep=2)
        assert made is not None
        assert made.through_turn == 7
        shelf.library.remove_turns("c", 1, 1)
        assert shelf.library.compactions("c") == ()
        assert shelf.library.items("c")[0] == UserMessage.of("q2")

    def test_the_title_is_that_of_what_is_left(self, shelf: Shelf) -> None:
        shelf.library.add(whole("c", ("My secret", "Hm."), ("The weather", "Fine."), title="My secret"))
        shelf.library.remove_turns("c", 2, 2)
        assert shelf.library.conversation("c").title == "My secret"
        shelf.library.remove_turns("c", 1, 1)
        assert shelf.library.conversation("c").title == ""

    def test_a_title_that_the_user_chose_stays(self, shelf: Shelf) -> None:
        shelf.library.add(whole("c", ("My secret", "Hm.")))
        shelf.library.rename("c", "Mine")
        shelf.library.remove_turns("c", 1)
        found = shelf.library.conversation("c")
        assert (found.title, found.title_source) == ("Mine", TitleSource.USER)

    def test_one_that_is_being_written_does_not_come_back(self, shelf: Shelf) -> None:
        shelf.say(1, "Say one.", "One.")
        shelf.recorder.forget_turns([1])
        assert shelf.recorder.flush()
        shelf.library.remove_turns(shelf.recorder.conversation_id, 1, 1)
        shelf.say(2, "Say two.", "Two.")
        assert [turn.user_text for turn in shelf.turns()] == ["Say two."]
        assert shelf.library.conversation(shelf.recorder.conversation_id).title == "Say two."


class TestNumbers:
    def test_turns_have_the_numbers_of_the_session(self, shelf: Shelf) -> None:
        shelf.say(1, "a", "a")
        shelf.say(4, "d", "d")
        assert [turn.number for turn in shelf.turns()] == [1, 4]
        assert shelf.library.last_number(shelf.recorder.conversation_id) == 4

    def test_a_number_that_is_taken_gives_the_next(self, shelf: Shelf) -> None:
        shelf.library.add(whole("c", *NINE))
        shelf.recorder.resume("c")
        shelf.say(3, "Who?", "Me.")
        assert numbers(shelf)[-1] == 10
        first_id = shelf.recorder.turn_id(3)
        assert shelf.library.remove_turns("c", 3, 3, first_id=first_id) == (10,)


class TestBelonging:
    def test_a_new_conversation_has_them_from_its_first_turn(self, shelf: Shelf) -> None:
        shelf.recorder.new_conversation("Ada", "Groq")
        shelf.recorder.use_profile("Local")
        shelf.say(1, "a", "a")
        found = shelf.library.conversation(shelf.recorder.conversation_id)
        assert (found.profile, found.persona) == ("Groq", "Ada")
        assert shelf.turns()[0].profile == "Local"

    def test_a_change_holds_although_an_older_turn_is_still_written(self, shelf: Shelf) -> None:
        shelf.say(1, "a", "a")
        conversation = shelf.recorder.conversation_id
        assert shelf.library.belong(conversation, "Groq", "Ada")
        assert not shelf.library.belong(conversation, "Groq", "Ada")
        shelf.recorder.belong("Groq", "Ada")
        shelf.recorder.use_profile("Local")
        shelf.say(2, "b", "b")
        found = shelf.library.conversation(conversation)
        assert (found.profile, found.persona) == ("Groq", "Ada")

    def test_resuming_without_saying_so_changes_nothing(self, shelf: Shelf) -> None:
        shelf.recorder.new_conversation("Ada", "Groq")
        shelf.say(1, "a", "a")
        conversation = shelf.recorder.conversation_id
        shelf.recorder.resume(conversation)
        shelf.say(2, "b", "b")
        assert shelf.library.conversation(conversation).persona == "Ada"
