#!/bin/sh
# Build the packages of Linux into dist/, then try them out.
#
# usage: build.sh [options of build_packages.py]
#
# PYTHON        the interpreter that goes into the packages; else python3.12, which all parts support
# PACKAGE_ENV   an environment that has S2S Desktop and PyInstaller already; else build/package/venv is made
# SMOKE_MODELS  a folder with the default models, for the spoken conversation; else they are fetched
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

# What is needed besides Python, and the packages of Debian and Ubuntu with it.
check_tools() {
    for pair in strip:binutils xz:xz-utils dpkg-deb:dpkg xwininfo:x11-utils Xvfb:xvfb pulseaudio:pulseaudio; do
        command -v "${pair%%:*}" >/dev/null && continue
        say "${pair%%:*} is missing. Please install it (Debian, Ubuntu: sudo apt-get install ${pair#*:})."
        exit 1
    done
}

check_python() {
    if ! "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 12))' 2>/dev/null; then
        say "The packages are built with Python 3.12. Please install it, or name it:" \
            "make package PYTHON=/path/to/python3.12"
        exit 1
    fi
    if ! "$1" -c 'import sysconfig; raise SystemExit(not sysconfig.get_config_var("Py_ENABLE_SHARED"))'; then
        say "$1 was built without a shared library (libpython3.12.so), which PyInstaller needs." \
            "Take the distribution's own Python, or build one with --enable-shared."
        exit 1
    fi
}

make_environment() {
    check_python "${PYTHON:-python3.12}"
    "${PYTHON:-python3.12}" -m venv --clear "$environment"
    "$environment/bin/python" -m pip install --disable-pip-version-check --quiet \
        . --requirement packaging/requirements.txt
}

check_tools
export PYTHONPATH="$PWD"  # this source, whatever the environment has installed
environment=${PACKAGE_ENV:-build/package/venv}
[ -n "${PACKAGE_ENV:-}" ] || make_environment
"$environment/bin/python" packaging/build_packages.py "$@"

models=${SMOKE_MODELS:-}
if [ -z "$models" ]; then
    models=$PWD/build/package/home/models
    S2S_DESKTOP_HOME=$PWD/build/package/home "$environment/bin/python" -m s2s_desktop models get
fi
# shellcheck disable=SC2046 # one word a package
"$environment/bin/python" packaging/smoke_test.py --models "$models" \
    $(sed 's|^[0-9a-f]* *|dist/|' dist/SHA256SUMS)
