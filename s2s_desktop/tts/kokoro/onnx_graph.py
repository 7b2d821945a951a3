"""Reads, changes and writes ONNX models, as far as cutting and rewriting a graph needs it.

An ONNX file is one protobuf message. The few messages that matter here are read with their published field
numbers (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto); all others are carried along as they are.
The `onnx` package does the same, but adds 60 MB to an installer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.tts.kokoro.protobuf_wire import (
    BYTES,
    VARINT,
    Field,
    block_key,
    encode_block,
    encode_field,
    fields_of,
    integers_of,
    text_of,
)

_MODEL_IR_VERSION, _MODEL_GRAPH, _MODEL_OPSET, _OPSET_VERSION = 1, 7, 8, 2
_GRAPH_NAME = 2
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_INPUT, _GRAPH_OUTPUT, _GRAPH_VALUE_INFO = 1, 5, 11, 12, 13
_NODE_INPUT, _NODE_OUTPUT, _NODE_NAME, _NODE_OP, _NODE_ATTRIBUTE, _NODE_DOMAIN = 1, 2, 3, 4, 5, 7
_ATTRIBUTE_NAME, _ATTRIBUTE_INT, _ATTRIBUTE_INTS, _ATTRIBUTE_TYPE = 1, 3, 8, 20
_ATTRIBUTE_TYPE_INT, _ATTRIBUTE_TYPE_INTS = 2, 7
_TENSOR_DIMS, _TENSOR_TYPE, _TENSOR_NAME = 1, 2, 8
_TENSOR_FLOATS, _TENSOR_INT32S, _TENSOR_INT64S, _TENSOR_RAW = 4, 5, 7, 9
_VALUE_NAME, _VALUE_TYPE, _TYPE_TENSOR, _TENSOR_ELEMENT_TYPE = 1, 2, 1, 1

_ELEMENT_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}


@dataclass(slots=True)
class Node:
    """One operation.

    Attributes:
        op: Its type, as "Conv".
        inputs: Names of what it takes; "" is an optional input left out.
        outputs: Names of what it gives.
        domain: Where the type is defined; "" is ONNX itself.
        name: For error messages and profiles.
        attributes: Its attributes, each an encoded AttributeProto.
    """

    op: str
    inputs: list[str]
    outputs: list[str]
    domain: str = ""
    name: str = ""
    attributes: list[bytes] = field(default_factory=list)

    @classmethod
    def make(
        cls,
        op: str,
        inputs: Sequence[str],
        output: str,
        domain: str = "",
        **attributes: int | Sequence[int],
    ) -> Node:
        """Return a node with one output, named after it."""
        encoded = [_encode_attribute(name, value) for name, value in attributes.items()]
        return cls(op, list(inputs), [output], domain, output, encoded)

    def integers(self, name: str) -> tuple[int, ...]:
        """Return an attribute of whole numbers; () when the node has none of that name."""
        for attribute in self.attributes:
            fields = list(fields_of(memoryview(attribute)))
            if any(number == _ATTRIBUTE_NAME and text_of(value) == name for number, _, value in fields):
                return tuple(integers_of(fields, {_ATTRIBUTE_INT, _ATTRIBUTE_INTS}))
        return ()


class Graph:
    """A model in memory. The weights stay where they are in `content` until they are replaced."""

    def __init__(self, content: bytes) -> None:
        """Read a model.

        Raises:
            ValueError: It is no ONNX model.
        """
        self._start()
        for number, wire, value in fields_of(memoryview(content)):
            if number == _MODEL_GRAPH and isinstance(value, memoryview):
                self._read(value)
            else:
                self._around.append((number, wire, value))
        if not self.nodes:
            raise ValueError("no operations: this is no ONNX model")

    @classmethod
    def empty(cls) -> Graph:
        """Return a model without operations, of the versions of ONNX that Kokoro's model uses."""
        graph = cls.__new__(cls)
        graph._start()
        opset = encode_field(_OPSET_VERSION, VARINT, 20)
        graph._around = [(_MODEL_IR_VERSION, VARINT, 9), (_MODEL_OPSET, BYTES, memoryview(opset))]
        graph._beside = [(_GRAPH_NAME, BYTES, memoryview(b"graph"))]
        return graph

    def to_bytes(self) -> bytes:
        """Return the model as a file's content."""
        graph: list[bytes | memoryview] = [encode_field(*field) for field in self._beside]
        graph += [encode_block(_GRAPH_NODE, _encode_node(node)) for node in self.nodes]
        for tensor in self._weights.values():
            graph += [block_key(_GRAPH_INITIALIZER, len(tensor)), tensor]
        graph += [encode_block(_GRAPH_INPUT, value) for value in self.inputs.values()]
        graph += [encode_block(_GRAPH_OUTPUT, value) for value in self.outputs.values()]
        around = [encode_field(*field) for field in self._around]
        # Joined once: nearly a hundred megabytes are not copied for each message around them.
        return b"".join([*around, block_key(_MODEL_GRAPH, sum(map(len, graph))), *graph])

    def has_weight(self, name: str) -> bool:
        """Return whether a tensor of this name is part of the model."""
        return name in self._weights

    def weight(self, name: str) -> NDArray[np.generic]:
        """Return a tensor of the model.

        Raises:
            ValueError: It is stored in a way that Kokoro's exports do not use.
        """
        fields = list(fields_of(memoryview(self._weights[name])))
        shape = integers_of(fields, {_TENSOR_DIMS})
        kind = next(value for number, _, value in fields if number == _TENSOR_TYPE)
        types = [name for name, number in _ELEMENT_TYPES.items() if number == kind]
        if not types:
            raise ValueError(f"the tensor {name!r} is of an unknown type")
        for number, _, value in fields:
            if number in (_TENSOR_RAW, _TENSOR_FLOATS) and isinstance(value, memoryview):
                return np.frombuffer(value, np.dtype(types[0]).newbyteorder("<")).reshape(shape)
        return np.array(integers_of(fields, {_TENSOR_INT32S, _TENSOR_INT64S}), types[0]).reshape(shape)

    def add_weight(self, name: str, values: NDArray[np.generic]) -> str:
        """Make a tensor part of the model, in place of one with the same name; return the name."""
        encoded = [encode_field(_TENSOR_DIMS, VARINT, size) for size in values.shape]
        encoded.append(encode_field(_TENSOR_TYPE, VARINT, _ELEMENT_TYPES[values.dtype.name]))
        encoded.append(encode_block(_TENSOR_NAME, name.encode()))
        encoded += [block_key(_TENSOR_RAW, values.nbytes), values.tobytes()]
        self._weights[name] = b"".join(encoded)
        return name

    def producer(self, name: str) -> Node | None:
        """Return the node that gives a value, or None for an input or a weight."""
        return next((node for node in self.nodes if name in node.outputs), None)

    def add_input(self, name: str, element: str) -> None:
        """Make a value, of an element type like "float32" and any shape, an input of the model."""
        self.inputs[name] = _encode_value(name, element)

    def add_output(self, name: str, element: str) -> None:
        """Make a value, of an element type like "float32", an output of the model."""
        self.outputs[name] = _encode_value(name, element)

    def cut(self, inputs: dict[str, str], outputs: dict[str, str]) -> Graph:
        """Return the part of the model between `inputs` and `outputs`, both from name to element type."""
        part = Graph.empty()
        part._around, part._beside = self._around, self._beside
        part.inputs = {name: _encode_value(name, element) for name, element in inputs.items()}
        part.outputs = {name: _encode_value(name, element) for name, element in outputs.items()}
        makers = {name: index for index, node in enumerate(self.nodes) for name in node.outputs}
        wanted, needed = list(outputs), set[int]()
        used: set[str] = set()
        while wanted:
            name = wanted.pop()
            used.add(name)
            maker = makers.get(name)
            if name in inputs or maker is None or maker in needed:
                continue
            needed.add(maker)
            wanted += self.nodes[maker].inputs
        part.nodes = [self.nodes[index] for index in sorted(needed)]
        part._weights = {name: tensor for name, tensor in self._weights.items() if name in used}
        for name in used - part._weights.keys() - makers.keys() - inputs.keys() - {""}:
            part.inputs[name] = self.inputs[name]
        return part

    def _start(self) -> None:
        self.nodes: list[Node] = []
        self.inputs: dict[str, bytes] = {}
        self.outputs: dict[str, bytes] = {}
        self._weights: dict[str, memoryview | bytes] = {}
        self._around: list[Field] = []
        self._beside: list[Field] = []

    def _read(self, content: memoryview) -> None:
        for number, wire, value in fields_of(content):
            if isinstance(value, int):
                self._beside.append((number, wire, value))
            elif number == _GRAPH_NODE:
                self.nodes.append(_decode_node(value))
            elif number == _GRAPH_INITIALIZER:
                self._weights[_name(value, _TENSOR_NAME)] = value
            elif number == _GRAPH_INPUT:
                self.inputs[_name(value, _VALUE_NAME)] = bytes(value)
            elif number == _GRAPH_OUTPUT:
                self.outputs[_name(value, _VALUE_NAME)] = bytes(value)
            elif number != _GRAPH_VALUE_INFO:  # shapes of what is in between, which rewriting makes wrong
                self._beside.append((number, wire, value))


