"""A game that was played while the house was out of reach, as told in the game's form (docs/rules-chouette.md §4.13).

It becomes the events of a whole game: the Box's questions, the beginning, the cubes as they stood, who went out before
the end, and the end. Points, sheet and line follow as in any other game. The game that ran when the house was lost is
ended as told, with the cubes that were out by then as they went out.
"""

from __future__ import annotations

from typing import Any

from chouette.rules import takeback
from chouette.rules.cube import automatics
from chouette.rules.cube.cubes import cube_points, live, worth
from chouette.rules.events.fold import EVENTS
from chouette.rules.events.session import LineSet
from chouette.rules.events.wood import CubesTold, GameTakenBack
from chouette.rules.seating import captaincy, ordering, passing_on, sitting_out
from chouette.rules.seating.rotation import BY_HAND
from chouette.rules.session import ending, match, opening, pause, score_sheet
from chouette.rules.state import (
    AUTOMATIC,
    BOX,
    HIGHEST_CUBE,
    KEPT_ACTS,
    NO_GAME,
    PAUSE,
    PLAYING,
    TEAM,
    Draft,
    State,
    initial,
    is_carry_open,
    is_over,
    is_two,
    is_wood,
    lineup,
    playing,
    rule_of,
)
from chouette.rules.wood import beginning
from games.kernel.contract import TAKE_BACK, TAKE_BACK_GAME, Illegal, JsonObject, Seat
from games.kernel.dice import SystemDice
from games.kernel.figures.game_forms import Fields, FormField, GameForm
from games.kernel.options import Values
from games.kernel.text import gettext_noop as _

MOST_TIES = 6
HIGHEST_TOLD = 256
_SIDES = {TEAM: _("Team"), BOX: _("Box")}
_LEVELS = {"1": _("plain"), "2": _("gammon"), "3": _("backgammon")}
_YES_NO = {"no": _("no"), "yes": _("yes")}
_CUBES = {str(2**n): str(2**n) for n in range(HIGHEST_TOLD.bit_length())}
_CUBE = FormField("cube", _("Cube"), words=_CUBES, unsaid=_("as the game began"))


def form(options: Values) -> GameForm | None:
    """Return the form of a game at a real board; None for one on the screen, or with game clocks.

    Of two players the cube is a field of the game, and nobody has an outcome of their own.
    """
    state = State(options, ())
    if not is_wood(state) or options.get("clock", "none") != "none":
        return None
    fields: Fields = (
        FormField("box", _("Box"), "seat", needed=True),
        FormField("winner", _("Winner"), words=_SIDES, needed=True),
        FormField("level", _("Level"), words=_LEVELS, needed=True),
        *_of_beginning(state),
    )
    if is_two(state):
        return GameForm((*fields, _CUBE))
    return GameForm(fields, (_CUBE, *_OF_MEMBERS))


_OF_MEMBERS: Fields = (
    FormField("sits_out", _("Sits out"), words=_YES_NO, unsaid=_("as before")),
    FormField("winner", _("Own outcome"), words=_SIDES, unsaid=_("as the game")),
    FormField("level", _("Own level"), words=_LEVELS, unsaid=_("plain")),
)


def _of_beginning(state: State) -> Fields:
    ties = FormField("ties", _("Automatic doubles"), "count", most=MOST_TIES, unsaid=_("none"))
    carried = FormField("carried", _("Begun doubled"), words=_YES_NO, unsaid=_("no"))
    partner = FormField("partner", _("Partner in the Box"), words=_YES_NO, unsaid=_("no"))
    return (
        *((ties,) if rule_of(state, "automatics") != "off" else ()),
        *((carried,) if rule_of(state, "automatics") == "carry_over" else ()),
        *((partner,) if rule_of(state, "partner") == "optional_from" else ()),
    )


def before(options: Values, seats: int, told: JsonObject) -> State:
    """Return the state before a past game: the Box as told, then the others in the order of the seats."""
    box = told["game"]["box"]
    draft = Draft(EVENTS, initial(options, seats), SystemDice(), seq=1)
    draft.add(LineSet(line=[box, *(seat for seat in range(seats) if seat != box)], why=BY_HAND))
    return draft.state


