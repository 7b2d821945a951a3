"""Builds the stages that the settings ask for; one engine serves the window and the commands."""
