"""What the user chose, where it is kept, and which source wins."""
