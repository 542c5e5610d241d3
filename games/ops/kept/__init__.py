"""What a process goes on with while a new version is put in its place: its own files, as they were at its start."""
