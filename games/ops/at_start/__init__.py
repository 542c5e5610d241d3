"""The house's own files as they were at the start of a process, which goes on with them under a new version."""
