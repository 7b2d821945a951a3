"""`python -m s2s_desktop` does what the `s2s-desktop` command does."""

import sys

from s2s_desktop.cli import main

if __name__ == "__main__":
    sys.exit(main())
