"""Runs the two halves of Kokoro: first the plan of a clause, then its sound, as much at a time as wanted."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.tts.kokoro.norms import SHARE
from s2s_desktop.tts.kokoro.onnx_graph import Graph, Node
from s2s_desktop.tts.kokoro.preparation import STYLE, Prepared, prepare
from s2s_desktop.tts.kokoro.prepared_files import PreparedFiles

SAMPLE_RATE = 24_000
HALF_SAMPLES = 300
"""Samples of half a frame: what the generator works in. Durations are whole frames."""

_SOURCE_PADDING = 20
"""Samples that the source has more than the sound: half a window of the STFT at either end."""

MAX_THREADS = 4

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What a clause will sound like.

    Attributes:
        edges: shape (tokens + 1,), int64: where each token begins, in halves, and where the last one ends.
        outline: shape (1, 512, halves), float32.
        source: shape (1, 300 * halves + 20), float32.
        style: shape (1, 256), float32.
    """

    edges: NDArray[np.int64]
    outline: NDArray[np.float32]
    source: NDArray[np.float32]
    style: NDArray[np.float32]

    @property
    def halves(self) -> int:
        """The length of the sound, in halves of 12.5 ms."""
        return int(self.outline.shape[2])


class KokoroModel:
    """The loaded model. Not thread-safe.

    Args:
        model_file: Kokoro-82M v1.0, int8.
        threads: For ONNX Runtime.
        kept: Folder in which what was prepared stays for the next start; None keeps nothing.

    Raises:
        OSError, ValueError: The file cannot be read, or holds another model.
    """

    def __init__(self, model_file: Path, threads: int, kept: Path | None = None) -> None:
        import onnxruntime

        signed = signed_products_are_exact()
        files = None if kept is None else PreparedFiles(kept, model_file, signed)
        recalled = None if files is None else files.recall()
        try:
            self._open(recalled or _prepared(model_file, signed, files), threads)
        except Exception:  # ONNX Runtime raises types of its own that share no base class
            if recalled is None:
                raise
            _log.exception("what was kept of the voice cannot be used and is made anew")
            self._open(_prepared(model_file, signed, files), threads)
        self._no_statistics = [np.zeros((2, 1, 1), np.float32)] * len(self._prepared.statistics)
        # Memory would otherwise stay at what the longest clause took; speed is the same.
        self._run_options = onnxruntime.RunOptions()
        self._run_options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")

    def _open(self, prepared: Prepared, threads: int) -> None:
        self._prepared = prepared
        self._planner = open_session(prepared.planner, threads)
        self._generator = open_session(prepared.generator, threads)

    def plan(self, tokens: list[int], style: NDArray[np.float32], speed: float) -> Plan:
        """Return the plan of a clause.

        Args:
            tokens: At most 510, without the zeros around them; those have durations too.
            style: shape (1, 256), float32, for this number of tokens.
            speed: 1.0 is the natural one.
        """
        given = {
            self._prepared.tokens: np.array([[0, *tokens, 0]], np.int64),
            STYLE: style,
            "speed": np.array([speed], np.float32),
        }
        outline, source, durations = self._planner.run(
            [self._prepared.outline, self._prepared.source, self._prepared.durations],
            given,
            self._run_options,
        )
        edges = np.concatenate([[0], np.cumsum(2 * np.rint(durations.ravel()).astype(np.int64))])
        return Plan(edges, outline, source, style)

    def sound(
        self, plan: Plan, start: int, end: int, statistics: list[NDArray[np.float32]] | None
    ) -> NDArray[np.float32]:
        """Return the sound of the halves start..end, shape (300 * (end - start),).

        The first and last 12 halves differ from the sound in context, unless the clause begins or ends there.

        Args:
            plan: The clause.
            start: The first half.
            end: Behind the last half.
            statistics: See `TypicalStatistics.of_length`; None takes those of the sound itself, which is
                right for a whole clause only.
        """
        source = plan.source[:, HALF_SAMPLES * start : HALF_SAMPLES * end + _SOURCE_PADDING]
        given = {
            self._prepared.outline: np.ascontiguousarray(plan.outline[:, :, start:end]),
            self._prepared.source: np.ascontiguousarray(source),
            STYLE: plan.style,
            SHARE: np.full(1, 0.0 if statistics is None else 1.0, np.float32),
            **dict(zip(self._prepared.statistics, statistics or self._no_statistics, strict=True)),
        }
        sound: NDArray[np.float32] = self._generator.run(None, given, self._run_options)[0].ravel()
        return sound


def _prepared(model_file: Path, signed_products: bool, files: PreparedFiles | None) -> Prepared:
    prepared = prepare(model_file.read_bytes(), signed_products=signed_products)
    return prepared if files is None else _keep(files, prepared)


def _keep(files: PreparedFiles, prepared: Prepared) -> Prepared:
    """Keep what was prepared for the next start and return it as it is kept; what goes wrong costs time."""
    import onnxruntime

    try:
        files.begin()
        for half, content in (("planner", prepared.planner), ("generator", prepared.generator)):
            options = onnxruntime.SessionOptions()
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
            options.optimized_model_filepath = str(files.draft(half))
            options.log_severity_level = 3
            onnxruntime.InferenceSession(content, sess_options=options, providers=["CPUExecutionProvider"])
        files.keep(prepared)
    except Exception as error:  # ONNX Runtime raises types of its own that share no base class
        _log.info("what was prepared of the voice cannot be kept: %s", error)
    return files.recall() or prepared


def open_session(content: bytes | Path, threads: int) -> Any:
    """Return an ONNX Runtime session that leaves the cores to others while it has nothing to do."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    # Spinning threads take the cores from speech recognition and the language model.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(content, sess_options=options, providers=["CPUExecutionProvider"])


def signed_products_are_exact() -> bool:
    """Return whether this processor multiplies unsigned by signed bytes without overflow.

    x86 processors before AVX512-VNNI or AVX-VNNI add two products in 16 bits, which the largest ones exceed
    (https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html).
    """
    largest = np.full((1, 64), 255, np.uint8)
    graph = Graph.empty()
    graph.add_input("rows", "uint8")
    graph.add_weight("columns", np.full((64, 16), 127, np.int8))
    graph.nodes.append(Node.make("MatMulInteger", ["rows", "columns"], "sums"))
    graph.add_output("sums", "int32")
    (sums,) = open_session(graph.to_bytes(), 1).run(None, {"rows": largest})
    return bool(np.all(sums == 64 * 255 * 127))
