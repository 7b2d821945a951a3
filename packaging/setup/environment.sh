#!/bin/sh
# Make the Python environment .venv and install S2S Desktop into it. Instant when nothing changed.
#
# usage: environment.sh [dev]
#   dev  also what the tests and checks need
#
# PYTHON names the interpreter to use; without it a fitting one is looked for.
set -eu
cd "$(dirname "$0")/../.."

say() { printf '%s\n' "$*" >&2; }

# What a Python is: two names of the same interpreter give the same answer, also from inside .venv.
identity() { "$1" -c 'import sys; print(sys.version, sys.base_prefix)' 2>/dev/null; }

fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }

can_make_environments() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

version() { "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null; }

# Set `python` to the interpreter to use, or say what is wrong and exit.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3.12 python3.13 python3.11 python3 python
    fi
    seen='' without_venv=''
    for python in "$@"; do
        found=$(version "$python") || continue
        if ! fits "$python"; then
            seen="$seen $python ($found)"
        elif ! can_make_environments "$python"; then
            without_venv="$python"
        else
            return 0
        fi
    done

    if [ -n "$without_venv" ]; then
        minor=$("$without_venv" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        say "$without_venv fits, but its venv module is missing. Please install it" \
            "(Debian and Ubuntu: as root, apt-get install python$minor-venv) and run the same command again."
    elif [ -n "${PYTHON:-}" ] && [ -z "$seen" ]; then
        say "PYTHON=$PYTHON is no Python that runs. Please name a Python 3.11, 3.12 or 3.13."
    else
        say "S2S Desktop needs Python 3.11, 3.12 or 3.13.${seen:+ Found only:$seen.}"
        say "Please install one (Debian, Ubuntu: sudo apt-get install python3 python3-venv;" \
            "Fedora: sudo dnf install python3.12; macOS: brew install python@3.12)," \
            "or name yours: make run PYTHON=/path/to/python3.12"
    fi
    exit 1
}

# True when .venv runs, is complete, and is made from the interpreter that was asked for.
environment_is_usable() {
    .venv/bin/python -c 'import pip' 2>/dev/null || return 1
    [ -z "${PYTHON:-}" ] || [ "$(identity .venv/bin/python)" = "$(identity "$PYTHON")" ]
}

# An installation is known by where it is (its scripts hold that path) and by what it was asked to install.
receipt() { printf '%s\n' "$PWD" | cat - pyproject.toml; }

is_installed() { [ -f ".venv/$1.receipt" ] && receipt | cmp -s - ".venv/$1.receipt"; }

main() {
    case ${1:-} in
        '') kind=run package=. ;;
        dev) kind=dev package='.[dev]' ;;
        *) say "usage: environment.sh [dev]" && exit 2 ;;
    esac
    if ! environment_is_usable; then
        find_python
        say "Making the Python environment .venv with $python ($(version "$python"))."
        "$python" -m venv --clear .venv
    elif is_installed "$kind"; then
        exit 0
    fi

    say "Installing S2S Desktop into .venv; the first time this downloads about 250 MB."
    if ! .venv/bin/python -m pip install --disable-pip-version-check --editable "$package"; then
        say "The installation is not complete; pip's own words are above. Nothing is lost: run the same" \
            "command again. Behind a proxy set HTTPS_PROXY first; pip also follows your own configuration."
        exit 1
    fi
    receipt >.venv/run.receipt
    [ "$kind" = run ] || receipt >".venv/$kind.receipt"
}

main "$@"
