"""The kernel: code that all games share, in pure Python.

No Django, no Channels, no I/O. `tests/architecture` checks this.
"""
