"""Quantities with a unit: 5 km/h, 20 °C, 16 GB, 5'11", 12 %. The names of units are those of CLDR."""

from __future__ import annotations

import re
from decimal import Decimal

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import LEFT, RIGHT, Rule, alternatives, compiled
from s2s_desktop.tts.verbalize.wording import Wording

_UNITS = {
    "km/h": "speed-kilometer-per-hour",
    "kmh": "speed-kilometer-per-hour",
    "kph": "speed-kilometer-per-hour",
    "mph": "speed-mile-per-hour",
    "m/s": "speed-meter-per-second",
    "km": "length-kilometer",
    "m": "length-meter",
    "cm": "length-centimeter",
    "mm": "length-millimeter",
    "µm": "length-micrometer",
    "nm": "length-nanometer",
    "mi": "length-mile",
    "ft": "length-foot",
    "yd": "length-yard",
    "kg": "mass-kilogram",
    "g": "mass-gram",
    "mg": "mass-milligram",
    "lb": "mass-pound",
    "lbs": "mass-pound",
    "oz": "mass-ounce",
    "l": "volume-liter",
    "L": "volume-liter",
    "ml": "volume-milliliter",
    "mL": "volume-milliliter",
    "cl": "volume-centiliter",
    "dl": "volume-deciliter",
    "°C": "temperature-celsius",
    "° C": "temperature-celsius",
    "℃": "temperature-celsius",
    "°F": "temperature-fahrenheit",
    "℉": "temperature-fahrenheit",
    "kB": "digital-kilobyte",
    "KB": "digital-kilobyte",
    "MB": "digital-megabyte",
    "GB": "digital-gigabyte",
    "TB": "digital-terabyte",
    "kWh": "energy-kilowatt-hour",
    "W": "power-watt",
    "kW": "power-kilowatt",
    "MW": "power-megawatt",
    "GW": "power-gigawatt",
    "V": "electric-volt",
    "mA": "electric-milliampere",
    "Hz": "frequency-hertz",
    "kHz": "frequency-kilohertz",
    "MHz": "frequency-megahertz",
    "GHz": "frequency-gigahertz",
    "hPa": "pressure-hectopascal",
    "kcal": "energy-kilocalorie",
    "cal": "energy-calorie",
    "kJ": "energy-kilojoule",
    "m²": "area-square-meter",
    "km²": "area-square-kilometer",
    "cm²": "area-square-centimeter",
    "m³": "volume-cubic-meter",
    "cm³": "volume-cubic-centimeter",
    "ha": "area-hectare",
    "ms": "duration-millisecond",
    "s": "duration-second",
    "sec": "duration-second",
    "min": "duration-minute",
    "mins": "duration-minute",
    "h": "duration-hour",
    "hr": "duration-hour",
    "hrs": "duration-hour",
    "px": "graphics-pixel",
    "MP": "graphics-megapixel",
}

_LARGEST = Decimal(10**12)
"""The name of the unit is the same for all larger numbers."""


class Measures:
    """Rules for quantities with a unit."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._wording = wording
        self._reader = reader
        self._units = {**_UNITS, **wording.units}

    def rules(self) -> list[Rule]:
        """Return them."""
        amount = rf"(?P<amount>{self._reader.pattern})"
        start = rf"{LEFT}(?<![.,/])"
        patterns = (
            (
                rf"{start}{amount}\s?(?P<unit>{alternatives(self._units)})(?P<rate>/s)?(?![²³/^]){RIGHT}",
                self._say_unit,
            ),
            (rf"{start}{amount}\s?%", self._say_percent),
            (rf"{start}(?P<feet>\d{{1,2}})['’′]\s?(?P<inches>\d{{1,2}})(?:[\"”″]|''|’’)", self._say_height),
        )
        return compiled(patterns)

    def _say_unit(self, found: re.Match[str]) -> str:
        before, after = self._name(found["amount"], self._units[found["unit"]], bool(found["rate"]))
        if found.string[: found.start()].rstrip().endswith(before):
            before = ""  # "時速60km/h" has said it.
        said = self._reader.number(found["amount"], noun=after)
        return self._reader.join(*(part for part in (before, said, after) if part))

    def _name(self, amount: str, key: str, per_second: bool) -> tuple[str, str]:
        """Return what CLDR writes before and behind an amount of a unit."""
        from babel.numbers import format_decimal
        from babel.units import format_compound_unit, format_unit

        locale = self._wording.locale
        value = min(self._reader.value(amount), _LARGEST)
        value = Decimal(int(value)) if value == int(value) else round(value, 2)
        if per_second:
            written = str(
                format_compound_unit(
                    value, key, denominator_unit="duration-second", length="long", locale=locale
                )
            )
        else:
            written = format_unit(value, key, length="long", locale=locale)
        before, _, after = written.partition(format_decimal(value, locale=locale))
        return before.strip(), after.strip()

    def _say_percent(self, found: re.Match[str]) -> str:
        if self._wording.code == "zh":
            whole = self._reader.number(found["amount"])
            return f"百分之{'百' if whole == '一百' else whole}"
        percent = self._wording.symbols["%"]
        return self._reader.join(
            self._reader.number(found["amount"], noun=percent if self._wording.code == "de" else ""), percent
        )

    def _say_height(self, found: re.Match[str]) -> str:
        feet = int(found["feet"])
        foot = self._wording.words.foot if feet == 1 else self._wording.words.feet
        inches = self._reader.cardinal(int(found["inches"]))
        return self._reader.join(self._reader.cardinal(feet, foot), foot, inches)
