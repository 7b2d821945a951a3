"""Try out packages of S2S Desktop, or a program that PyInstaller made, before anybody else does.

usage: smoke_test.py [--models FOLDER] PACKAGE...

Each is installed in a path with a space and a letter beyond ASCII (a .deb with dpkg, over a lower version),
and run with no Python on PATH; on Linux and as root also without network and as a user who cannot write where
it is installed. With models it holds a spoken conversation: on Linux through virtual sound devices (Xvfb and
PulseAudio), elsewhere from a file in the self-test. Exit code 0: all of it worked.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from bundle import project
from smoke import checks
from smoke.checks import Bench, SmokeError
from smoke.installed import installed
from smoke.isolation import Isolation

from s2s_desktop.settings import file as settings_file
from s2s_desktop.settings.schema import Settings


def main() -> int:
    """Try out what the command line names."""
    parser = argparse.ArgumentParser(description="Try out packages of S2S Desktop.")
    parser.add_argument("package", type=Path, nargs="+")
    parser.add_argument("--models", type=Path, help="a folder with the default models")
    options = parser.parse_args()
    failed = 0
    for package in options.package:
        print(f"{package.name}:", flush=True)
        if package.suffix == ".deb" and os.geteuid() != 0:
            print("  not tried out: only root can install it", flush=True)
            continue
        try:
            with installed(package.resolve()) as program:
                _try_out(program, options.models)
        except (SmokeError, RuntimeError, ValueError) as error:
            print(f"  FAILED  {error}", flush=True)
            failed += 1
    return 1 if failed else 0


def _try_out(program: Path, models: Path | None) -> None:
    with tempfile.TemporaryDirectory(prefix="s2s-home-", ignore_cleanup_errors=True) as temporary:
        home = Path(temporary, "Jürgen Ω")
        home.mkdir()
        Path(temporary).chmod(0o755)
        _prepare(home, models)
        isolation = Isolation(home)
        print(f"  isolated from network and system: {'yes' if isolation.complete else 'no'}", flush=True)
        if sys.platform == "linux":
            _on_virtual_desktop(program, home, isolation, Path(temporary), with_models=models is not None)
        else:
            _checks(Bench(program, home, isolation, {}), with_models=models is not None)
        if not (home / "settings.toml").exists():
            raise SmokeError("the settings are gone")


def _prepare(home: Path, models: Path | None) -> None:
    """Give the program settings with which nothing has to be clicked away or fetched."""
    settings = Settings()
    settings = settings.model_copy(
        update={
            "general": settings.general.model_copy(update={"welcomed": True}),
            "audio": settings.audio.model_copy(update={"smart_turn": False}),
        }
    )
    settings_file.save(home / "settings.toml", settings)
    if models is not None:
        shutil.copytree(models, home / "models")
    if sys.platform == "linux":
        for path in [home, *home.rglob("*")]:
            path.chmod(0o777 if path.is_dir() else 0o666)


def _checks(bench: Bench, *, with_models: bool) -> None:
    print(f"  {checks.self_test(bench, with_models=with_models)}", flush=True)
    print(f"  {checks.quick_start(bench)}", flush=True)
    # A .deb belongs to the system, and nothing of a user's is put beside it.
    if with_models and not bench.program.is_relative_to("/usr"):
        print(f"  {checks.portable_mode(bench)}", flush=True)


def _on_virtual_desktop(
    program: Path, home: Path, isolation: Isolation, work: Path, *, with_models: bool
) -> None:
    sys.path.insert(0, str(project.ROOT / "tests"))
    from smoke import talking

    from virtual_audio import VirtualAudio
    from virtual_display import VirtualDisplay

    display = VirtualDisplay()
    try:
        with VirtualAudio() as audio:
            socket = Path(audio.env["ALSA_CONFIG_PATH"]).parent
            socket.chmod(0o755)
            names = ("PULSE_SERVER", "PULSE_COOKIE", "ALSA_CONFIG_PATH")
            extra = {"DISPLAY": display.name} | {name: audio.env[name] for name in names}
            bench = Bench(program, home, isolation, extra)
            _checks(bench, with_models=with_models)
            if with_models:
                print(f"  {talking.hold_conversation(bench, audio, work)}", flush=True)
    finally:
        display.stop()


if __name__ == "__main__":
    sys.exit(main())
