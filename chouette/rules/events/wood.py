"""Events of a game on a real board: told results, acts taken back, corrections."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from chouette.rules.events.fact import Fact
from chouette.rules.events.phrases import HOST_OR_SEAT, points_of
from chouette.rules.state import (
    BETWEEN,
    ENDED,
    KEPT_ACTS,
    PLAYING,
    RESULT,
    WOOD,
    BoardAct,
    CubeTransfer,
    Game,
    ScoreRow,
    State,
    ToldResult,
    with_game,
)
from games.kernel.contract import JsonObject, Seat
from games.kernel.data.records import changed
from games.kernel.sent import Items
from games.kernel.sentences import (
    each,
    given,
    name_of,
    ngettext,
    number_of,
    phrase,
    pick,
    same,
    say,
    some,
    times,
    together,
    when,
)
from games.kernel.text import gettext_noop as _

CubeRow: TypeAlias = Annotated[list[Any], Items(int, Seat, int, bool)]
"""A cube's number, its member, its value, and whether it was turned."""


class ActNoted(Fact):
    """An act at a real board begins, by its choice; its own events follow."""

    seat: Seat
    act: str

    def apply(self, state: State, seq: int) -> State:
        """Keep the table as it is before the act.

        While anything is sealed nothing is kept, because the decisions opened again would reveal it: then this
        act is taken back together with the act before it, and only by the host.
        """
        if state.game is not None and _is_sealed(state.game):
            *rest, last = state.acts or (None,)
            return changed(state, acts=(*rest, replace(last, is_last=False)) if last else ())
        game = state.game and changed(state.game, proposals=(), closed=(), talk=())
        before = (state.phase, game, state.carry, state.agreed, state.partner, state.crawford)
        act = BoardAct(self.seat, self.act, *before, seq=seq)
        return changed(state, acts=(*state.acts, act)[-KEPT_ACTS:])


def _is_sealed(game: Game) -> bool:
    offered = game.resignation
    return bool(game.answers or game.said or (offered is not None and (offered.accepted or offered.refused)))