def _name(content: memoryview, field_number: int) -> str:
    return next((text_of(value) for number, _, value in fields_of(content) if number == field_number), "")


def _decode_node(content: memoryview) -> Node:
    node = Node("", [], [])
    for number, _, value in fields_of(content):
        if number == _NODE_INPUT:
            node.inputs.append(text_of(value))
        elif number == _NODE_OUTPUT:
            node.outputs.append(text_of(value))
        elif number == _NODE_NAME:
            node.name = text_of(value)
        elif number == _NODE_OP:
            node.op = text_of(value)
        elif number == _NODE_DOMAIN:
            node.domain = text_of(value)
        elif number == _NODE_ATTRIBUTE and isinstance(value, memoryview):
            node.attributes.append(bytes(value))
    return node


def _encode_node(node: Node) -> bytes:
    encoded = [encode_block(_NODE_INPUT, name.encode()) for name in node.inputs]
    encoded += [encode_block(_NODE_OUTPUT, name.encode()) for name in node.outputs]
    encoded += [encode_block(_NODE_NAME, node.name.encode()), encode_block(_NODE_OP, node.op.encode())]
    encoded += [encode_block(_NODE_ATTRIBUTE, attribute) for attribute in node.attributes]
    encoded.append(encode_block(_NODE_DOMAIN, node.domain.encode()))
    return b"".join(encoded)


def _encode_attribute(name: str, value: int | Sequence[int]) -> bytes:
    encoded = [encode_block(_ATTRIBUTE_NAME, name.encode())]
    if isinstance(value, int):
        encoded.append(encode_field(_ATTRIBUTE_INT, VARINT, value))
        encoded.append(encode_field(_ATTRIBUTE_TYPE, VARINT, _ATTRIBUTE_TYPE_INT))
    else:
        encoded += [encode_field(_ATTRIBUTE_INTS, VARINT, one) for one in value]
        encoded.append(encode_field(_ATTRIBUTE_TYPE, VARINT, _ATTRIBUTE_TYPE_INTS))
    return b"".join(encoded)


def _encode_value(name: str, element: str) -> bytes:
    tensor = encode_field(_TENSOR_ELEMENT_TYPE, VARINT, _ELEMENT_TYPES[element])
    return encode_block(_VALUE_NAME, name.encode()) + encode_block(
        _VALUE_TYPE, encode_block(_TYPE_TENSOR, tensor)
    )
