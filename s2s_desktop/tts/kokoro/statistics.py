"""Typical statistics of the instance norms in Kokoro's generator for each voice: shipped, and measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.resources import resource_path
from s2s_desktop.tts.kokoro.model import open_session
from s2s_desktop.tts.kokoro.preparation import STYLE, with_statistics

STATISTICS_FILE = "voices/statistics.npz"
"""Resource, written by packaging/voice_statistics.py. For each voice a float16 array of shape
(lengths, 2, channels of all norms): for texts of each length, the shortest first, means and deviations;
`channels`, the number of channels of each norm, in order; `phonemes`, the lengths of the texts."""

FEWEST_PHONEMES = 18
"""Phonemes from which typical statistics are right: from 18 to 45 the mel spectrum of 61 clauses in eight
languages was 2.3 dB (at most 3.6) from that of the clause computed as a whole, above 45 1.9 dB (3.2), but of
shorter ones 4.2 dB (6.3)."""

Clause = tuple[list[int], NDArray[np.float32]]
"""Tokens and their style of shape (1, 256)."""


class TypicalStatistics:
    """The statistics of a voice.

    Args:
        shares: The share of each voice, by name; see `voices.parse_voice`. Those of a blend are the mean.
    """

    def __init__(self, shares: Mapping[str, float]) -> None:
        with np.load(resource_path(STATISTICS_FILE)) as packed:
            self._ends = np.cumsum(packed["channels"])[:-1]
            self._logarithms = np.log(packed["phonemes"])
            known = [
                np.float64(share) * _with_squares(packed[name])
                for name, share in shares.items()
                if name in packed
            ]
        self._known: NDArray[np.float32] | None = None
        if len(known) == len(shares):
            self._known = np.asarray(np.sum(known, axis=0), np.float32)

    def of_length(self, phonemes: int) -> list[NDArray[np.float32]] | None:
        """Return mean and mean square for a text: an array of shape (2, channels, 1) for each norm.

        None for a text of fewer than `FEWEST_PHONEMES`, and where those of a voice are not known. Between the
        lengths that were measured they follow the logarithm of the length.
        """
        if phonemes < FEWEST_PHONEMES or self._known is None:
            return None
        lengths = np.arange(len(self._logarithms))
        position = np.interp(np.log(phonemes), self._logarithms, lengths)
        # Each length counts the more the nearer it is; all but its two neighbors not at all.
        weights = np.maximum(0.0, 1.0 - np.abs(position - lengths)).astype(np.float32)
        mixed = np.tensordot(weights, self._known, axes=1)[:, :, np.newaxis]
        return [np.ascontiguousarray(norm) for norm in np.split(mixed, self._ends, axis=1)]


def measure_statistics(
    model_file: Path, clauses: Mapping[str, Sequence[Sequence[Clause]]]
) -> dict[str, NDArray[np.generic]]:
    """Return what `STATISTICS_FILE` holds, measured while the voices speak.

    Args:
        model_file: Kokoro-82M v1.0.
        clauses: For each voice and each length, several clauses; the shortest first.
    """
    content, means, variances = with_statistics(model_file.read_bytes())
    session = open_session(content, 2)
    tokens_input = next(i.name for i in session.get_inputs() if i.name not in (STYLE, "speed"))

    def channels_of(clause: Clause) -> list[NDArray[np.float32]]:
        tokens, style = clause
        given = {
            tokens_input: np.array([[0, *tokens, 0]], np.int64),
            STYLE: style,
            "speed": np.ones(1, np.float32),
        }
        found: list[NDArray[np.float32]] = session.run([*means, *variances], given)
        return found

    packed: dict[str, NDArray[np.generic]] = {}
    for voice, lengths in clauses.items():
        rows = [np.mean([_flat(channels_of(clause)) for clause in spoken], axis=0) for spoken in lengths]
        packed[voice] = np.stack(
            [(mean, np.sqrt(np.maximum(square - mean**2, 0.0))) for mean, square in rows]
        ).astype(np.float16)
    first = next(iter(clauses.values()))[0][0]
    packed["channels"] = np.array([mean.shape[1] for mean in channels_of(first)[: len(means)]])
    packed["phonemes"] = np.mean(
        [
            [np.mean([len(tokens) for tokens, _ in spoken]) for spoken in lengths]
            for lengths in clauses.values()
        ],
        axis=0,
    )
    return packed


def _with_squares(packed: NDArray[np.float16]) -> NDArray[np.float64]:
    """Return means and mean squares from means and deviations, shape (lengths, 2, channels)."""
    mean, deviation = packed.astype(np.float64).transpose(1, 0, 2)
    return np.stack([mean, deviation**2 + mean**2], axis=1)


def _flat(values: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return means and mean squares of all norms, shape (2, channels), from their means and variances."""
    middle = len(values) // 2
    mean, variance = (
        np.concatenate([one.ravel() for one in part]) for part in (values[:middle], values[middle:])
    )
    return np.stack([mean, variance + mean**2])
