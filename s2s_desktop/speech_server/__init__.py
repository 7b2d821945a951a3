"""Servers that hear or speak over the audio endpoints of the OpenAI API.

The stages `stt` and `tts` say in their own protocols what they need of such a server; this package fulfils it
with the HTTP parts of `llm`.
"""
