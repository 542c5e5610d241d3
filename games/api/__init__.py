"""The HTTP API: the same as the live line, asked instead of told (docs/protocol.md §8)."""
