"""The kernel: what every game needs, in pure Python.

No Django, no Channels, no I/O. `tests/architecture` holds this room to it.
"""
