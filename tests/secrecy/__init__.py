"""What a seat may not know never leaves the server: whole sessions, every byte looked at.

`SECRECY_SESSIONS=200 python -m pytest tests/secrecy` plays more sessions than a usual run.
"""
