"""The address that takes a spreadsheet of 1 MiB: signed for an hour, for an account and a season.

Limits of a spreadsheet that is read in.
"""

from __future__ import annotations

import re

from django.conf import settings

from games import addresses
from games.kernel.contract import Illegal

MOST = 1 << 20
"""The most bytes of a body there."""
_PURPOSE = "sheets"
_PATH = re.compile(r"season/(?P<season>[-\w]+)/sheet/read/(?P<token>[-\w:.]+)/", re.ASCII)


def token(user_id: int, season: str) -> str:
    """Return the part of the address that is signed for an account and a season's public id."""
    return addresses.signed_token(_PURPOSE, user_id, season)


def account_of(signed: str, season: str) -> int | None:
    """Return the account for which a part of an address was signed within the hour for a season, else None."""
    return addresses.account_of_token(_PURPOSE, signed, season)


def is_open(path: str) -> bool:
    """Tell whether a path is such an address."""
    if not path.startswith(settings.BASE_PATH):
        return False
    found = _PATH.fullmatch(path.removeprefix(settings.BASE_PATH))
    return found is not None and account_of(found["token"], found["season"]) is not None


MOST_ROWS, MOST_COLUMNS = 5_000, 60
LONGEST_CELL = 200
MOST_CHARACTERS = 2_000_000
"""The most characters of all cells."""
MOST_UNPACKED = 16 << 20
"""The most bytes of a workbook's parts."""
MOST_PARTS, MOST_SHEETS = 300, 30
MOST_CELLS = 100_000
"""The most cells of a table, empty ones too."""
MOST_LOOKED_AT = 150_000
"""The most cells of a workbook that are looked at, empty ones too: one in the last column makes a row of 16,384."""
MOST_MARKS = 250_000
"""The most elements, with their attributes, of a workbook's parts together: each costs some microseconds to read."""


def too_large() -> Illegal:
    """Return the refusal of a file that is too large."""
    return Illegal("sheet_large", megabytes=1, unpacked=MOST_UNPACKED >> 20)


def too_many_cells() -> Illegal:
    """Return the refusal of a table with too many rows, columns or cells."""
    return Illegal("sheet_rows", rows=MOST_ROWS, columns=MOST_COLUMNS, cells=MOST_CELLS)
