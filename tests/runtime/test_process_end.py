"""The process ends, whatever its threads do."""

from __future__ import annotations

import subprocess
import sys

import pytest

from s2s_desktop.runtime import process_end

LEAVES = """
import atexit, sys, threading
from s2s_desktop.runtime import process_end
atexit.register(lambda: print("in order"))
threading.Thread(target={work}).start()
print("goodbye")
sys.exit(process_end.leave(7))
"""


@pytest.mark.parametrize(
    ("work", "printed"),
    [("threading.Event().wait", "goodbye\n"), ("threading.Event", "goodbye\nin order\n")],
    ids=["busy", "idle"],
)
def test_only_a_thread_that_still_works_is_cut_off(work: str, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVES.format(work=work)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, printed, "")


def test_with_nothing_at_work_the_code_is_returned() -> None:
    assert process_end.leave(3) == 3
