"""Settings of the servers that the live benchmark measures: the product's, without its limits.

The load comes from one address and plays faster than people do.
"""

import os

for _name in (
    "SOCKETS_PER_ADDRESS",
    "SOCKETS_PER_GUEST",
    "MESSAGES_PER_20S",
    "MESSAGES_PER_20S_PLAYING",
):
    os.environ.setdefault(_name, "1000000")

from games.settings import *  # noqa: E402, F403
