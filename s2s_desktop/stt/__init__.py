"""Speech-to-text (STT): a speech segment becomes a transcript."""
