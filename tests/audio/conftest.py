"""Fixtures of the sound tests."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest


@pytest.fixture
def full_disk() -> Callable[[], AbstractContextManager[None]]:
    """Within the context it returns, no file can grow beyond 10,000 bytes.

    It must end before the test does: the limit is the whole process's, so it also holds for the file that the
    output of the test run may go to.
    """
    if sys.platform == "win32":
        pytest.skip("Windows has no limit on the size of files")
    import resource

    @contextmanager
    def limit() -> Iterator[None]:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return limit
