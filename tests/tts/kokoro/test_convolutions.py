"""Convolutions as matrix products give the very sums of ONNX Runtime's own convolution."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.tts.kokoro.convolutions import speed_up_convolutions
from s2s_desktop.tts.kokoro.model import open_session, signed_products_are_exact
from s2s_desktop.tts.kokoro.onnx_graph import Graph, Node

CHANNELS, TIME, ZERO = 4, 50, 117


def quantized_convolution(taps: int, *, bias: bool, **attributes: int | tuple[int, ...]) -> Graph:
    """A convolution as Kokoro's int8 export writes it."""
    random = np.random.default_rng(taps)
    graph = Graph.empty()
    graph.add_input("x", "float32")
    graph.add_weight("w", random.integers(0, 256, (3, CHANNELS, taps)).astype(np.uint8))
    graph.add_weight("w_zero", np.array(ZERO, np.uint8))
    graph.add_weight("w_scale", np.array(0.02, np.float32))
    quantize = Node.make("DynamicQuantizeLinear", ["x"], "q")
    quantize.outputs = ["q", "scale", "zero"]
    graph.nodes += [
        quantize,
        Node.make("ConvInteger", ["q", "w", "zero", "w_zero"], "sums", **attributes),
        Node.make("Mul", ["scale", "w_scale"], "both_scales"),
    ]
    sums = "sums"
    if bias:
        graph.add_weight("bias", np.array([0.5, -1.0, 2.0], np.float32))
        graph.add_weight("bias_shape", np.array([1, -1, 1]))
        graph.nodes += [
            Node.make("Div", ["bias", "both_scales"], "bias_scaled"),
            Node.make("Floor", ["bias_scaled"], "bias_whole"),
            Node.make("Cast", ["bias_whole"], "bias_int", to=6),
            Node.make("Reshape", ["bias_int", "bias_shape"], "bias_shaped"),
            Node.make("Add", ["sums", "bias_shaped"], "sums_and_bias"),
        ]
        sums = "sums_and_bias"
    graph.nodes += [
        Node.make("Cast", [sums], "as_float", to=1),
        Node.make("Mul", ["as_float", "both_scales"], "y"),
    ]
    graph.add_output("y", "float32")
    return graph


def run(graph: Graph) -> np.ndarray:
    signal = np.random.default_rng(1).standard_normal((1, CHANNELS, TIME)).astype(np.float32)
    return open_session(graph.to_bytes(), 1).run(None, {"x": signal})[0]


@pytest.mark.parametrize(
    ("taps", "dilation", "pad"), [(1, 1, 0), (3, 1, 1), (7, 3, 9), (11, 5, 25), (3, 1, 0)]
)
def test_the_result_is_the_same(taps: int, dilation: int, pad: int) -> None:
    if not signed_products_are_exact():
        pytest.skip("this processor is not given the rewritten convolutions")
    graph = quantized_convolution(taps, bias=False, dilations=(dilation,), pads=(pad, pad))
    expected = run(graph)
    assert speed_up_convolutions(graph) == 1
    assert not any(node.op == "ConvInteger" for node in graph.nodes)
    np.testing.assert_allclose(run(graph), expected, rtol=1e-6)


def test_the_bias_is_added_and_no_longer_rounded() -> None:
    graph = quantized_convolution(3, bias=True, pads=(1, 1))
    expected = run(graph)
    assert speed_up_convolutions(graph) == 1
    difference = run(graph) - expected
    step = 0.02 * 8 / 255  # of the whole numbers, for a signal of about 8 from peak to peak
    assert np.all(difference >= -1e-5)
    assert np.all(difference <= step)


@pytest.mark.parametrize("attributes", [{"strides": (2,)}, {"group": 1, "strides": (6,)}])
def test_other_convolutions_stay(attributes: dict[str, int | tuple[int, ...]]) -> None:
    graph = quantized_convolution(3, bias=False, **attributes)
    assert speed_up_convolutions(graph) == 0
    assert any(node.op == "ConvInteger" for node in graph.nodes)
