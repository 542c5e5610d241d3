"""The HTTP API: the same functions as the live connection, by requests (docs/protocol.md §8)."""
