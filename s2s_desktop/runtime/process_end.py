"""The end of the process, which no thread may hold up."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time

GRACE_S = 0.2
"""Idle workers that were told to end do so within milliseconds."""

_log = logging.getLogger(__name__)


def leave(code: int) -> int:
    """Return `code`, or end the process with it at once when a thread still works.

    Python waits for its threads at the end, and native code cannot be stopped: closing the window while a
    large model is loaded would leave a process without a window for as long as that takes. Call it when
    everything that must be closed is closed.

    Args:
        code: The exit code.
    """
    deadline = time.monotonic() + GRACE_S
    busy = [thread for thread in threading.enumerate() if not thread.daemon and not _is_own(thread)]
    for thread in busy:
        thread.join(max(deadline - time.monotonic(), 0))
    left = [thread.name for thread in busy if thread.is_alive()]
    if left:
        _log.info("ended while these threads still worked: %s", ", ".join(left))
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # a program without a console has none
                with contextlib.suppress(OSError, ValueError):
                    stream.flush()
        os._exit(code)
    return code


def _is_own(thread: threading.Thread) -> bool:
    return thread in (threading.main_thread(), threading.current_thread())
