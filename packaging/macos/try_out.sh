#!/bin/bash
# Take the .app out of the disk image to a difficult path, and try it out.  Not yet run on a Mac.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)/"S2S Désktop ü"
volume=$(mktemp -d)
mkdir -p "$folder"
hdiutil attach dist/*.dmg -mountpoint "$volume" -nobrowse -readonly
ditto "$volume/S2S Desktop.app" "$folder/S2S Desktop.app"
hdiutil detach "$volume"

programs="$folder/S2S Desktop.app/Contents/MacOS"
home=$(mktemp -d)
S2S_DESKTOP_HOME=$home "$programs/s2s-desktop" models get
python packaging/smoke_test.py --models "$home/models" "$programs"
