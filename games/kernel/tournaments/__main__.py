"""Answers for a tournament: `python -m games.kernel.tournaments [--lines] < input > output`; docs/tournaments.md.

Chance, version 3: HMAC-SHA-256(seed, digest of who is here and what they have played), as `chance.digest` says.
"""

from __future__ import annotations

import sys

from games.kernel.json import commands
from games.kernel.tournaments.answers import answer, refusal

if __name__ == "__main__":
    sys.exit(commands.run(commands.decoded(answer, refusal("bad_json")), sys.argv[1:]))
