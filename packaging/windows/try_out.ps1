# Install silently where a path is difficult, try the program out, and remove it again.  Not yet run.
$ErrorActionPreference = "Stop"

$installer = Get-ChildItem dist\s2s-desktop-*-windows-x64.exe | Select-Object -First 1
$target = Join-Path $env:RUNNER_TEMP "S2S Désktop ü"
$setup = Start-Process $installer.FullName -Wait -PassThru `
    -ArgumentList "/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART", "/CURRENTUSER", "/DIR=`"$target`""
if ($setup.ExitCode -ne 0) { throw "the installer ended with $($setup.ExitCode)" }

$models = Join-Path $env:RUNNER_TEMP "models-home"
$env:S2S_DESKTOP_HOME = $models
& "$target\s2s-desktop.exe" models get
if ($LASTEXITCODE -ne 0) { throw "models get ended with $LASTEXITCODE" }
$env:S2S_DESKTOP_HOME = ""
python packaging/smoke_test.py --models "$models\models" $target
if ($LASTEXITCODE -ne 0) { throw "the smoke test ended with $LASTEXITCODE" }

$removal = Start-Process "$target\unins000.exe" -Wait -PassThru `
    -ArgumentList "/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART"
if ($removal.ExitCode -ne 0) { throw "the removal ended with $($removal.ExitCode)" }
if (Test-Path "$target\_internal") { throw "the removal left the program" }
