"""Match files for the tests."""

from __future__ import annotations

from chouette.export import mat, sgf
from chouette.rules.options.declaration import OPTIONS
from tests.chouette import botplay

SHORT = """; [Player 1 "Kari"]
; [Player 2 "Per"]
; [Jacoby "On"]
; [Beavers "On"]

 0 point match

 Game 1
 Kari : 0                          Per : 0
  1) 31: 8/5 6/5                   52: 13/11 13/8
  2)  Doubles => 2                  Takes
  3) 66: 24/18(2) 13/7(2)           Doubles => 4
  4)  Drops
                                   Wins 2 points
"""


def session(preset="match", options=None, seed=1, games=3, levels=("net", "noisy"), **how):
    """Return a session of bots."""
    options = {"match_length": 5} if options is None and preset == "match" else options or {}
    return botplay.session(OPTIONS.values(preset, options), list(levels), seed, games, asides=False, **how)


def as_mat(table, member=0):
    return mat(table.options, 2, table.log, member, ("Kari", "Per"))


def as_sgf(table, member=0):
    return sgf(table.options, 2, table.log, member, ("Kari", "Per"))
