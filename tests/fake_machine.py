"""A machine of fakes: set-up scripts run for real, on a PATH whose package manager and Python are ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]

TOOLS = ("sh", "cat", "cmp", "cp", "dirname", "grep", "mkdir", "sed", "sort", "tr")
"""The real programs that the scripts use."""

FAKE_PYTHON = """\
#!/bin/sh
# A Python that runs for real, knows another truth about itself, and makes environments whose pip is recorded.
case "$1 $2" in
    "-m venv")
        mkdir -p .venv/bin
        cp "$0" .venv/bin/python
        echo "venv by ${{0##*/}}" >>"{log}"
        ;;
    "-m pip")
        shift 2
        echo "pip $*" >>"{log}"
        cp "{bin}/s2s-desktop" .venv/bin/s2s-desktop
        exit "${{FAKE_PIP_EXIT:-0}}"
        ;;
    *) exec "{python}" -c 'import sys; {facts}; exec(sys.argv[1])' "$2" ;;
esac
"""


class Machine:
    """A machine with its own programs, a copy of the set-up scripts, and a record of what was called."""

    def __init__(self, root: Path) -> None:
        self.bin = root / "bin"
        self.log = root / "calls.log"
        self.tree = root / "tree"
        self.bin.mkdir(parents=True)
        self.environment: dict[str, str] = {}
        for tool in TOOLS:
            (self.bin / tool).symlink_to(str(shutil.which(tool)))
        shutil.copytree(PROJECT / "packaging" / "setup", self.tree / "packaging" / "setup")
        (self.tree / "pyproject.toml").write_text("[project]\n")
        self.be("Linux", root_user=False)
        self.program("s2s-desktop", f'echo "s2s-desktop $*" >>"{self.log}"')

    def program(self, name: str, script: str) -> None:
        """Put a program on the PATH."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def be(self, system: str, *, root_user: bool) -> None:
        """Choose the operating system and the user."""
        self.program("uname", f"echo {system}")
        self.program("id", f"echo {0 if root_user else 1000}")

    def have_apt(self, installed: str, apt_get: str = ":") -> None:
        """Be Debian: `installed` is the database (lines of status, package, what it provides)."""
        database = self.bin.parent / "dpkg.txt"
        database.write_text(installed)
        self.program("dpkg-query", f'cat "{database}"')
        self.program("apt-get", f'echo "apt-get $*" >>"{self.log}"\n{apt_get}')

    def have_python(self, name: str, facts: str = "pass") -> None:
        """Put a Python on the PATH; `facts` is code without single quotes that changes what it knows."""
        path = self.bin / name
        path.write_text(FAKE_PYTHON.format(log=self.log, bin=self.bin, python=sys.executable, facts=facts))
        path.chmod(0o755)

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a set-up script and return what came of it."""
        return subprocess.run(
            [str(self.tree / "packaging" / "setup" / script), *arguments],
            env={"PATH": str(self.bin), "HOME": str(self.bin.parent)} | self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def calls(self) -> list[str]:
        """Return what was called since the last look."""
        calls = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return calls
