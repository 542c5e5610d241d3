"""Servers: connections under daphne and uvicorn before they are sockets, and their bounds."""
