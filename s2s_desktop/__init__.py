"""S2S Desktop: a desktop voice assistant."""

__version__ = "0.1.0"
