"""Reading of logs: pages of entries, replays, log files of old tables, the archive."""
