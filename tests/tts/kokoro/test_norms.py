"""Instance norms with given statistics."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.tts.kokoro.model import open_session
from s2s_desktop.tts.kokoro.norms import SHARE, find_norms, multiply_for_squares, open_statistics
from s2s_desktop.tts.kokoro.onnx_graph import Graph, Node

SIGNAL = np.random.default_rng(2).normal(3.0, 2.0, (1, 2, 400)).astype(np.float32)
NONE = np.zeros((2, 1, 1), np.float32)


def norm_graph() -> Graph:
    """2 * (x - mean) / deviation + 1, as Kokoro's export writes it."""
    graph = Graph.empty()
    graph.add_input("x", "float32")
    graph.add_weight("axis", np.array([-1]))
    graph.add_weight("epsilon", np.array(1e-5, np.float32))
    graph.add_weight("gamma", np.full((1, 2, 1), 2, np.float32))
    graph.add_weight("beta", np.full((1, 2, 1), 1, np.float32))
    graph.nodes += [
        Node.make("ReduceMean", ["x", "axis"], "mean", keepdims=1),
        Node.make("Sub", ["x", "mean"], "centered"),
        Node.make("Mul", ["centered", "centered"], "squares"),
        Node.make("ReduceMean", ["squares", "axis"], "variance", keepdims=1),
        Node.make("Add", ["variance", "epsilon"], "stable"),
        Node.make("Sqrt", ["stable"], "root"),
        Node.make("Div", ["centered", "root"], "normalized"),
        Node.make("Mul", ["gamma", "normalized"], "scaled"),
        Node.make("Add", ["scaled", "beta"], "y"),
    ]
    graph.add_output("y", "float32")
    return graph


def run(graph: Graph, signal: np.ndarray, **given: np.ndarray) -> np.ndarray:
    return open_session(graph.to_bytes(), 1).run(None, {"x": signal, **given})[0]


def opened() -> Graph:
    graph = norm_graph()
    assert open_statistics(graph) == ["statistics_0"]
    return graph


def test_the_norm_is_found() -> None:
    (norm,) = find_norms(norm_graph())
    assert (norm.signal, norm.mean, norm.variance, norm.epsilon) == ("x", "mean", "variance", "epsilon")


def test_with_its_own_statistics_nothing_changes() -> None:
    result = run(opened(), SIGNAL, statistics_0=NONE, **{SHARE: np.zeros(1, np.float32)})
    np.testing.assert_allclose(result, run(norm_graph(), SIGNAL), atol=1e-4)


def test_a_piece_with_the_statistics_of_the_whole_is_a_piece_of_the_whole() -> None:
    whole = run(norm_graph(), SIGNAL)
    of_whole = np.stack([SIGNAL[0].mean(1, keepdims=True), np.square(SIGNAL[0]).mean(1, keepdims=True)])
    piece = run(opened(), SIGNAL[:, :, :50], statistics_0=of_whole, **{SHARE: np.ones(1, np.float32)})
    np.testing.assert_allclose(piece, whole[:, :, :50], atol=1e-4)
    assert np.abs(run(norm_graph(), SIGNAL[:, :, :50]) - whole[:, :, :50]).max() > 0.01


@pytest.mark.parametrize("value", [0.0, 1000.0])
def test_a_constant_signal_stays_finite(value: float) -> None:
    signal = np.full((1, 2, 400), value, np.float32)
    result = run(opened(), signal, statistics_0=NONE, **{SHARE: np.zeros(1, np.float32)})
    assert np.isfinite(result).all()


def test_squares_are_products() -> None:
    graph = Graph.empty()
    graph.add_input("x", "float32")
    graph.add_weight("two", np.array(2, np.float32))
    graph.add_weight("three", np.array(3, np.float32))
    graph.nodes += [Node.make("Pow", ["x", "two"], "square"), Node.make("Pow", ["x", "three"], "y")]
    multiply_for_squares(graph)
    assert [node.op for node in graph.nodes] == ["Mul", "Pow"]
