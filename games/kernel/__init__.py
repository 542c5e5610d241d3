"""The kernel: common ground of all games, in pure Python.

No Django, no Channels, no I/O. `tests/architecture` holds this room to it.
"""
