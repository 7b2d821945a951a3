"""What is said, in English, for what is written."""

from __future__ import annotations

import pytest

from s2s_desktop.tts.verbalize import SpokenToken, verbalize


def said(text: str, language: str) -> str:
    return " ".join(token.spoken for token in verbalize(text, language))


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("1,234.5", "one thousand two hundred and thirty-four point five"),
        (
            "2,345,678 people",
            "two million three hundred and forty-five thousand six hundred and seventy-eight people",
        ),
        ("3.14", "three point one four"),
        ("0.5", "zero point five"),
        ("-5", "minus five"),
        ("−3.5", "minus three point five"),
        ("1,000,000", "one million"),
        ("10, 20, 30", "ten, twenty, thirty"),
        ("1,2,3", "one, two, three"),
        ("007", "zero zero seven"),
        ("123456789", "one two three four five six seven eight nine"),
        ("1234567890123456", "one two three four five six seven eight nine zero one two three four five six"),
        ("１２３", "one hundred and twenty-three"),
        ("5,000+", "five thousand plus"),
        ("①", "one"),
    ],
)
def test_numbers(written: str, spoken: str) -> None:
    assert said(written, "en") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        (
            "In 1984, 2005 and 2024 it rained.",
            "In nineteen eighty-four, two thousand and five and twenty twenty-four it rained.",
        ),
        ("in 1066", "in ten sixty-six"),
        ("the 1500 people", "the one thousand five hundred people"),
        ("2019–2021", "twenty nineteen to twenty twenty-one"),
        ("the 1920s and '90s", "the nineteen twenties and 'nineties"),
        ("2024-05-01", "May first, twenty twenty-four"),
        ("05/01/2024", "May first, twenty twenty-four"),
        ("13/01/2024", "January thirteenth, twenty twenty-four"),
        ("12.05.2024", "May twelfth, twenty twenty-four"),
        ("My birthday is Jan 1, 1980. Thanks!", "My birthday is January first, nineteen eighty. Thanks!"),
        ("the 10 May 2024", "the tenth of May twenty twenty-four"),
        ("July 4th", "July fourth"),
        ("Sept 2023", "September twenty twenty-three"),
        ("I may 5 times", "I may five times"),
        ("at 14:30 or 3:05 pm", "at fourteen thirty or three oh five PM"),
        ("between 9 a.m. and 5 p.m., daily", "between nine AM and five PM, daily"),
        ("9am–5pm", "nine AM to five PM"),
        ("3:00", "three o'clock"),
        ("It ends at 5 p.m.", "It ends at five PM."),
    ],
)
def test_years_dates_and_times(written: str, spoken: str) -> None:
    assert said(written, "en") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("It costs $5.20 now.", "It costs five dollars and twenty cents now."),
        ("$0.99", "ninety-nine cents"),
        ("$1.00", "one dollar"),
        ("£1.01", "one pound and one penny"),
        (
            "£3m or €1.5 billion, ¥500",
            "three million pounds or one point five billion euros, five hundred yen",
        ),
        (
            "$1,200–$1,500 per month",
            "one thousand two hundred dollars to one thousand five hundred dollars per month",
        ),
        ("$120/night", "one hundred and twenty dollars per night"),
        ("~€450", "about four hundred and fifty euros"),
        ("US$20", "twenty US dollars"),
        ("C$5", "five Canadian dollars"),
        ("20 USD", "twenty dollars"),
        ("CHF 5", "five Swiss francs"),
        ("₹500", "five hundred rupees"),
    ],
)
def test_money(written: str, spoken: str) -> None:
    assert said(written, "en") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("5 km/h", "five kilometers per hour"),
        ("1 m", "one meter"),
        ("2.5 kg", "two point five kilograms"),
        ("20 °C and -5°F", "twenty degrees Celsius and minus five degrees Fahrenheit"),
        (
            "350°F (175°C)",
            "three hundred and fifty degrees Fahrenheit (one hundred and seventy-five degrees Celsius)",
        ),
        ("5'11\"", "five foot eleven"),
        ("16 GB RAM", "sixteen gigabytes RAM"),
        ("100 GB/s", "one hundred gigabytes per second"),
        ("50%", "fifty percent"),
        ("5-10 minutes", "five to ten minutes"),
        ("½ cup, 1½ cups, 3/4", "one half cup, one and one half cups, three quarters"),
        ("1 1/2 cups", "one and one half cups"),
        ("25°", "twenty-five degrees"),
        ("1920x1080", "one thousand nine hundred and twenty by one thousand and eighty"),
    ],
)
def test_quantities(written: str, spoken: str) -> None:
    assert said(written, "en") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Call 555-1234.", "Call five five five, one two three four."),
        ("+1 (555) 123-4567", "plus one, five five five, one two three, four five six seven"),
        ("978-3-16-148410-0", "nine seven eight, three, one six, one four eight four one zero, zero"),
        ("john.doe@example.com", "john dot doe at example dot com"),
        ("example.com", "example dot com"),
        ("Python v3.12.1", "Python version three point twelve point one"),
        ("at 10.0.0.1", "at ten point zero point zero point one"),
        ("#ThrowbackThursday #1", "hashtag Throwback Thursday number one"),
        ("@alice", "at alice"),
        ("GPT-4, MP3, COVID-19, H₂O", "GPT-four, MP three, COVID-nineteen, H two O"),
        ("Node.js and main.py", "Node dot js and main dot py"),
        ("C++ and C#", "C plus plus and C sharp"),
        ("24/7", "twenty-four seven"),
        ("9/11", "nine eleven"),
        ("snake_case", "snake case"),
        ("/usr/bin", "slash usr bin"),
    ],
)
def test_codes_and_addresses(written: str, spoken: str) -> None:
    assert said(written, "en") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("2+2=4", "two plus two equals four"),
        ("3 × 4 = 12", "three times four equals twelve"),
        ("5 - 3 = 2", "five minus three equals two"),
        ("2**10 == 1024", "two to the power of ten equals one thousand and twenty-four"),
        ("x >= 5", "x greater than or equal to five"),
        ("2–3 weeks, +33 1", "two to three weeks, plus thirty-three one"),
        ("2 * 3", "two times three"),
        ("x² + y^3", "x squared plus y cubed"),
        ("√2 ≈ 1.41", "the square root of two approximately one point four one"),
        ("10⁻³", "ten to the power of minus three"),
        ("x ≤ 5", "x less than or equal to five"),
        ("3 < 5", "three less than five"),
        ("±5%", "plus or minus five percent"),
        ("6.02×10²³", "six point zero two times ten to the power of twenty-three"),
        ("~50 people", "about fifty people"),
    ],
)
def test_calculations(written: str, spoken: str) -> None:
    assert said(written, "en") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("1st 2nd 21st", "first second twenty-first"),
        ("the 21st century", "the twenty-first century"),
        ("World War II, Henry VIII", "World War two, Henry the eighth"),
        ("I think Charles I was", "I think Charles I was"),
        ("No. 5", "number five"),
        ("No. I said", "No. I said"),
        ("Vol. 3, p. 12", "volume three, page twelve"),
        ("Mr. and Mrs. Smith", "Mister and Missus Smith"),
        (
            "Dr. Smith of St. Louis, e.g. Main St. and so on",
            "Doctor Smith of Saint Louis, for example Main Street and so on",
        ),
        ("the U.S. is", "the US is"),
        ("AT&T & co", "AT and T and co"),
        ("and/or", "and or"),
        ("cats, etc.", "cats, et cetera."),
    ],
)
def test_ranks_and_abbreviations(written: str, spoken: str) -> None:
    assert said(written, "en") == spoken


def test_a_run_of_words_that_are_said_as_one_is_one_token() -> None:
    assert verbalize("My birthday is Jan 1, 1980.", "en") == (
        SpokenToken("My", "My"),
        SpokenToken("birthday", "birthday"),
        SpokenToken("is", "is"),
        SpokenToken("Jan 1, 1980.", "January first, nineteen eighty."),
    )


@pytest.mark.parametrize("blank", ["", " ", "\n \t", "\u00a0"])
def test_white_space_has_no_token(blank: str) -> None:
    assert verbalize(blank, "en") == ()


def test_the_marks_around_a_number_stay() -> None:
    assert verbalize('He said "5"!\n', "en")[-1] == SpokenToken('"5"!', '"five"!')
