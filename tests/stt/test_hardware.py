"""Settings that the machine cannot follow are replaced, and a sentence says so."""

from __future__ import annotations

import os

import numpy as np
import psutil
import pytest

from s2s_desktop.stt.hardware import (
    MAX_THREADS,
    prefer_wide_vectors,
    recommended_model,
    thread_count,
    usable_compute_type,
    usable_device,
)

GB = 10**9


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 0)


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.mark.parametrize("wanted", ["int8_float16", "float16", "no_such_type"])
def test_a_compute_type_the_cpu_lacks_becomes_int8(wanted: str, notices: list[str]) -> None:
    assert usable_compute_type(wanted, "cpu", notices.append) == "int8"
    assert notices == [f"This processor cannot calculate in {wanted}: speech recognition uses int8."]


@pytest.mark.parametrize("wanted", ["int8", "float32"])
def test_a_compute_type_the_cpu_has_is_kept(wanted: str, notices: list[str]) -> None:
    assert usable_compute_type(wanted, "cpu", notices.append) == wanted
    assert notices == []


@pytest.mark.parametrize("wanted", ["auto", "default", ""])
def test_auto_is_the_fastest_of_the_device_without_a_word(
    wanted: str, notices: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert usable_compute_type(wanted, "cpu", notices.append) == "int8"
    monkeypatch.setattr(
        "ctranslate2.get_supported_compute_types", lambda device: {"float32", "int8", "float16"}
    )
    assert usable_compute_type(wanted, "cuda", notices.append) == "float16"
    assert notices == []


def test_without_int8_it_is_float32(notices: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctranslate2.get_supported_compute_types", lambda device: {"float32"})
    assert usable_compute_type("int8", "cpu", notices.append) == "float32"


def test_a_gpu_that_is_not_there_becomes_the_cpu(notices: list[str]) -> None:
    assert usable_device("cuda", notices.append) == "cpu"
    assert len(notices) == 1
    assert "no GPU" in notices[0]


def test_auto_takes_the_cpu_without_a_word(notices: list[str]) -> None:
    assert usable_device("auto", notices.append) == "cpu"
    assert notices == []


def test_auto_takes_a_gpu(notices: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 1)
    assert usable_device("auto", notices.append) == "cuda"


@pytest.mark.parametrize(
    ("found", "set_by_user", "used"),
    [
        (["X86_V3", "X86_V4", "AVX512_ICL"], None, "AVX512"),
        (["X86_V3", "X86_V4"], None, None),
        ([], None, None),
        (["X86_V4", "AVX512_ICL"], "AVX2", "AVX2"),
    ],
)
def test_wide_vectors_are_for_processors_that_have_them_and_users_who_do_not_object(
    found: list[str], set_by_user: str | None, used: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "show_config", lambda mode: {"SIMD Extensions": {"found": found}})
    monkeypatch.setenv("CT2_FORCE_CPU_ISA", set_by_user or "")
    if set_by_user is None:
        monkeypatch.delenv("CT2_FORCE_CPU_ISA")
    prefer_wide_vectors()
    assert os.environ.get("CT2_FORCE_CPU_ISA") == used


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


@pytest.mark.parametrize(
    ("memory_gb", "cores", "gpu", "language", "model"),
    [
        (8, 2, False, "", "whisper-base"),
        (3.7, 4, False, "de", "whisper-small"),
        (32, 8, False, "", "whisper-large-v3-turbo"),
        (32, 2, True, "", "whisper-large-v3-turbo"),
        (4, 1, True, "", "whisper-small"),
        (1, 1, False, "", "whisper-base"),
        (1, 1, False, "en", "whisper-tiny.en"),
        (8, 2, False, "en", "whisper-base"),
    ],
)
def test_the_recommended_model_fits_the_machine(
    memory_gb: float, cores: int, gpu: bool, language: str, model: str
) -> None:
    assert recommended_model(int(memory_gb * GB), cores, gpu, language) == model
