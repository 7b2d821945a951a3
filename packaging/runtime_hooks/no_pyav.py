"""Let faster_whisper be imported without PyAV, which it uses only to decode files; we give it samples."""

import sys
import types

sys.modules["av"] = types.ModuleType("av", "Not part of this bundle: sound files are read by soundfile.")
