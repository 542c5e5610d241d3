"""The servers daphne and uvicorn: their connections before they become sockets, and bounds on them."""
