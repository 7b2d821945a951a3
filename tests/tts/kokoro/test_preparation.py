"""The two halves of Kokoro say what the whole model says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from s2s_desktop.tts.kokoro.model import open_session
from s2s_desktop.tts.kokoro.onnx_graph import Graph, Node
from s2s_desktop.tts.kokoro.preparation import prepare
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
from s2s_desktop.tts.phonemes import tokens_of
from s2s_desktop.tts.voices import load_style


def loudness(sound: np.ndarray) -> np.ndarray:
    """Of every 25 ms, in dB."""
    frames = sound[: sound.size - sound.size % 600].reshape(-1, 600)
    return 10 * np.log10(np.mean(frames**2, axis=1) + 1e-6)


@pytest.mark.models
def test_both_halves_together_are_the_model(model_file: Path, voice: KokoroSynthesizer) -> None:
    tokens = tokens_of("ʃˈʊɹ.")
    style = load_style("af_heart")[len(tokens) - 1]
    given = {"tokens": np.array([[0, *tokens, 0]]), "style": style, "speed": np.ones(1, np.float32)}
    (expected,) = open_session(model_file.read_bytes(), 2).run(None, given)
    model = voice._model
    assert model is not None
    plan = model.plan(tokens, style, 1.0)
    sound = model.sound(plan, 0, plan.halves, None)
    assert sound.size == expected.size == plan.edges[-1] * 300
    # Sample by sample, int8 noise differs with any change of the graph; what is heard does not.
    difference = np.abs(loudness(sound) - loudness(expected.ravel()))
    assert np.median(difference) < 1.0
    assert np.corrcoef(sound, expected.ravel())[0, 1] > 0.8


def test_another_model_is_refused() -> None:
    graph = Graph.empty()
    for name in ("tokens", "style", "speed"):
        graph.add_input(name, "float32")
    graph.nodes.append(Node.make("Add", ["tokens", "style"], "audio"))
    graph.add_output("audio", "float32")
    with pytest.raises(ValueError, match="generator"):
        prepare(graph.to_bytes())
    del graph.inputs["speed"]
    with pytest.raises(ValueError, match="tokens, style and speed"):
        prepare(graph.to_bytes())
