"""Logs as they are read: pages of entries, replays, files of old tables, the archive."""
