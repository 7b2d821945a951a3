"""Amounts of money: $5.20, 5 €, £3m, ¥500, 20 USD."""

from __future__ import annotations

import re

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import LEFT, Rule, alternatives, compiled
from s2s_desktop.tts.verbalize.wording import Currency, Wording

_SIGNS = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "R$": "BRL",
    "US$": "USD",
    "A$": "AUD",
    "AU$": "AUD",
    "C$": "CAD",
    "CA$": "CAD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "MX$": "MXN",
    "S$": "SGD",
    "₺": "TRY",
    "₴": "UAH",
    "₫": "VND",
    "฿": "THB",
    "₪": "ILS",
    "₱": "PHP",
    "₦": "NGN",
    "zł": "PLN",
    "Kč": "CZK",
    "Fr.": "CHF",
    "₿": "BTC",
}
_CODES = frozenset(_SIGNS.values()) | {
    "CHF",
    "CNY",
    "SEK",
    "NOK",
    "DKK",
    "HUF",
    "ZAR",
    "ARS",
    "CLP",
    "COP",
    "TWD",
}

_SCALES = {
    "en": ("thousand", "million", "billion", "trillion"),
    "es": ("mil", "millones", "mil millones", "billones"),
    "fr": ("mille", "millions", "milliards", "billions"),
    "de": ("Tausend", "Millionen", "Milliarden", "Billionen"),
    "it": ("mila", "milioni", "miliardi", "bilioni"),
    "pt": ("mil", "milhões", "bilhões", "trilhões"),
    "hi": ("हज़ार", "मिलियन", "बिलियन", "ट्रिलियन"),
    "ja": ("千", "百万", "十億", "兆"),
    "zh": ("千", "百万", "十亿", "万亿"),
}
_SCALE_SIGNS = {
    "k": 0,
    "K": 0,
    "m": 1,
    "M": 1,
    "mn": 1,
    "Mio": 1,
    "Mio.": 1,
    "bn": 2,
    "B": 2,
    "b": 2,
    "Md": 2,
    "Mrd": 2,
    "Mrd.": 2,
    "T": 3,
}
_ONE_SCALE = (
    "million",
    "millón",
    "Million",
    "milione",
    "milhão",
    "milliard",
    "Milliarde",
    "miliardo",
    "bilhão",
)
_SCALE_WITH_OF = re.compile(r"(?:ill[oó]n(?:es)?|illions?|illiards?|ilion[ei]|iliard[oi]|ilh(?:ão|ões))$")
"""Ends of a number behind which Romance languages say "of": cinco millones de euros."""


class Money:
    """Rules for amounts of money."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._wording = wording
        self._reader = reader
        self._scales = _SCALES[wording.code]
        names = {*wording.currencies, *_SIGNS, *_CODES}
        signs = alternatives(name for name in names if not name.isalpha() or not name.isascii())
        codes = alternatives(name for name in names if name.isalpha() and name.isascii())
        self._sign = rf"(?P<currency>{signs}|(?<![A-Za-z])(?:{codes})(?![A-Za-z]))"

    def rules(self) -> list[Rule]:
        """Return them."""
        words = alternatives({*self._scales, *_ONE_SCALE})
        marks = alternatives(_SCALE_SIGNS)
        latin_end = r"(?![A-Za-zÀ-ɏ])"
        scale = rf"(?:\s?(?P<scale>(?:{marks}){latin_end}|(?:{words}){latin_end}))?"
        amount = rf"(?P<amount>{self._reader.pattern})"
        of = r"(?:\s(?:de|di)\s|\sd['’]|\s?)"
        patterns = (
            rf"(?<![A-Za-z0-9$]){self._sign}\s?{amount}{scale}",
            rf"{LEFT}(?<![.,]){amount}(?:,[-–]{{1,2}})?{scale}{of}{self._sign}(?!\w)(?!\d)",
        )
        return compiled((pattern, self._say) for pattern in patterns)

    def _say(self, found: re.Match[str]) -> str:
        currency = self._currency(found["currency"])
        whole, mark, fraction = self._reader.parse(found["amount"])
        if found["scale"]:
            return self._scaled(found["amount"], found["scale"], currency)
        if mark and len(fraction) == 2 and currency.cent and self._wording.words.cents:
            return self._with_cents(int(whole), int(fraction), currency)
        if mark and not int(fraction):
            return self._named(str(int(whole)), currency)
        return self._named(found["amount"], currency)

    def _with_cents(self, units: int, cents: int, currency: Currency) -> str:
        cent_name = currency.cent if cents == 1 else currency.cents
        said_cents = f"{self._reader.cardinal(cents, cent_name)} {cent_name}"
        if not cents:
            return self._named(str(units), currency)
        if not units:
            return said_cents
        return f"{self._named(str(units), currency)} {self._wording.words.cents} {said_cents}"

    def _named(self, amount: str, currency: Currency) -> str:
        value = self._reader.value(amount)
        single = value < 2 and (value == 1 or (self._wording.code == "fr"))
        name = currency.one if single else currency.many
        return self._counted(self._reader.number(amount, noun=name), name)

    def _scaled(self, amount: str, scale: str, currency: Currency) -> str:
        word = self._scales[_SCALE_SIGNS[scale]] if scale in _SCALE_SIGNS else scale
        if amount == "1" and scale in _SCALE_SIGNS and self._wording.code not in ("hi", "ja", "zh"):
            said = self._reader.cardinal(1000 ** (_SCALE_SIGNS[scale] + 1))
        else:
            said = self._reader.join(self._reader.number(amount, noun=word), word)
        return self._counted(said, currency.many)

    def _counted(self, said: str, name: str) -> str:
        of = self._wording.words.of
        if not of or not _SCALE_WITH_OF.search(said):
            return self._reader.join(said, name)
        if self._wording.code == "fr" and name[0] in "aeiouéè":
            return f"{said} d'{name}"
        return f"{said} {of} {name}"

    def _currency(self, written: str) -> Currency:
        """Return the everyday name, or the official one of a currency that has none here."""
        known = self._wording.currencies
        if written in known:
            return known[written]
        code = _SIGNS.get(written, written)
        by_code = {_SIGNS[sign]: names for sign, names in known.items() if sign in _SIGNS and sign != "US$"}
        if code in by_code:
            return by_code[code]
        from babel.numbers import get_currency_name

        locale = self._wording.locale
        return Currency(get_currency_name(code, 1, locale), get_currency_name(code, 5, locale))
