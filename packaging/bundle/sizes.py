"""Says how large a bundle is, and which parts make it so."""

from __future__ import annotations

from pathlib import Path

MB = 1_000_000


def parts(folder: Path) -> dict[str, int]:
    """Return the bytes of each part of a bundle (a package with its libraries), the largest first."""
    sizes: dict[str, int] = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            name = _part(path.relative_to(folder))
            sizes[name] = sizes.get(name, 0) + path.stat().st_size
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def report(folder: Path, packages: list[Path], count: int = 10) -> str:
    """Return the size of the bundle, of its heaviest parts, and of the packages made of it."""
    sizes = parts(folder)
    lines = [f"{package.stat().st_size / MB:7.1f} MB  {package.name}" for package in packages]
    lines.append(f"{sum(sizes.values()) / MB:7.1f} MB  unpacked, of which")
    lines += [f"{size / MB:7.1f} MB    {name}" for name, size in list(sizes.items())[:count]]
    return "\n".join(lines)


def _part(path: Path) -> str:
    first = path.parts[1] if path.parts[0] == "_internal" and len(path.parts) > 1 else path.parts[0]
    return first.removesuffix(".libs")
