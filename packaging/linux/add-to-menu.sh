#!/bin/sh
# Put S2S Desktop into the menu of your desktop, or take it out again. Nothing else is installed.
#
# usage: add-to-menu.sh [remove]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$share/applications/s2s-desktop.desktop
icons=$share/icons/hicolor

case ${1:-} in
    remove)
        rm -f "$entry" "$icons"/*/apps/s2s-desktop.png "$icons/scalable/apps/s2s-desktop.svg"
        exit 0
        ;;
    '') ;;
    *) echo "usage: add-to-menu.sh [remove]" >&2 && exit 2 ;;
esac

mkdir -p "$share/applications" "$icons"
cp -R "$here/share/icons/hicolor/." "$icons"
# Desktop Entry Specification, "The Exec key": quoted, and escaped once more as a string.
program=$(printf '%s' "$here/s2s-desktop" | sed 's/[\\"`$]/\\\\&/g; s/%/%%/g')
while IFS= read -r line; do
    case $line in
        Exec=*) printf 'Exec="%s"\n' "$program" ;;
        *) printf '%s\n' "$line" ;;
    esac
done <"$here/share/applications/s2s-desktop.desktop" >"$entry"
