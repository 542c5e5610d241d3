"""The servers daphne and uvicorn: their connections before they become sockets, and the bounds of those."""
