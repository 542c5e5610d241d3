"""The formula in sentences, for the page of one's own play: what counts, and how luck is taken."""

from __future__ import annotations

from chouette.analysis import counting
from games.kernel.figures.skill import Sentence
from games.kernel.text import gettext_noop as _

WHAT_COUNTS = (
    Sentence(
        _(
            "The PR is %(scale)s times the sum of the errors, divided by the number of choices that count, as XG "
            "counts. An error is in units of the cube before the choice."
        ),
        {"scale": counting.PER_DECISION},
    ),
    Sentence(
        _("A play counts where there are two or more, and those looked at most deeply are %(spread)s or more apart."),
        {"spread": counting.SAME_PLAY},
    ),
    Sentence(
        _(
            "Not to double counts where it costs %(same)s or more. Else it does not count where both ways are less "
            "than %(same)s apart, where not to double is better than a double taken or one dropped by more than "
            "%(far)s, or where it and a double taken are both below %(lost)s."
        ),
        {"same": counting.SAME, "far": counting.FAR, "lost": counting.LOST},
    ),
    Sentence(
        _(
            "A double always counts. To take or to drop counts unless both are less than %(same)s apart; a beaver or "
            "raccoon counts as the take in it, against its own equity."
        ),
        {"same": counting.SAME},
    ),
    Sentence(_("Nothing counts with a dead cube or before the first play, or where the clock or the rules chose.")),
    Sentence(
        _(
            "A settlement is graded for both sides, by what its cube was worth, and so is an extra given, or not "
            "given, to the only taker; they stand among the mistakes and count in no PR. Where an extra ends with its "
            "taker's own cube, its other side has chosen nothing."
        )
    ),
    Sentence(
        _(
            "Not graded are resignations and their answers, settlements that were refused or had no answer, whether "
            "an automatic double was agreed to, and the choice of a partner."
        )
    ),
    Sentence(
        _(
            "The luck of a roll is the equity after it, best played, less the mean over the 21 rolls, doubles once "
            "and others twice; of the first roll, over the 15 without doubles for both sides."
        )
    ),
    Sentence(_("That being Box falls to whoever wins is in no figure.")),
)
