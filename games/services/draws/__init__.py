"""Draws of a night: drawn tables and their rounds, splits and joins, the waiting list, strengths."""
