"""The error rate of GNU Backgammon, by its own counting: its sum of errors is that of the PR, its number is not.

It counts every roll with two different plays, every double and answer, and not to double where a double would have lost
less than 0.16. Beavers and raccoons, and takes of them, it leaves out.
"""

from __future__ import annotations

from chouette.analysis import counting
from chouette.analysis.counting import SAME
from chouette.board.plays import results
from chouette.board.xgid import parse_xgid
from chouette.export.record import DOUBLE, DROP, NO_DOUBLE, PLAY, TAKE
from games.kernel.contract import JsonObject
from games.kernel.figures.skill import OtherRate, Sentence
from games.kernel.text import gettext_noop as _

PER_DECISION = 1000
"""The rate is in thousandths of a cube for each choice."""
CLOSE = 0.16
"""Not to double counts where a double would have lost less."""
_TWO = 2


def counts(row: JsonObject) -> bool:
    """Tell whether GNU Backgammon counts a graded row; those that were nobody's are no player's rows."""
    kind = row["kind"]
    if kind == PLAY:
        return row["counts"] or len(results(parse_xgid(row["xgid"]).position, tuple(row["dice"]))) >= _TWO
    if kind == DOUBLE:
        return bool(row["counts"])
    told = row["equities"]
    if kind == NO_DOUBLE:
        double = min(told["take"], told["drop"])
        return bool(max(told["no_double"], double) - double < CLOSE)
    if kind not in (TAKE, DROP) or parse_xgid(row["xgid"]).offer != "D":
        return False
    # With a dead cube neither counts anything; else the PR leaves out answers that are the same.
    return bool(row["counts"] or abs(told["take"] - told["drop"]) < SAME)


ERROR_RATE = OtherRate(
    _("Error rate of GNU Backgammon"),
    Sentence(
        _(
            "%(scale)s times the sum of the errors, divided by the number of choices that GNU Backgammon counts: every "
            "roll with two plays, every double, take and drop, and not to double where a double would have lost less "
            "than %(close)s. Only the sum of the errors can be compared with the PR's."
        ),
        {"scale": PER_DECISION, "close": CLOSE},
    ),
    PER_DECISION,
    counting.BY_KIND,
    counts,
)
