from __future__ import annotations

import threading

import numpy as np

from s2s_desktop.audio.capture_ring import Captured, CaptureRing


def block(start: int) -> Captured:
    return Captured(start, np.zeros((512, 1), np.float32), 0.0)


def test_blocks_come_out_in_order() -> None:
    ring = CaptureRing(5 * 512)
    for number in range(3):
        ring.put(block(512 * number))

    taken = [ring.get(0.0) for _ in range(4)]

    assert [piece and piece.start for piece in taken] == [0, 512, 1024, None]


def test_a_full_ring_keeps_the_newest_sound() -> None:
    ring = CaptureRing(5 * 512)
    for number in range(8):
        ring.put(block(512 * number))

    taken = [ring.get(0.0) for _ in range(6)]

    assert [piece and piece.start for piece in taken] == [1536, 2048, 2560, 3072, 3584, None]


def test_who_waits_is_woken_without_sound() -> None:
    ring = CaptureRing(5 * 512)
    got: list[Captured | None] = []
    waiting = threading.Thread(target=lambda: got.append(ring.get(60.0)))
    waiting.start()

    ring.wake()
    waiting.join(10.0)

    assert got == [None]
