"""The window. It receives events and sends commands; it knows no stage."""
