"""faster_whisper reads its own VAD model (assets/*.onnx) although we hand it sound that was cut already."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files("faster_whisper")

# Only for sound files, which soundfile reads here; PyAV and the FFmpeg inside it are 126 MB.
# `runtime_hooks/no_pyav.py` stands in for it.
excludedimports = ["av"]
