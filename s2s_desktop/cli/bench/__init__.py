"""`s2s-desktop bench`: how fast this computer runs the assistant, in figures that can be compared."""
