"""Draws tables: `python -m games.kernel.draws [--lines] < input > output`; docs/tournaments.md."""

from __future__ import annotations

import sys

from games.kernel.draws.draw import answer
from games.kernel.json import commands

BAD_JSON = {"error": {"code": "bad_json", "at": ""}}

if __name__ == "__main__":
    sys.exit(commands.run(commands.decoded(answer, BAD_JSON), sys.argv[1:]))
