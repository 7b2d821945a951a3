"""The languages that the user's system speaks: a hint at what the user speaks."""

from __future__ import annotations

import locale
import os
import re
import sys
from collections.abc import Mapping

from s2s_desktop.settings.languages import language_code

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where POSIX systems keep them, the strongest first
(https://www.gnu.org/software/gettext/manual/html_node/Locale-Environment-Variables.html). A graphical program
of macOS has none of them: then nothing is known."""


def system_languages(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the languages of the system as Whisper's codes, each once, the most important first.

    What names no language that can be heard (`C`, `POSIX`) is left out.

    Args:
        environment: Environment variables; None reads those of this process.
    """
    names = locale_names(environment)
    return tuple(dict.fromkeys(code for name in names if (code := _code(name))))


def locale_names(environment: Mapping[str, str] | None = None) -> list[str]:
    """Return the locales of the system as it writes them ("zh_TW.UTF-8"), the most important first.

    Args:
        environment: Environment variables; None reads those of this process.
    """
    variables = os.environ if environment is None else environment
    names = [name for variable in _VARIABLES for name in variables.get(variable, "").split(":")]
    if sys.platform == "win32":
        # A name such as "Chinese (Simplified)_China".
        names.append(locale.getlocale()[0] or "")
    return names


def _code(name: str) -> str:
    """Return the code of a locale's language; "" for none."""
    try:
        return language_code(re.split(r"[\W_]", name, maxsplit=1)[0])
    except ValueError:
        return ""
