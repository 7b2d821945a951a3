"""Files that ship with the program, and the one way to their paths."""

from pathlib import Path

_ROOT = Path(__file__).resolve().parent


def resource_path(name: str) -> Path:
    """Return the path of a shipped file.

    Args:
        name: Path below this folder with forward slashes, for example `models/silero_vad.onnx`.

    Raises:
        FileNotFoundError: The file is not part of this installation.
    """
    path = _ROOT / name
    if not path.exists():
        raise FileNotFoundError(f"{name} is missing from this installation; install S2S Desktop again")
    return path
