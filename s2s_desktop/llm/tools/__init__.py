"""What the language model may call."""
