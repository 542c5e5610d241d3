"""The live line: sockets, rooms and the clock's thread. docs/protocol.md is its contract."""
