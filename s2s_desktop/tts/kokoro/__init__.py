"""Kokoro-82M as an ONNX graph: rewritten for speed, run in pieces, with the time of every word."""
