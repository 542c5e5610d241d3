"""Tables: the commit of every command, seats, chat, snapshots."""
