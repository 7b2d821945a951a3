"""Text-to-speech (TTS): the reply becomes speakable text, clauses and voice."""
