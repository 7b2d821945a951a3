"""Which Python is taken, and when the environment is made and installed again."""

from __future__ import annotations

import pytest

from fake_machine import Machine

FITS = "sys.version_info = (3, 12, 4)"
TOO_NEW = "sys.version_info = (3, 14, 0)"
TOO_OLD = "sys.version_info = (3, 10, 9)"
NO_VENV = FITS + '; sys.modules["ensurepip"] = None'


def test_the_first_run_makes_the_environment_and_the_second_does_nothing(machine: Machine) -> None:
    machine.have_python("python3.12", FITS)

    assert machine.run("environment.sh").returncode == 0
    made, installed = machine.calls()
    assert made == "venv by python3.12"
    assert installed.startswith("pip install ")
    assert installed.endswith(" --editable .")

    second = machine.run("environment.sh")
    assert (second.returncode, second.stderr) == (0, "")
    assert machine.calls() == []


def test_a_changed_project_file_is_installed_again(machine: Machine) -> None:
    machine.have_python("python3", FITS)
    machine.run("environment.sh")
    machine.calls()
    (machine.tree / "pyproject.toml").write_text("[project]\nname = 'changed'\n")

    machine.run("environment.sh")

    assert [call.split()[0] for call in machine.calls()] == ["pip"]


def test_a_moved_folder_is_installed_again(machine: Machine) -> None:
    machine.have_python("python3", FITS)
    machine.run("environment.sh")
    machine.calls()
    machine.tree = machine.tree.rename(machine.tree.with_name("moved"))

    machine.run("environment.sh")

    assert [call.split()[0] for call in machine.calls()] == ["pip"]


def test_the_developers_packages_include_the_users(machine: Machine) -> None:
    machine.have_python("python3", FITS)
    machine.run("environment.sh")
    machine.calls()

    machine.run("environment.sh", "dev")
    assert machine.calls()[-1].endswith(" --editable .[dev]")

    machine.run("environment.sh")
    assert machine.calls() == []


def test_a_failed_installation_says_so_and_is_tried_again(machine: Machine) -> None:
    machine.have_python("python3", FITS)
    machine.environment["FAKE_PIP_EXIT"] = "1"

    failed = machine.run("environment.sh")

    assert failed.returncode == 1
    assert "not complete" in failed.stderr
    del machine.environment["FAKE_PIP_EXIT"]
    machine.calls()
    assert machine.run("environment.sh").returncode == 0
    assert [call.split()[0] for call in machine.calls()] == ["pip"]


def test_a_broken_environment_is_made_again(machine: Machine) -> None:
    machine.have_python("python3", FITS)
    machine.run("environment.sh")
    machine.calls()
    (machine.tree / ".venv" / "bin" / "python").unlink()

    assert machine.run("environment.sh").returncode == 0
    assert machine.calls()[0] == "venv by python3"


def test_a_named_python_replaces_the_environment_of_another(machine: Machine) -> None:
    machine.have_python("python3.12", FITS)
    machine.have_python("python3.13", FITS + '; sys.version = "another one"')
    machine.run("environment.sh")
    machine.calls()

    machine.environment["PYTHON"] = "python3.13"
    machine.run("environment.sh")
    assert machine.calls()[0] == "venv by python3.13"

    del machine.environment["PYTHON"]
    machine.run("environment.sh")
    assert machine.calls() == []


def test_names_that_do_not_run_or_fit_are_passed_over(machine: Machine) -> None:
    machine.program("python3.12", "echo pyenv: python3.12: command not found >&2; exit 127")
    machine.have_python("python3.13", NO_VENV)
    machine.have_python("python3.11", TOO_OLD)
    machine.have_python("python3", FITS)

    assert machine.run("environment.sh").returncode == 0
    assert machine.calls()[0] == "venv by python3"


def test_no_fitting_python_is_one_clear_sentence(machine: Machine) -> None:
    machine.have_python("python3", TOO_NEW)

    result = machine.run("environment.sh")

    assert result.returncode == 1
    assert "needs Python 3.11, 3.12 or 3.13. Found only: python3 (3.14.0)." in result.stderr
    assert machine.calls() == []


def test_no_python_at_all_is_one_clear_sentence(machine: Machine) -> None:
    result = machine.run("environment.sh")

    assert result.returncode == 1
    assert "needs Python 3.11, 3.12 or 3.13.\n" in result.stderr


def test_a_missing_venv_module_names_its_package(machine: Machine) -> None:
    machine.have_python("python3", NO_VENV)

    result = machine.run("environment.sh")

    assert result.returncode == 1
    assert "apt-get install python3.12-venv" in result.stderr


@pytest.mark.parametrize(("facts", "said"), [(None, "no Python that runs"), (TOO_OLD, "3.10.9")])
def test_a_named_python_that_is_no_good_is_refused(machine: Machine, facts: str | None, said: str) -> None:
    machine.have_python("python3", FITS)
    if facts is not None:
        machine.have_python("mine", facts)
    machine.environment["PYTHON"] = "mine"

    result = machine.run("environment.sh")

    assert result.returncode == 1
    assert said in result.stderr
    assert machine.calls() == []
