"""One process of the server: its tasks in the background, its health, its end."""
