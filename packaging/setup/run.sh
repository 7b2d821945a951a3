#!/bin/sh
# Set everything up and open the window. Without a display, hold a sample conversation instead.
#
# usage: run.sh [options of s2s-desktop]
set -eu
cd "$(dirname "$0")/../.."

QUESTION=s2s_desktop/resources/audio/sample_question.wav
REPLY=build/reply.wav

say() { printf '%s\n' "$*" >&2; }

has_display() { [ "$(uname -s)" != Linux ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }

if has_display; then
    packaging/setup/system_libraries.sh window
    packaging/setup/environment.sh
    .venv/bin/s2s-desktop models get ||
        say "The models are not complete. The window opens anyhow: you can type to a provider of your own."
    exec .venv/bin/s2s-desktop "$@"
fi

say "This machine has no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so the window cannot open." \
    "Holding a sample conversation instead: a recorded question is asked, and the spoken reply is saved."
packaging/setup/system_libraries.sh talk
packaging/setup/environment.sh
.venv/bin/s2s-desktop models get
mkdir -p build
.venv/bin/s2s-desktop talk --input "$QUESTION" --output "$REPLY" "$@"
say "The spoken reply is in $REPLY."
