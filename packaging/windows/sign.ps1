# Sign files with the certificate of the workflow's secrets.  Not yet run.
#
# usage: sign.ps1 FILE...
# CERTIFICATE           a .pfx, in base64
# CERTIFICATE_PASSWORD  its password
$ErrorActionPreference = "Stop"

$pfx = Join-Path ([IO.Path]::GetTempPath()) "certificate.pfx"
try {
    [IO.File]::WriteAllBytes($pfx, [Convert]::FromBase64String($env:CERTIFICATE))
    $signtool = Get-ChildItem "${env:ProgramFiles(x86)}\Windows Kits\10\bin\*\x64\signtool.exe" |
        Sort-Object FullName | Select-Object -Last 1
    $files = $args | ForEach-Object { Get-Item $_ } | ForEach-Object FullName
    & $signtool.FullName sign /f $pfx /p $env:CERTIFICATE_PASSWORD /fd SHA256 /td SHA256 `
        /tr http://timestamp.digicert.com $files
    if ($LASTEXITCODE -ne 0) { throw "signtool ended with $LASTEXITCODE" }
} finally {
    Remove-Item -Force -ErrorAction SilentlyContinue $pfx
}
