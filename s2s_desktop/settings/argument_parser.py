"""An argument parser that is kind to its users: spelling, switches, suggestions."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

from s2s_desktop.settings.option_table import IGNORED_SWITCHES, OPTIONS

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


class ArgumentParser(argparse.ArgumentParser):
    """A parser that knows `_` and `-` as the same, switches with and without a value, and similar names."""

    def __init__(self, **kwargs: Any) -> None:
        # An abbreviation would hide a typing error, and change its meaning when an option is added.
        super().__init__(**{"allow_abbrev": False, **kwargs})

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parse, and refuse an unknown option with the nearest known one."""
        known, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self._refuse(unknown)
        return known

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse what is known, after bringing the options to one spelling."""
        return super().parse_known_args(_spell(sys.argv[1:] if args is None else args), namespace)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line, without the long list of options, and exit with code 2."""
        self.exit(2, f"{self.prog}: {message}\n")

    def _refuse(self, unknown: Sequence[str]) -> NoReturn:
        name = next((word for word in unknown if word.startswith("-")), unknown[0]).partition("=")[0]
        similar = [
            match
            for names in _option_names(self)
            for match in difflib.get_close_matches(name, names, n=1, cutoff=0.6)
        ]
        hint = f" Did you mean {similar[0]}?" if similar else " See --help."
        kind = "option" if name.startswith("-") else "argument"
        self.error(f"there is no {kind} {name}.{hint}")


@cache
def _switches() -> frozenset[str]:
    names = [name for option in OPTIONS if option.is_switch for name in option.names]
    return frozenset([*names, *IGNORED_SWITCHES])


def _spell(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with `-` for `_` in names of options, and every switch with a value."""
    spelled: list[str] = []
    waiting = list(arguments)
    while waiting:
        argument = waiting.pop(0)
        if argument == "--":
            return [*spelled, argument, *waiting]
        if not re.match(r"--[A-Za-z]", argument):
            spelled.append(argument)
            continue
        name, equals, value = argument.partition("=")
        name = name.lower().replace("_", "-")
        plain = name[2:].removeprefix("no-")
        if plain not in _switches():
            spelled.append(f"{name}{equals}{value}")
            continue
        if not equals:
            follows = bool(waiting) and waiting[0].lower() in (*_TRUE, *_FALSE)
            value = waiting.pop(0) if follows else "true"
        if name.startswith("--no-") and value.lower() in (*_TRUE, *_FALSE):
            value = "false" if value.lower() in _TRUE else "true"
        spelled.append(f"--{plain}={value}")
    return spelled


def _option_names(parser: argparse.ArgumentParser) -> tuple[list[str], list[str]]:
    """Return the options of a parser and of its commands: those in the help, and other names of those."""
    shown: list[str] = []
    hidden: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                for all_names, names in zip((shown, hidden), _option_names(command), strict=True):
                    all_names += names
        elif action.help is not argparse.SUPPRESS:
            shown += action.option_strings
        elif action.const is not None:
            hidden += action.option_strings
    return shown, hidden
