"""Lets the statistics of the instance norms in Kokoro's generator be given, so that it can speak in pieces.

An adaptive instance norm scales every channel by its mean and deviation over the *whole* sound. That is why
the sound cannot begin before all of it is computed. Measured over sentences, these statistics depend on the
voice and on the length of the text far more than on what it says: with typical ones (`statistics.py`) a
sentence of 45 phonemes and more differs from the original by 1.8-2.2 dB in bands, where any change to the
int8 model, even a tiny one, makes 1.6-1.9 dB, and the statistics of each piece itself 4.5 dB. So they become
an input of the graph.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from s2s_desktop.tts.kokoro.onnx_graph import Graph, Node

SHARE = "share"
"""Input of shape (1,), float32: how much of the given statistics to take, 0..1; the rest is their own."""


@dataclass(frozen=True, slots=True)
class Norm:
    """An instance norm: (signal - mean) / sqrt(variance + epsilon), then scaled and shifted by the style.

    Attributes:
        signal: What is normalized, shape (1, channels, time).
        mean: Name of its mean, shape (1, channels, 1).
        variance: Name of its variance, of the same shape.
        epsilon: Name of the number that is added to it.
        chain: The nodes that do it, in order; the last one divides.
    """

    signal: str
    mean: str
    variance: str
    epsilon: str
    chain: tuple[Node, ...]


def find_norms(graph: Graph) -> list[Norm]:
    """Return the instance norms of a graph, in order."""
    makers = {name: node for node in graph.nodes for name in node.outputs}
    found = (_recognize(node, makers) for node in graph.nodes if node.op == "Div")
    return [norm for norm in found if norm is not None]


def open_statistics(graph: Graph) -> list[str]:
    """Let the statistics of all instance norms be given, in place.

    Returns:
        The names of the inputs, in the order of `find_norms`: float32 of shape (2, channels, 1), mean and
        mean square. How much of them is taken says the input `SHARE`.
    """
    users: dict[str, list[Node]] = defaultdict(list)
    for node in graph.nodes:
        for name in node.inputs:
            users[name].append(node)
    graph.add_input(SHARE, "float32")
    instead: dict[int, list[Node]] = {}
    inputs = []
    for index, norm in enumerate(find_norms(graph)):
        given = f"statistics_{index}"
        graph.add_input(given, "float32")
        inputs.append(given)
        instead |= {id(node): [] for node in norm.chain}
        instead[id(norm.chain[0])] = _statistics(graph, norm, given)
        normalized = norm.chain[-1].outputs[0]
        for scaling in users[normalized]:
            (shifting,) = users[scaling.outputs[0]]
            gamma = next(name for name in scaling.inputs if name != normalized)
            beta = next(name for name in shifting.inputs if name != scaling.outputs[0])
            instead[id(scaling)] = []
            instead[id(shifting)] = _scale(norm.signal, given, gamma, beta, shifting.outputs[0])
    graph.nodes = [new for node in graph.nodes for new in instead.get(id(node), [node])]
    return inputs


def multiply_for_squares(graph: Graph) -> None:
    """Write x² as x·x, in place: `Pow` takes nearly twice the time of `Mul`."""
    for node in graph.nodes:
        if node.op == "Pow" and graph.has_weight(node.inputs[1]):
            exponent = graph.weight(node.inputs[1])
            if exponent.size == 1 and exponent.item() == 2:
                node.op, node.inputs = "Mul", [node.inputs[0], node.inputs[0]]


def _recognize(division: Node, makers: dict[str, Node]) -> Norm | None:
    root, centered = makers.get(division.inputs[1]), makers.get(division.inputs[0])
    if root is None or root.op != "Sqrt" or centered is None or centered.op != "Sub":
        return None
    plus, mean = makers[root.inputs[0]], makers.get(centered.inputs[1])
    variance = makers.get(plus.inputs[0])
    if variance is None or variance.op != "ReduceMean" or mean is None or mean.op != "ReduceMean":
        return None
    squares = makers[variance.inputs[0]]
    chain = (mean, centered, squares, variance, plus, root, division)
    return Norm(centered.inputs[0], mean.outputs[0], variance.outputs[0], plus.inputs[1], chain)


def _statistics(graph: Graph, norm: Norm, given: str) -> list[Node]:
    """Return the nodes that give `given`/mean and `given`/deviation, of shape (1, channels, 1)."""
    last = graph.add_weight("last_axis", np.array([-1]))
    rows = [graph.add_weight(f"row_{row}", np.array([row])) for row in range(2)]
    return [
        Node.make("ReduceMean", [norm.signal, last], f"{given}/own_mean", keepdims=1),
        Node.make("Mul", [norm.signal, norm.signal], f"{given}/squares"),
        Node.make("ReduceMean", [f"{given}/squares", last], f"{given}/own_square", keepdims=1),
        Node.make("Concat", [f"{given}/own_mean", f"{given}/own_square"], f"{given}/own", axis=0),
        Node.make("Sub", [given, f"{given}/own"], f"{given}/difference"),
        Node.make("Mul", [f"{given}/difference", SHARE], f"{given}/step"),
        Node.make("Add", [f"{given}/own", f"{given}/step"], f"{given}/used"),
        Node.make("Gather", [f"{given}/used", rows[0]], f"{given}/mean", axis=0),
        Node.make("Gather", [f"{given}/used", rows[1]], f"{given}/square", axis=0),
        Node.make("Mul", [f"{given}/mean", f"{given}/mean"], f"{given}/mean_squared"),
        Node.make("Sub", [f"{given}/square", f"{given}/mean_squared"], f"{given}/difference_of_squares"),
        # Rounding must not make a variance negative.
        Node.make("Relu", [f"{given}/difference_of_squares"], f"{given}/variance"),
        Node.make("Add", [f"{given}/variance", norm.epsilon], f"{given}/stable"),
        Node.make("Sqrt", [f"{given}/stable"], f"{given}/deviation"),
    ]


def _scale(signal: str, given: str, gamma: str, beta: str, result: str) -> list[Node]:
    """Return the nodes that scale and shift a signal: two passes over it instead of four."""
    return [
        Node.make("Div", [gamma, f"{given}/deviation"], f"{result}/factor"),
        Node.make("Mul", [f"{given}/mean", f"{result}/factor"], f"{result}/mean"),
        Node.make("Sub", [beta, f"{result}/mean"], f"{result}/offset"),
        Node.make("Mul", [signal, f"{result}/factor"], f"{result}/scaled"),
        Node.make("Add", [f"{result}/scaled", f"{result}/offset"], result),
    ]
