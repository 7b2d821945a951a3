"""Models are read, cut and written without the `onnx` package; ONNX Runtime is the judge."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.tts.kokoro.model import open_session
from s2s_desktop.tts.kokoro.onnx_graph import Graph, Node


def sum_and_product() -> Graph:
    """(x + 2) * 3, and the sum on its own way."""
    graph = Graph.empty()
    graph.add_input("x", "float32")
    graph.add_weight("two", np.full(1, 2, np.float32))
    graph.add_weight("three", np.full(1, 3, np.float32))
    graph.nodes += [Node.make("Add", ["x", "two"], "sum"), Node.make("Mul", ["sum", "three"], "product")]
    graph.add_output("product", "float32")
    return graph


def run(graph: Graph, **given: float) -> float:
    arrays = {name: np.full(1, value, np.float32) for name, value in given.items()}
    return float(open_session(graph.to_bytes(), 1).run(None, arrays)[0][0])


def test_what_is_written_runs_and_is_read_again() -> None:
    assert run(sum_and_product(), x=1.0) == 9.0
    assert run(Graph(sum_and_product().to_bytes()), x=1.0) == 9.0


def test_the_part_behind_a_cut_takes_the_value_at_the_cut() -> None:
    behind = Graph(sum_and_product().to_bytes()).cut({"sum": "float32"}, {"product": "float32"})
    assert [node.op for node in behind.nodes] == ["Mul"]
    assert not behind.has_weight("two")
    assert run(behind, sum=5.0) == 15.0


def test_the_part_ahead_of_a_cut_keeps_the_inputs_it_needs() -> None:
    assert run(sum_and_product().cut({}, {"sum": "float32"}), x=1.0) == 3.0


@pytest.mark.parametrize(
    "values",
    [
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.array(-7, np.int64),
        np.array([0, 255], np.uint8),
        np.array([-128, 127], np.int8),
    ],
)
def test_weights_come_back_as_they_were(values: np.ndarray) -> None:
    graph = sum_and_product()
    graph.add_weight("kept", values)
    found = Graph(graph.to_bytes()).weight("kept")
    assert found.dtype == values.dtype
    assert np.array_equal(found, values)


def test_attributes_of_whole_numbers_come_back_with_their_sign() -> None:
    graph = sum_and_product()
    graph.nodes.append(Node.make("Concat", ["sum", "product"], "both", axis=-1))
    graph.nodes.append(Node.make("Transpose", ["both"], "turned", perm=(1, 0)))
    read = Graph(graph.to_bytes())
    assert read.nodes[-2].integers("axis") == (-1,)
    assert read.nodes[-1].integers("perm") == (1, 0)
    assert read.nodes[-1].integers("axis") == ()


@pytest.mark.parametrize("content", [b"", b"no model", b"\x3a\xff\xff\xff\x0f", b"\xff" * 20])
def test_what_is_no_model_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"no ONNX model|no protobuf|too soon"):
        Graph(content)
