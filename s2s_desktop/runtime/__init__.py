"""What keeps the program running: the Qt loop, tasks, workers, start-up checks."""