def example(state: State) -> JsonObject | None:
    """Return a game as told that may be handed over now: the Box loses plainly; None while none may be."""
    found = form(state.options)
    if found is None or is_over(state) or state.clock is not None or state.clock_rules is not None:
        return None
    if state.phase != PLAYING and (state.phase not in NO_GAME or ordering.to_throw(state)):
        return None
    box = playing(state).box if state.phase == PLAYING else lineup(state)[0]
    told: JsonObject = {"game": {"box": box, "winner": TEAM, "level": "1"}}
    return {**told, "seats": {}} if found.of_seat else told


def is_told(state: State, args: Any) -> bool:
    """Tell whether arguments keep the form; raises Illegal `bad_form` with the field that does not."""
    found = form(state.options)
    if found is not None:
        found.check(args, len(state.players))
    return found is not None


def hand_over(draft: Draft, house: None, args: JsonObject) -> None:
    """Write a game as told. Raises Illegal `other_box`, `other_players`, `no_such_start`, `cube_too_low`,
    `nobody_so`, `one_cube`, and `crawford_doubled`.
    """
    game, seats = args["game"], {int(seat): told for seat, told in args.get("seats", {}).items()}
    if draft.state.phase != PLAYING:
        _begin(draft, game, seats)
    elif playing(draft.state).box != game["box"]:
        raise Illegal("other_box")
    else:
        _check_beginning(draft.state, game)
        takeback.lapse(draft)
    for _number in range(game.get("ties", 0) - playing(draft.state).ties):
        _tie(draft)
    _tell_cubes(draft, game, seats)
    _end(draft, game, seats)


def _begin(draft: Draft, game: JsonObject, seats: dict[Seat, JsonObject]) -> None:
    """Begin the next game, with the Box's questions as told."""
    if draft.state.phase == PAUSE:
        pause.end(draft)
    _set_line(draft, game["box"], seats)
    box, is_carried = game["box"], game.get("carried") == "yes"
    if is_carry_open(draft.state):
        opening.answer_carry(draft, box, {"agree": is_carried})
    elif is_carried:
        raise Illegal("no_such_start")
    if captaincy.is_partner_open(draft.state):
        captaincy.answer(draft, box, {"take": game.get("partner") == "yes"})
    elif game.get("partner") == "yes":
        raise Illegal("no_such_start")
    opening.start_game(draft)


def _check_beginning(state: State, game: JsonObject) -> None:
    """Raise Illegal `no_such_start` if the game that runs has not begun as told; more ties may have followed."""
    now, before = playing(state), state.before[-1]
    begun = {"carried": before.carry and (now.box, True) in before.agreed, "partner": now.partner is not None}
    if any(name in game and (game[name] == "yes") != is_so for name, is_so in begun.items()):
        raise Illegal("no_such_start")
    if "ties" in game and game["ties"] < now.ties:
        raise Illegal("no_such_start")


def _set_line(draft: Draft, box: Seat, seats: dict[Seat, JsonObject]) -> None:
    """Set the line as told: seats that sat out, and the Box passed on; raises `other_players`, `other_box`."""
    for seat, told in seats.items():
        wanted = told.get("sits_out")
        if wanted is None or seat not in draft.state.line:
            continue
        if draft.state.players[seat].sits_out != (wanted == "yes"):
            if {"on": wanted == "yes"} not in sitting_out.ways(draft.state, seat):
                raise Illegal("other_players")
            sitting_out.sit_out(draft, seat, {"on": wanted == "yes"})
    while (first := lineup(draft.state)[0]) != box:
        if box not in lineup(draft.state) or not passing_on.may_pass(draft.state, first):
            raise Illegal("other_box")
        passing_on.pass_on(draft, first, {})


def _tie(draft: Draft) -> None:
    """Note a tie that had an effect; raises `no_such_start` where the rules give it none."""
    if not beginning.may_tie(draft.state, playing(draft.state)):
        raise Illegal("no_such_start")
    beginning.tie(draft, playing(draft.state).box, {})
    if playing(draft.state).stage == AUTOMATIC:
        automatics.answer(draft, playing(draft.state).box, {"agree": True})


