#!/bin/bash
# Sign the .app, pack it into a disk image, and have Apple notarize that.  Not yet run on a Mac.
#
# usage: make_dmg.sh
#
# MACOS_IDENTITY   name of a "Developer ID Application" certificate in the keychain; without it the .app is
#                  signed for this machine only, and others open it as docs/INSTALL.md says
# NOTARY_PROFILE   a profile of `notarytool store-credentials`; without it nothing is notarized
set -euo pipefail
cd "$(dirname "$0")/../.."

app="build/package/program/S2S Desktop.app"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
image="dist/S2S-Desktop-$version-macos-$(uname -m).dmg"
entitlements=packaging/macos/entitlements.plist
identity=${MACOS_IDENTITY:--}

sign() {
    if [ "$identity" = - ]; then
        codesign --force --sign - "$@"
    else
        codesign --force --sign "$identity" --options runtime --timestamp "$@"
    fi
}

# From the inside out: `codesign --deep` would give the entitlements to every library.
find "$app/Contents" -type f \( -name '*.so' -o -name '*.dylib' \) -print0 |
    while IFS= read -r -d '' library; do sign "$library"; done
find "$app/Contents/Frameworks" -type d -name '*.framework' -prune -print0 |
    while IFS= read -r -d '' framework; do sign "$framework"; done
sign --entitlements "$entitlements" "$app/Contents/MacOS/s2s-desktop"
sign --entitlements "$entitlements" "$app"
codesign --verify --strict --verbose=2 "$app"

staging=build/package/dmg
rm -rf "$staging" "$image"
mkdir -p "$staging" dist
ditto "$app" "$staging/S2S Desktop.app"
ln -s /Applications "$staging/Applications"

# Spotlight or a virus scanner may hold the new volume: "Resource busy".
attempt=1
until hdiutil create -volname "S2S Desktop" -srcfolder "$staging" -fs HFS+ -format ULMO -ov "$image"; do
    [ "$attempt" -lt 5 ] || exit 1
    sleep $((attempt * 5))
    attempt=$((attempt + 1))
done

if [ "$identity" != - ]; then
    codesign --sign "$identity" --timestamp "$image"
fi
if [ -n "${NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
fi
echo "$image"
