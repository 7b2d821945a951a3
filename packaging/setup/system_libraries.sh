#!/bin/sh
# Make sure that the system packages which no Python package carries are there. Linux only.
#
# usage: system_libraries.sh talk|window|tests
#   talk    conversations from the command line
#   window  the same, and the sound card and Qt's windows
#   tests   the same, and a display and sound devices that need no hardware
#
# Installs them with apt for root on Debian and Ubuntu. Everybody else is told the command (exit code 1).
# S2S_SKIP_SYSTEM_LIBRARIES=1 goes on without them.
set -eu

# Purpose, and the package in Debian and Ubuntu, Fedora, and Arch Linux: all that Qt's platform plugins load
# (as in s2s_desktop/runtime/linux_libraries.py), the Kerberos that QtNetwork is linked with, and the libgomp
# of xllamacpp. A font comes with fontconfig.
packages_by_purpose() {
    cat <<'TABLE'
talk     libgomp1             libgomp                  gcc-libs
window   libportaudio2        portaudio                portaudio
window   libegl1              libglvnd-egl             libglvnd
window   libgl1               libglvnd-glx             libglvnd
window   libdbus-1-3          dbus-libs                dbus
window   libfontconfig1       fontconfig               fontconfig
window   libfreetype6         freetype                 freetype2
window   libglib2.0-0         glib2                    glib2
window   libgssapi-krb5-2     krb5-libs                krb5
window   libx11-6             libX11                   libx11
window   libx11-xcb1          libX11-xcb               libx11
window   libxkbcommon0        libxkbcommon             libxkbcommon
window   libxkbcommon-x11-0   libxkbcommon-x11         libxkbcommon-x11
window   libxcb1              libxcb                   libxcb
window   libxcb-cursor0       xcb-util-cursor          xcb-util-cursor
window   libxcb-icccm4        xcb-util-wm              xcb-util-wm
window   libxcb-image0        xcb-util-image           xcb-util-image
window   libxcb-keysyms1      xcb-util-keysyms         xcb-util-keysyms
window   libxcb-randr0        libxcb                   libxcb
window   libxcb-render0       libxcb                   libxcb
window   libxcb-render-util0  xcb-util-renderutil      xcb-util-renderutil
window   libxcb-shape0        libxcb                   libxcb
window   libxcb-shm0          libxcb                   libxcb
window   libxcb-sync1         libxcb                   libxcb
window   libxcb-util1         xcb-util                 xcb-util
window   libxcb-xfixes0       libxcb                   libxcb
window   libxcb-xkb1          libxcb                   libxcb
wayland  libwayland-client0   libwayland-client        wayland
wayland  libwayland-cursor0   libwayland-cursor        wayland
wayland  libwayland-egl1      libwayland-egl           wayland
tests    xvfb                 xorg-x11-server-Xvfb     xorg-server-xvfb
tests    pulseaudio           pulseaudio               pulseaudio
tests    pulseaudio-utils     pulseaudio-utils         libpulse
tests    dbus                 dbus-daemon              dbus
tests    libasound2-plugins   alsa-plugins-pulseaudio  alsa-plugins
TABLE
}

say() { printf '%s\n' "$*" >&2; }

# Print the packages for $1 (talk, window or tests) under the names of the package manager $2.
wanted_packages() {
    case $1 in
        talk) purposes=" talk " ;;
        window) purposes=" talk window ${WAYLAND_DISPLAY:+wayland }" ;;
        tests) purposes=" talk window tests " ;;
    esac
    packages_by_purpose | while read -r purpose debian fedora arch; do
        case $purposes in *" $purpose "*) ;; *) continue ;; esac
        case $2 in
            apt) echo "$debian" ;;
            dnf) echo "$fedora" ;;
            pacman) echo "$arch" ;;
        esac
    done | sort -u
}

# Print every name that is on a Debian system: the installed packages and what they provide. Ubuntu 24.04 and
# Debian 13, for example, have libglib2.0-0 under the name libglib2.0-0t64.
names_known_to_apt() {
    dpkg-query --show --showformat='${db:Status-Status} ${Package} ${Provides}\n' |
        grep '^installed ' | tr -s ', ' '\n' | sort -u
}

# Print the packages named after the package manager $1 that it has not installed.
missing_packages() {
    case $1 in
        apt)
            shift
            known=$(names_known_to_apt)
            for package in "$@"; do
                printf '%s\n' "$known" | grep -qxF "$package" || echo "$package"
            done
            ;;
        dnf)
            shift
            LC_ALL=C rpm --query --whatprovides "$@" | sed -n 's/^no package provides //p'
            ;;
        pacman)
            shift
            pacman --deptest "$@" || true
            ;;
    esac
}

# Nothing is ever removed to make room: on a desktop that could be its own sound server.
apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends --no-remove \
        -o DPkg::Lock::Timeout=120 "$@"
}

# The package lists are fetched only when those on the machine are too old or not there.
apt_update_and_install() {
    apt_install "$@" >/dev/null 2>&1 && return
    apt-get update -qq || say "apt-get could not fetch all package lists."
    apt_install "$@" >/dev/null
}

find_package_manager() {
    if command -v dpkg-query && command -v apt-get; then
        manager=apt
    elif command -v rpm && command -v dnf; then
        manager=dnf
    elif command -v pacman; then
        manager=pacman
    else
        manager=unknown
    fi >/dev/null
}

main() {
    case ${1:-} in
        talk | window | tests) ;;
        *) say "usage: system_libraries.sh talk|window|tests" && exit 2 ;;
    esac
    [ "$(uname -s)" = Linux ] || exit 0
    [ -z "${S2S_SKIP_SYSTEM_LIBRARIES:-}" ] || exit 0

    find_package_manager
    if [ "$manager" = unknown ]; then
        say "This Linux distribution has neither apt, dnf nor pacman. If something fails to start, install" \
            "what Debian calls:" "$(wanted_packages "$1" apt | tr '\n' ' ')"
        exit 0
    fi

    # shellcheck disable=SC2046 # one word a package
    missing=$(missing_packages "$manager" $(wanted_packages "$1" "$manager") | tr '\n' ' ')
    missing=${missing% }
    [ -n "$missing" ] || exit 0

    case $manager in
        apt) command="apt-get install $missing" ;;
        dnf) command="dnf install $missing" ;;
        pacman) command="pacman -S --needed $missing" ;;
    esac
    if [ "$(id -u)" -ne 0 ]; then
        command="sudo $command"
    elif [ "$manager" = apt ]; then
        say "Installing system packages that are missing: $missing"
        # shellcheck disable=SC2086 # one word a package
        apt_update_and_install $missing && exit 0
        say "apt-get could not install them; its own words are above."
    fi
    say "S2S Desktop needs system packages that are not installed. Please run"
    say "    $command"
    say "and then the same make command again. (To go on without them: S2S_SKIP_SYSTEM_LIBRARIES=1.)"
    exit 1
}

main "$@"
