"""What the language model is reminded of, and how both protocols write it."""
