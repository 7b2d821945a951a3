#!/bin/bash
# Put the signing certificate of the workflow's secrets into a keychain of its own.  Not yet run.
set -euo pipefail

keychain=$RUNNER_TEMP/signing.keychain-db
password=$(openssl rand -hex 24)
trap 'rm -f "$RUNNER_TEMP/certificate.p12"' EXIT

printf '%s' "$CERTIFICATE" | base64 --decode >"$RUNNER_TEMP/certificate.p12"
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -lut 21600 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$RUNNER_TEMP/certificate.p12" -P "$CERTIFICATE_PASSWORD" -T /usr/bin/codesign -k "$keychain"
security set-key-partition-list -S apple-tool:,apple: -s -k "$password" "$keychain" >/dev/null
security list-keychains -d user -s "$keychain" login.keychain-db
echo "MACOS_IDENTITY=$MACOS_IDENTITY" >>"$GITHUB_ENV"

if [ -n "${NOTARY_APPLE_ID:-}" ]; then
    xcrun notarytool store-credentials s2s-desktop --apple-id "$NOTARY_APPLE_ID" \
        --team-id "$NOTARY_TEAM_ID" --password "$NOTARY_PASSWORD"
    echo "NOTARY_PROFILE=s2s-desktop" >>"$GITHUB_ENV"
fi
