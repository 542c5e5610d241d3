"""Settings of the servers that the live benchmark measures: the product's, without its limits.

The load comes from one address and plays faster than people do.
"""

import os

for _name in (
    "SOCKETS_PER_ADDRESS",
    "SOCKETS_PER_GUEST",
    "SOCKETS_PER_PLAYER",
    "MESSAGES_ALLOWED",
    "MESSAGES_PLAYING",
    "MESSAGES_PER_SOCKET",
):
    os.environ.setdefault(_name, "1000000")

from games.settings import *  # noqa: E402, F403
