"""Rooms: the sockets of a table or a night, and what they are sent."""
