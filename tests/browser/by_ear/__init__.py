"""Somebody at a table who sees nothing but the accessibility tree."""
