"""PortAudio: the wheels for Windows and macOS carry it; on Linux it is the distribution's own.

In place of the hook of pyinstaller-hooks-contrib, which bundles the build machine's PortAudio: that one knows
neither the sound server nor the ALSA plugins of the user's distribution.
"""

from pathlib import Path

from PyInstaller.utils.hooks import get_module_file_attribute

_FOLDER = Path("_sounddevice_data", "portaudio-binaries")

_libraries = Path(get_module_file_attribute("sounddevice")).parent / _FOLDER
binaries = [(str(file), str(_FOLDER)) for file in _libraries.glob("*") if file.suffix in {".dll", ".dylib"}]
