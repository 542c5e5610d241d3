"""The bots of a game: everything that the house asks them, as one record of functions.

They get the seat's view, of the game's own shape, and nothing more, and run in threads of their own: no database there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.kernel.contract import Choice, JsonObject, Seat

Answer: TypeAlias = tuple[str, JsonObject]
"""The name and the arguments of the choice to take."""


@dataclass(slots=True, kw_only=True, eq=False)
class Bots:
    """The functions of a game's bots; all but `choose` may be left out."""

    choose: Callable[[Any, list[Choice], str, int], Answer]
    """`choose(view, choices, level, seed)`: return which of the seat's required choices to take, and how."""

    aside: Callable[[Any, list[Choice], str, int], Answer | None] | None = None
    """`aside(view, choices, level, seed)`: return which of the open choices that are not required to take, or None.

    It is called at most once per log entry, so it should return None quickly.
    """

    waits: Callable[[Any, list[Choice]], bool] | None = None
    """`waits(view, choices)`: tell whether the bot would rather let others answer first, before its required choice.

    The answer counts for half a minute, and the function is called often: it must be quick.
    """

    listens: Callable[[Any, list[Choice]], tuple[Collection[Seat], float]] | None = None
    """`listens(view, choices)`: return the seats to which the bot would listen before its required choice, and for how
    many seconds from its opening on. It is heeded as `waits`, where a person sits on one of the seats.
    """

    hint: Callable[[Any, list[Choice]], JsonObject] | None = None
    """`hint(view, choices)`: return advice for a person on the seat.

    Raises Illegal `hints_off` (house rule), `not_open` (nothing to decide).
    """

    missing: Callable[[], Mapping[str, str]] | None = None
    """`missing()`: return the levels that can't be played on this machine now, each with what has to be
    installed for it: a marked text without a full stop. They are not offered; a bot of such a level that has a
    seat already must play on. The function is called for each page that offers bots: it must be quick.
    """
