"""Tables: the commit of every command, setup, decisions, snapshots."""
