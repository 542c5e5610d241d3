"""Rooms: the sockets of a table or a night, and the frames that are sent to them."""
