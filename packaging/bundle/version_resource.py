"""The version that Windows shows in the properties of the program."""

from __future__ import annotations

from pathlib import Path

from bundle.project import Project

_ENGLISH_UNICODE = (0x0409, 1200)
"""Language and code page of the strings below."""


def numbers(version: str) -> tuple[int, int, int, int]:
    """Return a version as the four numbers that Windows wants: `1.2.3rc1` is (1, 2, 3, 0)."""
    release = version.split("+")[0].split("-")[0]
    parts = []
    for part in release.split(".")[:4]:
        digits = "".join(character for character in part if character.isdigit() or character in "abrc")
        leading = digits.split("a")[0].split("b")[0].split("r")[0]
        parts.append(int(leading or 0))
    return tuple([*parts, 0, 0, 0, 0][:4])  # type: ignore[return-value]


def text(project: Project) -> str:
    """Return the file that PyInstaller's `version` option reads: an expression of its own classes."""
    four = numbers(project.version)
    strings = {
        "CompanyName": project.title,
        "FileDescription": project.title,
        "FileVersion": project.version,
        "InternalName": project.name,
        "LegalCopyright": "Apache-2.0; this bundle is distributed under the terms of GPL-3.0",
        "OriginalFilename": f"{project.title}.exe",
        "ProductName": project.title,
        "ProductVersion": project.version,
    }
    entries = ",\n        ".join(f"StringStruct({key!r}, {value!r})" for key, value in strings.items())
    language, code_page = _ENGLISH_UNICODE
    return f"""\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={four}, prodvers={four}, mask=0x3F, flags=0, OS=0x40004, fileType=1, subtype=0),
  kids=[
    StringFileInfo([StringTable('{language:04X}{code_page:04X}', [
        {entries}
    ])]),
    VarFileInfo([VarStruct('Translation', [{language}, {code_page}])]),
  ],
)
"""


def write(project: Project, path: Path) -> str:
    """Write the file for PyInstaller and return its path."""
    path.write_text(text(project), encoding="utf-8")
    return str(path)
