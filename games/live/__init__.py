"""The live connections: sockets, rooms and the thread of the clock. Their contract is docs/protocol.md."""
