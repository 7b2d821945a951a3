"""Makes the quantized convolutions of Kokoro fast, with the same result.

ONNX Runtime runs `ConvInteger` with unsigned weights on its slowest integer kernel, which takes 60 % of the
time of speech. A convolution is also a matrix product over shifted copies of its input, and for unsigned
input and *signed* weights there are kernels for the dot-product instructions of current processors: measured
2 to 3 times the speed. Weights of 0..255 around a zero point become signed by taking 128 from both.

The sums are the same to the bit. Only the bias is not rounded to a whole number any more.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.tts.kokoro.onnx_graph import Graph, Node

_MICROSOFT = "com.microsoft"


@dataclass(frozen=True, slots=True)
class _Convolution:
    """A one-dimensional convolution of stride 1 and everything done to its sums.

    Attributes:
        node: The `ConvInteger`.
        weights: shape (outputs, inputs, taps), uint8.
        zero: The weight that stands for 0.
        scale: Name of the factor from its sums to its result.
        bias: Name of what is added to the result, shape (outputs,), or "".
        result: Name of the result, float32.
        replaced: What is no longer needed.
    """

    node: Node
    weights: NDArray[np.uint8]
    zero: int
    scale: str
    bias: str
    result: str
    replaced: list[Node]


def speed_up_convolutions(graph: Graph) -> int:
    """Replace the quantized convolutions of a graph in place; return how many."""
    users: dict[str, list[Node]] = defaultdict(list)
    for node in graph.nodes:
        for name in node.inputs:
            users[name].append(node)
    makers = {name: node for node in graph.nodes for name in node.outputs}
    found = [_recognize(graph, node, users, makers) for node in graph.nodes if node.op == "ConvInteger"]
    convolutions = [convolution for convolution in found if convolution is not None]
    replaced = {id(node) for convolution in convolutions for node in convolution.replaced}
    instead = {id(convolution.replaced[-1]): _products(graph, convolution) for convolution in convolutions}
    nodes: list[Node] = []
    for node in graph.nodes:
        nodes += instead.get(id(node), [])
        if id(node) not in replaced:
            nodes.append(node)
    graph.nodes = nodes
    return len(convolutions)


def _recognize(
    graph: Graph, node: Node, users: dict[str, list[Node]], makers: dict[str, Node]
) -> _Convolution | None:
    """Return what is replaced around a `ConvInteger`, or None for one that is left as it is."""
    if node.integers("group") not in ((), (1,)) or node.integers("strides") not in ((), (1,)):
        return None
    if not all(graph.has_weight(name) for name in node.inputs[1::2]) or len(node.inputs) != 4:
        return None
    weights = graph.weight(node.inputs[1])
    if weights.dtype != np.uint8 or weights.ndim != 3:
        return None
    replaced, bias = [node], ""
    (after,) = users[node.outputs[0]]
    if after.op == "Add":
        # The bias as whole numbers: Add(sums, Reshape(Cast(Floor(Div(bias, scale))))).
        whole = makers[after.inputs[1]]
        for op in ("Reshape", "Cast", "Floor"):
            if whole.op != op:
                return None
            whole = makers[whole.inputs[0]]
        if whole.op != "Div" or not graph.has_weight(whole.inputs[0]):
            return None
        bias = whole.inputs[0]
        replaced.append(after)
        (after,) = users[after.outputs[0]]
    if after.op != "Cast":
        return None
    (scaled,) = users[after.outputs[0]]
    if scaled.op != "Mul":
        return None
    replaced += [after, scaled]
    scale = next(name for name in scaled.inputs if name != after.outputs[0])
    zero = int(graph.weight(node.inputs[3]).ravel()[0])
    return _Convolution(node, weights.view(np.uint8), zero, scale, bias, scaled.outputs[0], replaced)


def _products(graph: Graph, convolution: _Convolution) -> list[Node]:
    """Return the nodes that do the work of a convolution."""
    node, name = convolution.node, f"{convolution.node.outputs[0]}/product"
    signal, zero = node.inputs[0], node.inputs[2]
    outputs, inputs, taps = convolution.weights.shape
    before, behind = node.integers("pads") or (0, 0)
    (dilation,) = node.integers("dilations") or (1,)
    nodes = [Node.make("Transpose", [signal], f"{name}/frames", perm=(0, 2, 1))]
    frames = f"{name}/frames"
    if taps > 1:
        pads = graph.add_weight(f"{name}/pads", np.array([0, before, 0, 0, behind, 0]))
        nodes.append(Node.make("Pad", [frames, pads, zero], f"{name}/padded"))
        time_axis = graph.add_weight("time_axis", np.array([1]))
        for tap in range(taps):
            start = tap * dilation
            # A negative end counts from the end; the last tap reaches it.
            end = start - (taps - 1) * dilation
            bounds = (_number(graph, start), _number(graph, end if end < 0 else np.iinfo(np.int64).max))
            nodes.append(Node.make("Slice", [f"{name}/padded", *bounds, time_axis], f"{name}/tap{tap}"))
        frames = f"{name}/taps"
        nodes.append(Node.make("Concat", [f"{name}/tap{tap}" for tap in range(taps)], frames, axis=2))
    signed = (convolution.weights ^ np.uint8(128)).view(np.int8)
    matrix = signed.transpose(2, 1, 0).reshape(taps * inputs, outputs)
    parameters = [
        graph.add_weight(f"{name}/weights", matrix),
        convolution.scale,
        graph.add_weight("one", np.ones(1, np.float32)),
        zero,
        graph.add_weight(f"{name}/zero", np.array([convolution.zero - 128], np.int8)),
    ]
    if convolution.bias:
        parameters.append(convolution.bias)
    nodes.append(Node.make("MatMulIntegerToFloat", [frames, *parameters], f"{name}/sums", domain=_MICROSOFT))
    nodes.append(Node.make("Transpose", [f"{name}/sums"], convolution.result, perm=(0, 2, 1)))
    return nodes


def _number(graph: Graph, value: int) -> str:
    return graph.add_weight(f"number_{value}", np.array([value]))
