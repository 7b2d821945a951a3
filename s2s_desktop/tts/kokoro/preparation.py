"""Cuts and rewrites the model of Kokoro; its parts are found by what they do and not by their names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from s2s_desktop.tts.kokoro.convolutions import speed_up_convolutions
from s2s_desktop.tts.kokoro.norms import find_norms, multiply_for_squares, open_statistics
from s2s_desktop.tts.kokoro.onnx_graph import Graph, Node

STYLE = "style"


@dataclass(frozen=True, slots=True)
class Prepared:
    """The two halves of Kokoro.

    Attributes:
        planner: Content of a model, or its file: from tokens, style and speed to `outline`, `source` and
            `durations`.
        generator: The same: from `outline`, `source`, style, `statistics` and their share to sound.
        tokens: Name of the input for tokens.
        outline: Name of the features of the speech, shape (1, 512, halves): two for each frame of 25 ms.
        source: Name of the oscillation of the vocal cords, shape (1, 300 * halves + 20), both ends padded.
        durations: Name of the frames that each token takes, shape (1, tokens).
        statistics: Names of the inputs for the statistics of the instance norms.
    """

    planner: bytes | Path
    generator: bytes | Path
    tokens: str
    outline: str
    source: str
    durations: str
    statistics: tuple[str, ...]


def prepare(content: bytes, *, signed_products: bool = True) -> Prepared:
    """Return the halves of Kokoro.

    Args:
        content: The model file, Kokoro-82M v1.0 with or without int8 quantization.
        signed_products: Whether to rewrite convolutions; see `model.signed_products_are_exact`.

    Raises:
        ValueError: It is another model.
    """
    graph = Graph(content)
    if STYLE not in graph.inputs or "speed" not in graph.inputs or len(graph.inputs) != 3:
        raise ValueError(f"a Kokoro model takes tokens, style and speed, not {', '.join(graph.inputs)}")
    tokens = next(name for name in graph.inputs if name not in (STYLE, "speed"))
    planned = {_outline(graph): "float32", _source(graph): "float32", _durations(graph): "float32"}
    outline, source, durations = planned
    if signed_products:
        speed_up_convolutions(graph)
    multiply_for_squares(graph)
    planner = graph.cut({}, planned)
    generator = _generator(graph, outline, source)
    statistics = tuple(open_statistics(generator))
    if not statistics:
        raise ValueError("the generator has no instance norms")
    return Prepared(planner.to_bytes(), generator.to_bytes(), tokens, outline, source, durations, statistics)


def with_statistics(content: bytes) -> tuple[bytes, tuple[str, ...], tuple[str, ...]]:
    """Return a model that also gives the statistics of its generator, and the names of means and variances.

    Raises:
        ValueError: It is another model.
    """
    graph = Graph(content)
    norms = find_norms(_generator(graph, _outline(graph), _source(graph)))
    means, variances = tuple(norm.mean for norm in norms), tuple(norm.variance for norm in norms)
    for name in (*means, *variances):
        graph.add_output(name, "float32")
    speed_up_convolutions(graph)
    return graph.to_bytes(), means, variances


def _generator(graph: Graph, outline: str, source: str) -> Graph:
    return graph.cut({outline: "float32", source: "float32"}, dict.fromkeys(graph.outputs, "float32"))


def _outline(graph: Graph) -> str:
    """The generator begins with a `LeakyRelu` ahead of the first transposed convolution of all channels."""
    for node in graph.nodes:
        if node.op == "ConvTranspose" and node.integers("group") in ((), (1,)):
            before = graph.producer(node.inputs[0])
            if before is not None and before.op == "LeakyRelu":
                return before.inputs[0]
    raise ValueError("the beginning of the generator is not there")


def _source(graph: Graph) -> str:
    """The oscillation is what the only `STFT` takes."""
    return _only(graph, "STFT").inputs[0]


def _durations(graph: Graph) -> str:
    """The frames of a token are rounded to whole ones and limited."""
    rounded = _only(graph, "Round").outputs[0]
    return next(
        node.outputs[0] for node in graph.nodes if node.op in ("Clip", "Max") and rounded in node.inputs
    )


def _only(graph: Graph, op: str) -> Node:
    nodes = [node for node in graph.nodes if node.op == op]
    if len(nodes) != 1:
        raise ValueError(f"there are {len(nodes)} operations {op}, not one")
    return nodes[0]
