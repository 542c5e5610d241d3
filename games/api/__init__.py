"""The HTTP API: the same as the live line, over requests (docs/protocol.md §8)."""
