"""Settings that the machine cannot follow are replaced, and the log says so."""

from __future__ import annotations

import os

import psutil
import pytest

from s2s_desktop.stt.hardware import MAX_THREADS, thread_count, usable_compute_type, usable_device


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 0)


@pytest.mark.parametrize("wanted", ["int8_float16", "float16", "no_such_type"])
def test_a_compute_type_the_cpu_lacks_becomes_int8(wanted: str, caplog: pytest.LogCaptureFixture) -> None:
    assert usable_compute_type(wanted, "cpu") == "int8"
    assert f"cannot calculate in {wanted}" in caplog.text


@pytest.mark.parametrize("wanted", ["int8", "float32", "auto", "default"])
def test_a_compute_type_the_cpu_has_is_kept(wanted: str, caplog: pytest.LogCaptureFixture) -> None:
    assert usable_compute_type(wanted, "cpu") == wanted
    assert caplog.text == ""


def test_without_int8_it_is_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctranslate2.get_supported_compute_types", lambda device: {"float32"})
    assert usable_compute_type("int8", "cpu") == "float32"


def test_a_gpu_that_is_not_there_becomes_the_cpu(caplog: pytest.LogCaptureFixture) -> None:
    assert usable_device("cuda") == "cpu"
    assert "No GPU" in caplog.text


def test_auto_takes_the_cpu_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    assert usable_device("auto") == "cpu"
    assert caplog.text == ""


def test_auto_takes_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 1)
    assert usable_device("auto") == "cuda"


def test_threads_are_physical_cores_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 32)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(32)), raising=False)
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: 16)
    assert thread_count(0) == MAX_THREADS
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: 2)
    assert thread_count(0) == 2
    assert thread_count(7) == 7


def test_threads_stay_within_the_cores_the_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3}, raising=False)
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: 16)
    assert thread_count(0) == 1
