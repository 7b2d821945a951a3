"""The languages that numbers and signs are put into words for."""

from __future__ import annotations

from collections.abc import Mapping

from s2s_desktop.tts.verbalize.languages.chinese import CHINESE
from s2s_desktop.tts.verbalize.languages.english import ENGLISH
from s2s_desktop.tts.verbalize.languages.french import FRENCH
from s2s_desktop.tts.verbalize.languages.german import GERMAN
from s2s_desktop.tts.verbalize.languages.hindi import HINDI
from s2s_desktop.tts.verbalize.languages.italian import ITALIAN
from s2s_desktop.tts.verbalize.languages.japanese import JAPANESE
from s2s_desktop.tts.verbalize.languages.portuguese import PORTUGUESE
from s2s_desktop.tts.verbalize.languages.spanish import SPANISH
from s2s_desktop.tts.verbalize.wording import Wording

WORDINGS: Mapping[str, Wording] = {
    wording.code: wording
    for wording in (ENGLISH, SPANISH, FRENCH, GERMAN, HINDI, ITALIAN, JAPANESE, PORTUGUESE, CHINESE)
}