def _tell_cubes(draft: Draft, game: JsonObject, seats: dict[Seat, JsonObject]) -> None:
    """Set the cubes as told; raises `other_players`, `cube_too_low`, `crawford_doubled`."""
    state, now = draft.state, playing(draft.state)
    members = {cube.member for cube in now.cubes if not cube.is_extra}
    if any(told.keys() - {"sits_out"} and seat not in members for seat, told in seats.items()):
        raise Illegal("other_players")
    rows = []
    for index in live(now):
        cube = now.cubes[index]
        told = game if is_two(state) else seats.get(cube.member, {})
        value = int(told.get("cube", cube.value))
        if value < cube.value or value > HIGHEST_CUBE:
            raise Illegal("cube_too_low", value=cube.value)
        if value > cube.value and (now.is_crawford or match.is_to_one(state)):
            raise Illegal("crawford_doubled", game=now.number)
        rows.append([index, cube.member, value, cube.turned or value > cube.value])
    draft.add(CubesTold(cubes=rows))


def _end(draft: Draft, game: JsonObject, seats: dict[Seat, JsonObject]) -> None:
    """End the game as told; seats with an outcome of their own go out before the others."""
    outs = _own_outcomes(draft.state, seats)
    if len(outs) == len(live(playing(draft.state))):
        raise Illegal("nobody_so")
    if outs:
        ending.go_out(draft, outs)
    left = playing(draft.state)
    if left.is_single and len({left.cubes[index].value for index in live(left)}) > 1:
        raise Illegal("one_cube")
    ending.finish(draft, game["winner"], int(game["level"]))


def _own_outcomes(state: State, seats: dict[Seat, JsonObject]) -> list[ending.Out]:
    """Return how the cubes went out of the members that were out before the end: those with an outcome of their own."""
    now, outs = playing(state), []
    for index in live(now):
        told, cube = seats.get(now.cubes[index].member, {}), now.cubes[index]
        if "winner" in told:
            points = worth(state, cube, int(told.get("level", "1")))
            loser = TEAM if told["winner"] == BOX else BOX
            outs.append((index, cube_points(loser, points), ending.KINDS[points // cube.value]))
    return outs


def may_take_back(state: State) -> bool:
    """Tell whether the game that was played last, or that runs, may be taken back whole."""
    return bool(state.before) and not is_over(state) and state.clock is None


def take_back(draft: Draft, house: None, args: JsonObject) -> None:
    """Take the last game and its result back; the next game begins with the present players."""
    state = draft.state
    if state.phase == PLAYING:
        takeback.lapse(draft)
    row = state.sheet[-1] if len(state.sheet) > state.before[-1].rows else None
    points = (
        [0] * len(state.players) if row is None else score_sheet.points(score_sheet.counted(row), len(state.players))
    )
    draft.add(
        GameTakenBack(
            number=match.games_played(state) + (row is None),
            of=None if row is None else row.seq,
            line=[] if row is None else sorted(row.line),
            points=[-n for n in points],
        )
    )


def taking_back(state: State, seq: int) -> tuple[str, JsonObject] | None:
    """Return the command that takes back the last thing done since an entry: a whole game, or an act of a running one.

    None if there is nothing; raises Illegal `cannot_take_back`.
    """
    if is_over(state) or state.fixed > seq:
        raise Illegal("cannot_take_back")
    ended = state.sheet[-1].seq if state.sheet else 0
    began = state.before[-1].seq if state.before and state.phase == PLAYING else 0
    are_all_acts_later = len(state.acts) == KEPT_ACTS and state.acts[0].seq > seq
    if max(ended, began) > seq or are_all_acts_later:
        if not may_take_back(state):
            raise Illegal("cannot_take_back")
        return TAKE_BACK_GAME, {}
    if state.phase == PLAYING and state.acts and state.acts[-1].seq > seq:
        return TAKE_BACK, {"seat": state.acts[-1].seat}
    return None
