"""Voice activity detection (VAD) and endpointing: which samples are a turn of the user."""
