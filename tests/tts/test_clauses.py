"""Where the reply is cut into pieces to synthesize."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from s2s_desktop.tts.clauses import FIRST_MAX, FIRST_MAX_WORDS, LATER_MAX, ClauseSplitter
from s2s_desktop.tts.speakable_text import SpeakableText


def split(text: str, cuts: list[int] | None = None) -> list[str]:
    splitter = ClauseSplitter()
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts or [])})
    pieces = [piece for a, b in itertools.pairwise(edges) for piece in splitter.feed(text[a:b])]
    return pieces + splitter.finish()


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Hello there. How are you?", ["Hello there.", "How are you?"]),
        ("Well, that depends. On you, for one.", ["Well, that depends.", "On you, for one."]),
        ("In the morning, we go. Then, we rest.", ["In the morning,", "we go. Then, we rest."]),
        (
            "Dr. Smith paid 3.14 dollars at example.com. My birthday is Jan 1, 1980. Thanks!",
            ["Dr. Smith paid 3.14 dollars at example.com.", "My birthday is Jan 1, 1980.", "Thanks!"],
        ),
        ("My birthday is Jan 1, 1980, I think.", ["My birthday is Jan 1, 1980,", "I think."]),
        ("J. R. R. Tolkien wrote it, e.g. in 1937.", ["J. R. R. Tolkien wrote it,", "e.g. in 1937."]),
        ('She said "Stop!" Then she left.', ['She said "Stop!"', "Then she left."]),
        ("Really?! Yes… maybe.", ["Really?!", "Yes… maybe."]),
        ("No. I do not think so.", ["No.", "I do not think so."]),
        ("No, you can't. You can't have it.", ["No, you can't.", "You can't have it."]),
        ("Then I'd. And it's. Done.", ["Then I'd.", "And it's. Done."]),
        ("So sagt 'J. Smith' es. Und wir?", ["So sagt 'J. Smith' es.", "Und wir?"]),
        ("See No. 5 of this long list. Then go.", ["See No. 5 of this long list.", "Then go."]),
        ("It opens at 5 p.m. Then it is full.", ["It opens at 5 p.m.", "Then it is full."]),
        ("It opens at 5 p.m. on Monday.", ["It opens at 5 p.m. on Monday."]),
        ("It was Inc. The end of all.", ["It was Inc.", "The end of all."]),
        ("We meet at 10:30 in the hall.", ["We meet at 10:30 in the hall."]),
        ("The old town hall - it is closed.", ["The old town hall -", "it is closed."]),
        ("Not the cotton itself—but the fantasy.", ["Not the cotton itself—", "but the fantasy."]),
        ("One line\nanother line", ["One line", "another line"]),
        ("Title\n\n\nText", ["Title", "Text"]),
        ("1. Boil the water. 2. Add the fresh tea.", ["1. Boil the water.", "2. Add the fresh tea."]),
        ("El Sr. García llegó, y la Sra. López.", ["El Sr. García llegó,", "y la Sra. López."]),
        ("今日は晴れです。散歩に行きましょう！はい", ["今日は晴れです。", "散歩に行きましょう！", "はい"]),
        ("你好，世界。「再见了，我的朋友。」他说。", ["你好，世界。", "「再见了，我的朋友。」", "他说。"]),
        ("नमस्ते दुनिया। आप कैसे हैं?", ["नमस्ते दुनिया।", "आप कैसे हैं?"]),
        ("هل أنت بخير؟ نعم، أنا بخير.", ["هل أنت بخير؟", "نعم، أنا بخير."]),
        (
            "Wir sehen uns am 3. Mai um 14:30 Uhr. Bis dann.",
            ["Wir sehen uns am 3. Mai um 14:30 Uhr.", "Bis dann."],
        ),
        ("Der 2. Weltkrieg endete 1945. Bis dann.", ["Der 2. Weltkrieg endete 1945.", "Bis dann."]),
        ("I am 25. You are 30.", ["I am 25.", "You are 30."]),
        ("Das ist z. B. Dr. Müller. Er kommt.", ["Das ist z. B. Dr. Müller.", "Er kommt."]),
        ("La Dra. López, p. ej., está bien.", ["La Dra. López, p. ej.,", "está bien."]),
        ("M. Dupont et Mme. Durand sont là. Bien.", ["M. Dupont et Mme. Durand sont là.", "Bien."]),
        ("Il Sig. Rossi e la Dott.ssa Bianchi. Ciao.", ["Il Sig. Rossi e la Dott.ssa Bianchi.", "Ciao."]),
        ("Il dit « Bonjour. » Puis il part.", ["Il dit « Bonjour. »", "Puis il part."]),
        ("डॉ. शर्मा आए। वे खुश हैं।", ["डॉ. शर्मा आए।", "वे खुश हैं।"]),
        ("မင်္ဂလာပါ။ နေကောင်းလား။", ["မင်္ဂလာပါ။", "နေကောင်းလား။"]),
        ("第一、今天下雨。第二，明天晴！", ["第一、今天下雨。", "第二，明天晴！"]),
        ("¿Qué tal? ¡Muy bien!", ["¿Qué tal?", "¡Muy bien!"]),
        ("It grew (Jan. 1, 2023) a lot. Then not.", ["It grew (Jan. 1, 2023) a lot.", "Then not."]),
        ("Er wohnt in der Hauptstr. 5. Ja.", ["Er wohnt in der Hauptstr. 5.", "Ja."]),
        (
            "Le train part de la voie trois et il arrive à midi : nous mangeons.",
            ["Le train part de la voie trois et il arrive à midi :", "nous mangeons."],
        ),
        ("  \n ", []),
        ("...", ["..."]),
    ],
)
def test_pieces(text: str, pieces: list[str]) -> None:
    assert [piece.strip() for piece in split(text)] == pieces


def test_the_end_of_a_line_stays_with_its_piece_so_that_the_voice_pauses() -> None:
    assert split("Title\nText") == ["Title\n", "Text"]


@pytest.mark.parametrize("text", ["Well, ", "Ah, ", "1, "])
def test_a_first_piece_is_not_chopped(text: str) -> None:
    assert ClauseSplitter().feed(text) == []


def test_an_unambiguous_end_is_known_with_the_space_behind_it() -> None:
    assert ClauseSplitter().feed("Of course! ") == ["Of course! "]


def test_short_later_sentences_are_spoken_together() -> None:
    pieces = split("Here is the answer. Yes. No. Maybe. It depends on the weather of that day.")
    assert pieces[1] == "Yes. No. Maybe. It depends on the weather of that day."


def test_a_long_sentence_behind_a_short_piece_ends_at_a_clause() -> None:
    pieces = split(
        "Sure! The museum in the old town opens at nine in the morning, and it closes at six in the evening, "
        "except on Mondays."
    )
    assert pieces == [
        "Sure! ",
        "The museum in the old town opens at nine in the morning, ",
        "and it closes at six in the evening, except on Mondays.",
    ]


@pytest.mark.parametrize("word", ["and then ", "internationalization "])
def test_a_text_without_any_mark_is_cut_between_words(word: str) -> None:
    text = word * 60
    pieces = split(text)
    assert len(pieces[0].split()) <= FIRST_MAX_WORDS
    assert sum(sign.isalpha() for sign in pieces[0]) <= FIRST_MAX + len(word)
    assert all(sum(sign.isalpha() for sign in piece) <= LATER_MAX + len(word) for piece in pieces)
    assert "".join(pieces) == text


def test_a_number_is_not_cut_from_its_unit() -> None:
    pieces = split("These are words without any mark and they go on for 5 km and then they do go on and on")
    assert any("5 km" in piece for piece in pieces)
    assert len(pieces) > 1


def test_a_combining_mark_stays_with_its_letter() -> None:
    pieces = split("か\u3099" * 200)
    assert len(pieces) > 1
    assert not [piece for piece in pieces if piece.startswith("\u3099")]


def test_a_text_without_spaces_is_cut_between_its_characters() -> None:
    pieces = split("漢字" * 200)
    assert 40 <= max(map(len, pieces)) <= 100
    assert "".join(pieces) == "漢字" * 200


@given(
    text=st.text(alphabet='abIm .,!?\n1。，"」«»éNo—か\u3099', max_size=120),
    cuts=st.lists(st.integers(0, 500), max_size=20),
)
@example("aaaa aaaa aaaa, 1 b. No. 2", [3, 9])
def test_the_pieces_do_not_depend_on_the_chunks_and_lose_nothing(text: str, cuts: list[int]) -> None:
    pieces = split(text, cuts)
    assert pieces == split(text)
    joined = "".join(pieces)
    assert text.startswith(joined)
    assert not text[len(joined) :].strip()


@given(
    text=st.text(alphabet="ab *_`$\\\\()[]<>|-.,!?\n1。«»é😀字", max_size=100),
    cuts=st.lists(st.integers(0, 500), max_size=20),
)
def test_the_pieces_of_a_reply_do_not_depend_on_its_chunks(text: str, cuts: list[int]) -> None:
    assert pieces_of_reply(text, cuts) == pieces_of_reply(text, [])


def pieces_of_reply(text: str, cuts: list[int]) -> list[str]:
    speakable, splitter = SpeakableText(), ClauseSplitter()
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    pieces = [
        piece for a, b in itertools.pairwise(edges) for piece in splitter.feed(speakable.feed(text[a:b]))
    ]
    return pieces + splitter.feed(speakable.finish()) + splitter.finish()


@pytest.mark.parametrize("text", ["中1" * 1_000, "私はPython3が好き" * 200, "今日" * 700 + "。"])
def test_text_without_spaces_is_cut_where_it_is_too_long(text: str) -> None:
    pieces = split(text)
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= LATER_MAX
    assert all(piece[0].isalnum() for piece in pieces)


@pytest.mark.parametrize(
    "sentence",
    [
        "Yes.",
        "We could start with a short walk along the river.",
        "In the morning, we go to the old harbor and look at the ships that came in overnight.",
        "¿Puede usted explicarme cómo funciona esta máquina?",
        "आज मौसम बहुत अच्छा है।",
    ],
)
def test_the_first_piece_of_a_long_reply_is_that_of_its_first_sentence(sentence: str) -> None:
    assert split(f"{sentence} " * 20)[0].strip() == split(sentence)[0].strip()
