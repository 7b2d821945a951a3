"""What README and THIRD_PARTY say is what there is, and no file names one machine or one package index."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from s2s_desktop.models.catalog import CATALOG

SET_UP = ["Makefile", ".ci", "packaging", "pyproject.toml", "*.md"]


def code_of_readme(project: Path) -> list[str]:
    """Every line of code in README: the lines of blocks, and what stands between backquotes in text."""
    text = (project / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    fenced = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
    return "".join(fenced.findall(text)).splitlines() + re.findall(r"`([^`\n]+)`", fenced.sub("", text))


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_every_make_target_of_readme_exists(project: Path) -> None:
    targets = {found[1] for line in code_of_readme(project) if (found := re.search(r"\bmake ([a-z]+)", line))}

    assert {"run", "test", "models"} <= targets
    subprocess.run(["make", "--dry-run", *targets], cwd=project, capture_output=True, check=True, timeout=60)


def test_every_command_of_readme_exists(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from s2s_desktop.cli import main

    commands = [shlex.split(line)[1:] for line in code_of_readme(project) if re.match(r"s2s-desktop\b", line)]
    assert len(commands) > 10

    for words in commands:
        command = [word for word in words[:1] if not word.startswith("-")]
        with pytest.raises(SystemExit) as exit_code:
            main([*command, "--help"])
        assert exit_code.value.code == 0, words
        usage = capsys.readouterr().out
        for option in (word for word in words if word.startswith("--")):
            assert re.search(rf"{re.escape(option)}\b", usage), f"{option} of {words}"


def test_every_dependency_is_in_the_notice(project: Path) -> None:
    notice = (project / "THIRD_PARTY.md").read_text(encoding="utf-8")
    dependencies = tomllib.loads((project / "pyproject.toml").read_text())["project"]["dependencies"]
    names = [re.split(r"[^\w.-]", requirement)[0] for requirement in dependencies]

    assert [
        name for name in names if not re.search(rf"^\|.*\b{re.escape(name)}\b", notice, re.MULTILINE)
    ] == []


def test_every_model_is_in_the_notice(project: Path) -> None:
    notice = (project / "THIRD_PARTY.md").read_text(encoding="utf-8").lower()
    families = {re.split(r"[-.\d]", model.name)[0] for model in CATALOG}

    assert [family for family in families if family not in notice] == []


def test_every_shipped_file_is_in_the_notice(project: Path) -> None:
    notice = (project / "THIRD_PARTY.md").read_text(encoding="utf-8")
    patterns = re.findall(r"`s2s_desktop/resources/([^`]+)`", notice)
    resources = project / "s2s_desktop" / "resources"
    shipped = {path for path in resources.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}}

    assert shipped - {path for pattern in patterns for path in resources.glob(pattern)} == set()


def git_grep(project: Path, pattern: str, *paths: str) -> str:
    """Return the lines that match in files that are or could become part of the repository."""
    if shutil.which("git") is None or not (project / ".git").exists():
        pytest.skip("not a git checkout")
    found = subprocess.run(
        ["git", "grep", "--untracked", "-nIE", pattern, "--", *paths],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert found.returncode in {0, 1}, found.stderr
    return found.stdout


# The brackets keep the patterns from finding themselves.
def test_no_file_holds_a_path_of_one_machine(project: Path) -> None:
    assert git_grep(project, r"(^|[^[:alnum:]_.])/([w]ork|[r]oot|[f]arm|[t]mp/w)/", ".") == ""


def test_no_set_up_file_names_a_package_index(project: Path) -> None:
    pattern = r"[p]ypi\.org|[p]ythonhosted|[i]ndex-url|[f]ind-links|[t]rusted-host|[r]egistry\.npmjs"

    assert git_grep(project, pattern, *SET_UP) == ""
