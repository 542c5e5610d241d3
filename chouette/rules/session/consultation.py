"""Consultation: talk in the Team, and suggested plays (docs/rules-chouette.md §§4.7, 4.9, 4.10).

Talk in the Team reaches only its members in the game: the Box, members out of the game and the
spectators never get it. A partner and the Box talk between themselves, under any rule for the
Team.
"""

from __future__ import annotations

from chouette.rules.cube.cubes import cube_of, deputy_of, is_in, members_in, roller
from chouette.rules.events.game import PlaySuggested, Talked, TalkOpened
from chouette.rules.state import BOX, MOVE, PLAYING, TEAM, Draft, Game, Remark, State, is_present, playing, rule_of
from games.kernel.contract import ALWAYS, JsonObject, Seat, Times
from games.kernel.records import TABLES, kept, kept_by
from games.kernel.text import gettext_noop as _

LONGEST = 200
PHRASES = (
    _("I would double."),
    _("No double yet."),
    _("I would take."),
    _("I would drop."),
    _("Your choice."),
)
"""Phrases listed in the choice to talk; any other text of 1 to 200 characters is accepted as well."""


def audience(state: State, game: Game, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats that hear a seat's talk, itself included; empty if it may not talk."""
    return audiences(state).get(seat, ())


def _parts(state: State) -> tuple[object, ...]:
    """Return the parts of the state that the audiences of talk depend on."""
    game, table = state.game, (state.phase, state.options, state.players)
    if game is None:
        return table
    return (*table, game.cubes, game.line, game.captain, game.partner, game.deputies, game.asked)


@kept
@kept_by(_parts, TABLES)
def audiences(state: State) -> dict[Seat, tuple[Seat, ...]]:
    """Return by seat the seats that hear its talk; a seat that may not talk may be missing."""
    game = state.game
    if game is None or state.phase != PLAYING:
        return {}
    listeners = tuple(sorted({*members_in(state, game), game.captain}))
    talking = listeners if len(listeners) > 1 else ()
    team = {seat: listeners for seat in talking if may_advise(state, game, seat)}
    pair = [seat for seat in (game.box, game.partner) if seat is not None]
    is_pair = len(pair) == 2 and all(is_present(state, seat) for seat in pair)
    return {**team, **dict.fromkeys(pair, tuple(sorted(pair)) if is_pair else ())}


def may_advise(state: State, game: Game, seat: Seat) -> bool:
    """Tell whether a member may talk in the Team; the Captain may whenever any member may."""
    rights = rule_of(state, "consultation")
    if rights == "none" or not (is_in(state, game, seat) or seat == game.captain):
        return False
    if rights == "cube_at_least":
        return _is_cube_high(state, game)
    if rights == "free" or seat in (game.captain, deputy_of(game, TEAM)):
        return True
    own = cube_of(game, seat)
    return seat in game.asked or (own is not None and game.cubes[own].turned)


def _is_cube_high(state: State, game: Game) -> bool:
    """Tell whether a cube in the game stands high enough for the talk to begin (§4.9)."""
    least = rule_of(state, "consultation_from")
    return any(cube.result is None and cube.value >= least for cube in game.cubes)


def may_speak(state: State, seat: Seat | None) -> bool:
    """Tell whether talk from a seat (None: from a person without one) may reach everybody now (§4.9).

    In a game the Box, its partner and members with the right to consult speak freely; so does a
    member alone against the Box, with nobody to advise.
    """
    game = state.game
    if game is None or state.phase != PLAYING:
        return True
    if seat is None or seat >= len(state.players):
        return False
    if seat in (game.box, game.partner):
        return is_present(state, seat)
    members = {*members_in(state, game), game.captain}
    return seat in members and (len(members) == 1 or may_advise(state, game, seat))


def is_beside_roller(game: Game, seat: Seat) -> bool:
    """Tell whether a roll waits for another player of the seat's side: if the seat may talk, it may suggest a play."""
    if game.stage != MOVE or seat == roller(game):
        return False
    return (seat in (game.box, game.partner)) == (game.turn == BOX)


def may_ask(state: State, game: Game, seat: Seat) -> tuple[Seat, ...]:
    """Return the members that the Captain may ask for advice on this play."""
    if seat not in (game.captain, deputy_of(game, TEAM)) or not rule_of(state, "captain_may_ask"):
        return ()
    return tuple(s for s in members_in(state, game) if not may_advise(state, game, s))


def readable(state: State, game: Game, viewer: Seat | None, times: Times = ALWAYS) -> tuple[Remark, ...]:
    """Return the lines that a viewer may read now: told to their seat, and the seat is not out.

    Only lines of the `times` at which the viewer sat there.
    """
    if viewer is None or state.phase != PLAYING or not game.talk:
        return ()
    is_inside = viewer in (game.box, game.partner, game.captain) or is_in(state, game, viewer)
    return tuple(ln for ln in game.talk if viewer in ln.audience and ln.seq in times) if is_inside else ()


def is_text(args: JsonObject) -> bool:
    """Tell whether arguments hold a line that can be shown."""
    text = args.get("text")
    if set(args) != {"text"} or not isinstance(text, str):
        return False
    return 0 < len(text) <= LONGEST and text.isprintable() and bool(text.strip())


def talk(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Say a text to the seat's own side."""
    listeners = audience(draft.state, playing(draft.state), seat)
    draft.tell(listeners, Talked(seat=seat, text=args["text"]))


def suggest(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Suggest a play to the side on turn."""
    listeners = audience(draft.state, playing(draft.state), seat)
    draft.tell(listeners, PlaySuggested(seat=seat, play=args["play"]))


def ask_advice(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Ask a member by name for advice on this play, as Captain."""
    draft.add(TalkOpened(seat=args["seat"], by=seat))
