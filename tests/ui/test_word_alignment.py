"""The word that is heard is found in the text that is shown, whatever the voice leaves out."""

from __future__ import annotations

from s2s_desktop.ui.word_alignment import LOOK_AHEAD, WordAligner, words_of


def follow(shown: str, heard: str) -> str:
    """Hear a text word by word and return the shown word that is marked at the end."""
    aligner, words = WordAligner(), words_of(shown)
    aligner.show([word.key for word in words])
    said = heard.split(" ")
    for count in range(1, len(said) + 1):
        aligner.hear(" ".join(said[:count]))
    at = aligner.position
    return shown[words[at].start : words[at].start + words[at].length] if at >= 0 else ""


def test_each_word_is_found_as_it_is_heard() -> None:
    aligner = WordAligner()
    aligner.show([word.key for word in words_of("It is mild, and it is sunny.")])
    heard, positions = "", []
    for word in ["It", "is", "mild,", "and", "it", "is", "sunny."]:
        heard += word + " "
        positions.append(aligner.hear(heard))
    assert positions == list(range(7))


def test_code_and_links_that_are_not_spoken_are_jumped_over() -> None:
    shown = "Try this: pip install requests https://example.org/a/b then run it again."
    assert follow(shown, "Try this: then run it") == "it"
    assert follow(shown, "Try this: then run") == "run"


def test_a_jump_waits_for_a_second_word_that_agrees() -> None:
    shown = "Use the table: one two three four. Now the end."
    assert follow(shown, "Use the table: Now") == "table"
    assert follow(shown, "Use the table: Now the") == "the"


def test_words_that_are_spoken_otherwise_do_not_stop_it() -> None:
    assert follow(
        "It costs $5 and weighs 3 kg today.", "It costs five dollars and weighs three kilograms today."
    ) == ("today")


def test_a_common_word_far_ahead_does_not_pull_it_away() -> None:
    shown = "Yes. " + "filler " * 30 + "and so on. The end."
    assert follow(shown, "Yes. Then and") == "Yes"


def test_it_finds_back_after_nonsense() -> None:
    shown = "Alpha beta gamma delta epsilon zeta eta theta."
    assert follow(shown, "Alpha beta xxx yyy zzz epsilon zeta") == "zeta"


def test_text_without_spaces_is_followed_by_character() -> None:
    assert follow("今日は天気です。", "今日は") == "は"


def test_case_and_apostrophes_do_not_matter() -> None:
    assert follow("DON’T worry", "don't") == "DON’T"


def test_places_are_counted_as_qt_counts() -> None:
    text = "a 🎉🎉 word"
    found = words_of(text)[-1]
    units = text.encode("utf-16-le")
    assert units[2 * found.start : 2 * (found.start + found.length)].decode("utf-16-le") == "word"


def test_it_follows_a_text_that_grows() -> None:
    aligner = WordAligner()
    aligner.show(["one", "two"])
    assert aligner.hear("one two three") == 1
    aligner.show(["one", "two", "three", "four"])
    assert aligner.hear("one two three four") == 3


def test_it_begins_again_when_the_text_before_changed() -> None:
    aligner = WordAligner()
    aligner.show(["see", "http", "example", "org", "now"])
    aligner.hear("see now")
    aligner.show(["see", "this", "now", "please"])
    assert aligner.hear("see now please") == 3


def test_another_voice_begins_at_the_beginning() -> None:
    aligner = WordAligner()
    aligner.show(["a", "b", "c"])
    aligner.hear("a b c")
    assert aligner.hear("a") == 0


def test_what_is_too_far_away_is_not_looked_for() -> None:
    shown = "begin " + "x " * (LOOK_AHEAD + 5) + "end of it"
    assert follow(shown, "begin end of it") == "begin"


def test_a_word_that_was_heard_before_it_was_shown_is_found_when_it_is() -> None:
    aligner = WordAligner()
    aligner.show(["one", "two"])
    assert aligner.hear("one two three four five six") == 1
    aligner.show(["one", "two", "three", "four", "five", "six"])
    assert aligner.hear("one two three four five six") == 5
