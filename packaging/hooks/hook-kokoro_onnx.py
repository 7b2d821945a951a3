"""kokoro_onnx reads config.json when it is imported."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files("kokoro_onnx")
