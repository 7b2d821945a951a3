"""The pages of the settings, one file each, and the larger parts of them."""
