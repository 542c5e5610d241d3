"""Anything at all against everything that reads what strangers send: nothing but refusals.

`python -m tests.fuzz 1000000` throws so many inputs; a share of them is in the usual run.
"""
