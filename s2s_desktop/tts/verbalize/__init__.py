"""From the reply as it is written to the words that are said: "$5.20" to "five dollars and twenty cents".

`languages/` holds the words of each language, `rules/` what is written in other ways than it is said,
`numbers.py` the numbers, `rewrite.py` applies the rules and keeps what was written next to what is said.
"""

from s2s_desktop.tts.verbalize.rewrite import SpokenToken, read_out, verbalize

__all__ = ["SpokenToken", "read_out", "verbalize"]
