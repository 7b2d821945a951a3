"""Speaks a clause in pieces: a short one first, so that the voice starts soon, then longer ones.

Every piece is computed with what is around it, as far as the generator looks, so that both sides of a join
are the same sound but for the noise of quantization; they are faded into each other all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.tts.kokoro.model import HALF_SAMPLES, KokoroModel, Plan

CONTEXT = 12
"""Halves computed on either side of a piece and thrown away. The generator looks 60 steps of 1/800 s and 60
of 1/4800 s to either side in its residual blocks, less elsewhere: 130 ms of the 150 ms."""

FIRST = 40
"""Halves of the first piece: 0.5 s. Computed in 0.2 s on two cores, and the next one in 0.3 s."""

FIRST_REST = 16
"""Halves that are worth a join behind the first piece: somebody waits for that one. Behind a later piece a
rest is computed with it unless it is as long as `FIRST`, because a piece costs its context."""

GROWTH = 1.5
"""How much longer a piece is than the one before. With context, it is ready in time up to a real-time factor
of 0.6."""

LONGEST = 240

SILENT_CONTEXT = 4
"""Halves computed ahead of the first piece. It begins `BEFORE_SPEECH` halves ahead of the first phoneme: what
differs without more of what is before lies in that silence."""

BEFORE_SPEECH, BEHIND_SPEECH = 10, 16
"""Halves kept around the first and the last phoneme that sounds: the silence further out is never computed.
The voice begins up to 0.1 s early and fades out up to 0.2 s late."""

_FADE = 120
"""Samples faded from one piece into the next: 5 ms."""


@dataclass(frozen=True, slots=True, eq=False)
class SpokenPart:
    """The part of a plan in which somebody speaks.

    Attributes:
        plan: The plan.
        first: The first token that sounds.
        last: Behind the last token that sounds.
    """

    plan: Plan
    first: int
    last: int

    @property
    def start(self) -> int:
        """The half at which its sound begins."""
        return max(0, int(self.plan.edges[self.first]) - BEFORE_SPEECH)

    @property
    def end(self) -> int:
        """The half behind its sound."""
        return min(self.plan.halves, int(self.plan.edges[self.last]) + BEHIND_SPEECH)


def speak_in_pieces(
    model: KokoroModel, part: SpokenPart, statistics: list[NDArray[np.float32]] | None
) -> Iterator[tuple[NDArray[np.float32], bool]]:
    """Yield the sound from `part.start` to `part.end`, and of each piece whether it is the last one.

    It is cut at `cut_points`; without `statistics` it is a single piece.
    """
    if statistics is None:
        whole = model.sound(part.plan, 0, part.plan.halves, None)
        yield whole[part.start * HALF_SAMPLES : part.end * HALF_SAMPLES], True
        return
    faded_out = np.zeros(0, np.float32)
    for start, end in pairwise(cut_points(part)):
        before = SILENT_CONTEXT if start == part.start else CONTEXT
        lower, upper = max(0, start - before), min(part.plan.halves, end + CONTEXT)
        window = model.sound(part.plan, lower, upper, statistics)
        piece = window[(start - lower) * HALF_SAMPLES :]
        body = (end - start) * HALF_SAMPLES
        if faded_out.size:
            rising = np.linspace(0.0, 1.0, faded_out.size, dtype=np.float32)
            piece[: faded_out.size] = piece[: faded_out.size] * rising + faded_out * rising[::-1]
        faded_out = piece[body : body + _FADE] if end < part.end else np.zeros(0, np.float32)
        yield piece[:body], end == part.end


def cut_points(part: SpokenPart) -> list[int]:
    """Return the halves between which the pieces lie, the beginning and the end included."""
    points, length = [part.start], float(FIRST)
    rest = FIRST_REST
    while part.end - points[-1] > length + rest:
        points.append(points[-1] + int(length))
        length, rest = min(length * GROWTH, LONGEST), FIRST
    return [*points, part.end]
