"""The program's icon in the formats that systems want, drawn from one SVG."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from pathlib import Path

LINUX_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
WINDOWS_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
MACOS_TYPES: Mapping[bytes, int] = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic11": 32,
    b"ic12": 64,
    b"ic07": 128,
    b"ic08": 256,
    b"ic13": 256,
    b"ic09": 512,
    b"ic14": 512,
    b"ic10": 1024,
}
"""Kinds of icons that hold a PNG, and their edge in pixels (Apple's icon services)."""


def png(svg: Path, size: int) -> bytes:
    """Return the picture as a PNG.

    Args:
        svg: The drawing.
        size: Edge in pixels.

    Raises:
        ValueError: The drawing cannot be read.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(svg))
    if not renderer.isValid():
        raise ValueError(f"{svg} cannot be drawn")
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def ico(pictures: Mapping[int, bytes]) -> bytes:
    """Return an icon of Windows.

    Args:
        pictures: PNGs by their edge in pixels, 1..256.
    """
    header = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(header) + 16 * len(pictures)
    table, body = b"", b""
    for size, data in sorted(pictures.items()):
        edge = size % 256  # 256 is written as 0
        table += struct.pack("<BBBBHHII", edge, edge, 0, 0, 1, 32, len(data), offset + len(body))
        body += data
    return header + table + body


def icns(pictures: Mapping[bytes, bytes]) -> bytes:
    """Return an icon of macOS.

    Args:
        pictures: PNGs by the kinds of `MACOS_TYPES`.
    """
    body = b"".join(kind + struct.pack(">I", len(data) + 8) + data for kind, data in pictures.items())
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def write_for_platform(svg: Path, folder: Path, platform: str) -> str | None:
    """Write the icon that the executable of a platform carries.

    Returns:
        Its path; None on Linux, where an executable carries none.
    """
    if platform == "win32":
        path, data = folder / "icon.ico", ico({size: png(svg, size) for size in WINDOWS_SIZES})
    elif platform == "darwin":
        path, data = folder / "icon.icns", icns({kind: png(svg, size) for kind, size in MACOS_TYPES.items()})
    else:
        return None
    path.write_bytes(data)
    return str(path)
