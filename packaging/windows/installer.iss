; Installer of S2S Desktop for Windows (Inno Setup 6.3 or later).  Not yet run on a Windows machine.
;
; ISCC.exe /DVersion=1.2.3 packaging\windows\installer.iss
;
; Installs for the current user, without administrator rights; whoever has them may choose all users.
; Source: build\package\program\s2s-desktop, as packaging\build_packages.py leaves it.

#ifndef Version
  #error Name the version: ISCC /DVersion=1.2.3
#endif
#define Title "S2S Desktop"
#define Program Title + ".exe"
#define Root "..\.."

[Setup]
; Never change it: by it Windows knows that a newer version replaces an older one.
AppId={{5E2A4C57-6A0B-4B46-9E67-0C1F6B1B7D21}
AppName={#Title}
AppVersion={#Version}
AppPublisher=The S2S Desktop authors
DefaultDirName={autopf}\{#Title}
DefaultGroupName={#Title}
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile={#Root}\packaging\licenses\GPL-3.0.txt
OutputDir={#Root}\dist
OutputBaseFilename=s2s-desktop-{#Version}-windows-x64
SetupIconFile={#Root}\build\package\pyinstaller\s2s_desktop\icon.ico
UninstallDisplayIcon={app}\{#Program}
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
CloseApplications=yes
RestartApplications=no

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked

[InstallDelete]
; Libraries of the older version must not mix with those of the new one.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Root}\build\package\program\s2s-desktop\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\{#Title}"; Filename: "{app}\{#Program}"
Name: "{autodesktop}\{#Title}"; Filename: "{app}\{#Program}"; Tasks: desktopicon

[Run]
Filename: "{app}\{#Program}"; Description: "{cm:LaunchProgram,{#Title}}"; Flags: nowait postinstall skipifsilent

[Registry]
; The program writes this value itself when "Start with login" is chosen; it must not outlive the program.
Root: HKCU; Subkey: "Software\Microsoft\Windows\CurrentVersion\Run"; ValueName: "s2s-desktop"; Flags: dontcreatekey uninsdeletevalue

[Code]
{ Conversations, settings and models stay unless the user wants them gone. A silent removal keeps them. }
procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
var
  Data: String;
begin
  if CurUninstallStep <> usPostUninstall then
    Exit;
  Data := ExpandConstant('{localappdata}\s2s-desktop');
  if not DirExists(Data) or UninstallSilent() then
    Exit;
  if MsgBox('Delete your settings, conversations and models too?' + #13#10#13#10 + Data,
            mbConfirmation, MB_YESNO or MB_DEFBUTTON2) = IDYES then
    DelTree(Data, True, True, True);
end;
