"""Sound cards and sound files: microphone, speaker, level, resampling."""
