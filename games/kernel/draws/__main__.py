"""Draws tables: `python -m games.kernel.draws [--lines] < input > output`; docs/tournaments.md."""

from __future__ import annotations

import sys

from games.kernel import json_commands
from games.kernel.draws.draw import answer

BAD_JSON = {"error": {"code": "bad_json", "at": ""}}

if __name__ == "__main__":
    sys.exit(json_commands.run(json_commands.decoded(answer, BAD_JSON), sys.argv[1:]))