class ActTakenBack(Fact):
    """An act at a real board is taken back, by its seat or by the host."""

    seat: Seat
    act: str
    by_host: bool
    is_headline = True
    sentence = pick(
        "act",
        {
            "begin_game": _("The game has not begun yet: that is taken back."),
            "tie": _("The tie is taken back."),
            "automatic": _("%(name)s's answer to the tie is taken back."),
            "double": _("%(name)s's double is taken back."),
            "offer": _("%(name)s's double is taken back."),
            "withdraw_double": _("%(name)s's double stands after all."),
            "answer": _("The answers are taken back: the double is answered anew."),
            "answer_batch": _("%(name)s's answer is taken back."),
            "reply": _("The replies are taken back."),
            "result": _("%(name)s takes the result back."),
            "answer_result": _("%(name)s's answer to the result is taken back."),
            "resign": _("%(name)s does not resign after all."),
            "answer_resignation": _("The answers to the resignation are taken back."),
        },
        otherwise=_("%(name)s: the last act is taken back."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Restore the state before the act: open decisions get a new basis, later offers are dropped, talk is kept."""
        *rest, act = state.acts
        game = state.game if act.game is None or state.game is None else _as_before(act.game, state.game, seq)
        names = ("phase", "carry", "agreed", "partner", "crawford")
        parts: dict[str, Any] = {name: getattr(act, name) for name in names}
        if act.phase != PLAYING:
            parts["before"] = state.before[:-1]
        return changed(state, acts=tuple(rest), game=act.game and game, opened=seq, **parts)


def _as_before(before: Game, now: Game, seq: int) -> Game:
    """Return a game as it was before an act; a game that ended before the running one is unchanged."""
    if before.number != now.number:
        return before
    offered = before.resignation
    return changed(
        before,
        opened=seq,
        reopened=(),
        talk=now.talk,
        asked=now.asked,
        asks=tuple(replace(ask, opened=seq) for ask in before.asks),
        resignation=offered and replace(offered, opened=seq),
    )


class ResultTold(Fact):
    """A player tells the result of the real board: the `box` or the `team` wins, 1, 2 or 3 times the cube."""

    seat: Seat
    winner: str
    level: int
    answered_by = ("answer_result",)
    is_headline = True
    sentence = say(_("%(name)s says: %(result)s."), result=phrase("told_text"))

    def apply(self, state: State, seq: int) -> State:
        """Ask the other side."""
        result = ToldResult(self.seat, self.winner, self.level)
        return with_game(state, stage=RESULT, told=result, opened=seq, reopened=(), proposals=())


class ResultRefused(Fact):
    """The other side does not agree to a told result."""

    seat: Seat
    is_headline = True
    sentence = _("%(name)s does not agree: the game goes on.")

    def apply(self, state: State, seq: int) -> State:
        """Go on with the game."""
        return with_game(state, stage=WOOD, told=None, opened=seq, reopened=())


class ResultAgreed(Fact):
    """The other side agrees to a told result, or (`seat` is null) the host has stated it."""

    seat: Seat | None
    winner: str
    level: int
    sentence = when(
        given("seat"), _("%(name)s agrees."), say(_("The host says: %(result)s."), result=phrase("told_text"))
    )

    def apply(self, state: State, seq: int) -> State:
        """Return to the board; the result follows."""
        return with_game(state, stage=WOOD, told=None)


class CubesTold(Fact):
    """The cubes of a game that was played without the house, as they stood: rows [cube, member, value, turned].

    What waited for an answer in it lapses.
    """

    cubes: list[CubeRow]
    sentence = together(
        _("Played without the house."),
        say(
            _("The cubes stood at %(cubes)s."),
            cubes=each("cubes", say("%(who)s %(value)s", who=name_of("item.1"), value="item.2")),
        ),
    )

    def apply(self, state: State, seq: int) -> State:
        """Set the cubes; only the result is still to come."""
        game = state.game
        if game is None:
            return state
        told = {cube: (value, turned) for cube, _, value, turned in self.cubes}
        cubes = tuple(
            replace(cube, value=told[i][0], turned=told[i][1]) if i in told else cube
            for i, cube in enumerate(game.cubes)
        )
        waiting: dict[str, Any] = dict.fromkeys(_WAITING, ())
        return with_game(
            state, cubes=cubes, stage=WOOD, resignation=None, told=None, is_without_house=True, opened=seq, **waiting
        )


_WAITING = ("reopened", "batch", "answers", "sealed", "beavers", "asks", "said", "proposals", "refused")


class GameTakenBack(Fact):
    """The game that was played last is taken back whole, with its result, which entry `of` had (null: it still ran)."""

    number: int
    of: int | None
    line: list[Seat]
    points: list[int]
    is_final = True
    is_headline = True
    sentence = _("Game %(number)s is taken back.")

    def apply(self, state: State, seq: int) -> State:
        """Restore the table before the game."""
        *rest, mark = state.before
        names = ("players", "line", "why", "line_box", "passed", "carry", "agreed", "partner", "crawford", "loser")
        parts: dict[str, Any] = {name: getattr(mark, name) for name in names}
        return changed(
            state,
            phase=BETWEEN,
            game=None,
            opened=seq,
            before=tuple(rest),
            ready=(),
            sheet=state.sheet[: mark.rows],
            last_game=mark.last_game,
            **parts,
        )


_STRUCK = each("rows", when("struck", "%(game)s"))


class ResultCorrected(Fact):
    """The result of the game that entry `of` ended is corrected, with all rows that change by it."""

    seat: Seat | None
    of: int
    told: JsonObject
    why: str
    rows: list[JsonObject]
    crawford: str
    dropped: bool
    points: list[int]
    score: list[int]
    is_final = True
    fixes_games = True
    is_headline = True
    sentence = together(
        say(
            _("%(by)s corrects game %(number)s: %(winner)s wins %(points)s (%(why)s)."),
            by=HOST_OR_SEAT,
            number=each("rows", when(same("seq", "of"), "%(game)s")),
            winner=name_of("told.winner"),
            points=points_of(times("told.level", "told.cube")),
        ),
        when(
            some("rows", "struck"),
            ngettext(
                "Game %(games)s no longer counts.",
                "Games %(games)s no longer count.",
                number_of(_STRUCK),
                games=_STRUCK,
            ),
        ),
        say(
            _("The match stands at %(score)s."),
            score=each("score", say("%(who)s %(item)s", who=name_of("index"))),
        ),
    )

    def apply(self, state: State, seq: int) -> State:
        """Replace the rows; a running game becomes the Crawford game, or is none any more."""
        by_number = {row["game"]: row for row in self.rows}
        sheet = tuple(
            _as_corrected(row, by_number[row.number]) if row.number in by_number else row for row in state.sheet
        )
        parts: dict[str, Any] = {"sheet": sheet, "crawford": self.crawford}
        if self.dropped:
            state = with_game(state, stage=ENDED, opened=seq, talk=(), proposals=(), resignation=None, told=None)
        elif state.phase == PLAYING:
            state = with_game(state, is_crawford=self.crawford == "now")
        last = state.last_game
        if last is not None and (row := by_number.get(last["number"])) is not None and not row["struck"]:
            parts["last_game"] = {**last, **row["ended"]}
            parts["why"] = row["ended"]["why"] if state.why == last["why"] else state.why
        return changed(state, **parts)


def _as_corrected(row: ScoreRow, data: JsonObject) -> ScoreRow:
    transfers = tuple(CubeTransfer(*each) for each in data["transfers"])
    more = {"is_crawford": data["crawford"], "is_struck": data["struck"]}
    return replace(row, winner=data["winner"], transfers=transfers, **more)


class MatchReopened(Fact):
    """A match that was over goes on, with its next game."""

    fixes_games = True
    is_headline = True
    sentence = _("Nobody has won the match yet: it goes on.")

    def apply(self, state: State, seq: int) -> State:
        """Open the match again."""
        return changed(state, phase=BETWEEN, ended=None, opened=seq)
