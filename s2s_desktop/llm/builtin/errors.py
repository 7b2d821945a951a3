"""What went wrong with the built-in LLM, in sentences."""

from __future__ import annotations

import signal
from pathlib import Path

from s2s_desktop.errors import AssistantError, ErrorKind

_MAGIC = b"GGUF"

_DAMAGED = ("invalid magic", "failed to read", "not within the file bounds", "corrupted or incomplete")
_UNSUPPORTED = ("unknown model architecture", "only supports up to version", "unknown pre-tokenizer type")
_NO_MEMORY = (
    "insufficient memory",
    "cannot allocate memory",
    "failed to allocate",
    "bad_alloc",
    "out of memory",
    "resource temporarily unavailable",
)
"""Parts of what llama.cpp and the system say, in lower case."""

_OUT_OF_MEMORY_KILLER = -9
"""The exit code of a process that the Linux kernel ended to free memory."""

_WINDOWS_ILLEGAL_INSTRUCTION = 0xC000001D


def check_model_file(file: Path) -> None:
    """Make sure that `file` can be a model file, before a process is started for it.

    Raises:
        AssistantError: MODEL_MISSING; it is not there, or no GGUF file.
    """
    try:
        with file.open("rb") as stream:
            start = stream.read(len(_MAGIC))
    except OSError as error:
        raise AssistantError(
            ErrorKind.MODEL_MISSING,
            f"The language model {file.stem} is not on this computer. Download it under Models in the "
            "settings, or choose another language model.",
            str(error),
        ) from error
    if start != _MAGIC:
        raise _damaged(file, f"{file} does not start with GGUF")


def explain_failed_start(file: Path, error: str, exit_code: int | None, log_tail: str) -> AssistantError:
    """Return the error for a server that did not come up.

    Args:
        file: The model file.
        error: What the child said.
        exit_code: How it ended.
        log_tail: The last lines of its log.
    """
    details = "\n".join(part for part in (error, _exit_words(exit_code), log_tail) if part)
    said = details.lower()
    if any(words in said for words in _NO_MEMORY) or exit_code == _OUT_OF_MEMORY_KILLER:
        return AssistantError(
            ErrorKind.INTERNAL,
            f"There is not enough memory for the language model {file.stem}. Close other programs or choose "
            "a smaller model.",
            details,
        )
    if any(words in said for words in _UNSUPPORTED):
        return AssistantError(
            ErrorKind.INTERNAL,
            f"The built-in server does not know this kind of language model: {file.stem}. Choose another "
            "model.",
            details,
        )
    if any(words in said for words in _DAMAGED):
        return _damaged(file, details)
    if "libgomp" in said:
        return AssistantError(
            ErrorKind.INTERNAL,
            "The built-in language model needs the system library libgomp. Install it (Debian and Ubuntu: "
            "sudo apt install libgomp1) and try again.",
            details,
        )
    if _is_wrong_processor(exit_code) or "ImportError" in error or "ModuleNotFoundError" in error:
        return _does_not_run_here(details)
    return AssistantError(
        ErrorKind.INTERNAL,
        f"The built-in language model {file.stem} did not start. Try again; if that does not help, choose "
        "another language model.",
        details,
    )


def start_took_too_long(file: Path, seconds: float, log_tail: str) -> AssistantError:
    """Return the error for a model that is still not loaded after `seconds`."""
    return AssistantError(
        ErrorKind.INTERNAL,
        f"The language model {file.stem} was not ready after {seconds:.0f} seconds. Choose a smaller model.",
        log_tail,
    )


def stopped_while_starting() -> AssistantError:
    """Return the error for a start that `stop` ended."""
    return AssistantError(
        ErrorKind.INTERNAL, "The built-in language model was stopped while it was starting."
    )


def keeps_crashing(file: Path, exit_code: int | None, log_tail: str) -> AssistantError:
    """Return the error for a server that dies again and again."""
    details = f"{_exit_words(exit_code)}\n{log_tail}"
    if _is_wrong_processor(exit_code):
        return _does_not_run_here(details)
    return AssistantError(
        ErrorKind.INTERNAL,
        f"The built-in language model {file.stem} keeps stopping. Wait a minute and try again, or choose "
        "another language model.",
        details,
    )


def _damaged(file: Path, details: str) -> AssistantError:
    return AssistantError(
        ErrorKind.MODEL_MISSING,
        f"The file of the language model {file.stem} is damaged. Remove it and download it again under "
        "Models in the settings.",
        details,
    )


def _does_not_run_here(details: str) -> AssistantError:
    return AssistantError(
        ErrorKind.INTERNAL,
        "The built-in language model does not run on this computer. Choose a provider in the settings.",
        details,
    )


def _is_wrong_processor(exit_code: int | None) -> bool:
    return exit_code is not None and exit_code in (-signal.SIGILL, _WINDOWS_ILLEGAL_INSTRUCTION)


def _exit_words(exit_code: int | None) -> str:
    if exit_code is None:
        return ""
    if exit_code < 0:
        return f"ended by signal {-exit_code}"
    return f"ended with code {exit_code}"
