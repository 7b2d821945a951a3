"""What the frozen program runs; it does what the `s2s-desktop` command does."""

import os
import sys


def _fill_standard_streams() -> None:
    """Open standard input, output and error where whoever started us has closed them.

    Else the next file that is opened, a log or a socket, would get their number, and the messages that
    libraries such as ALSA print with it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def _give_back_library_path() -> None:
    """Restore LD_LIBRARY_PATH as it was before PyInstaller's start code added the bundle to it.

    This process was linked by then; a browser that is started by it must not get our libraries.
    """
    if sys.platform == "linux" and getattr(sys, "frozen", False):
        original = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if original is not None:
            os.environ["LD_LIBRARY_PATH"] = original


if __name__ == "__main__":
    _fill_standard_streams()
    _give_back_library_path()

    from s2s_desktop.cli import main

    sys.exit(main())
