"""Consultation: talk in the Team, and suggested plays (docs/rules-chouette.md §§4.7, 4.9, 4.10).

What is said in the Team is told to the members in the game and to nobody else: the Box, the
members who are out and the spectators never get it. A partner and the Box talk by
themselves, under any rule for the Team.
"""

from __future__ import annotations

from chouette.rules.cube.cubes import cube_of, deputy_of, is_in, members_in, roller
from chouette.rules.state import BOX, MOVE, PLAYING, TEAM, Draft, Game, Line, State, playing, present, rule_of
from games.kernel.answers import TABLES
from games.kernel.contract import ALWAYS, JsonObject, Seat, Times
from games.kernel.records import kept, kept_by
from games.kernel.text import gettext_noop as _

LONGEST = 200
PHRASES = (
    _("I would double."),
    _("No double yet."),
    _("I would take."),
    _("I would drop."),
    _("Your choice."),
)
"""Phrases that a choice lists to say; any other text of 1 to 200 characters is taken as well."""


def audience(state: State, game: Game, seat: Seat) -> tuple[Seat, ...]:
    """Return who hears what a seat says, itself included; nobody where it may not talk."""
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
    """Return who hears what each seat says; a seat that may not talk may be left out."""
    game = state.game
    if game is None or state.phase != PLAYING:
        return {}
    heard = tuple(sorted({*members_in(state, game), game.captain}))
    talking = heard if len(heard) > 1 else ()
    team = {seat: heard for seat in talking if may_advise(state, game, seat)}
    pair = [seat for seat in (game.box, game.partner) if seat is not None]
    is_pair = len(pair) == 2 and all(present(state, seat) for seat in pair)
    return {**team, **dict.fromkeys(pair, tuple(sorted(pair)) if is_pair else ())}


def may_advise(state: State, game: Game, seat: Seat) -> bool:
    """Tell whether a member may talk in the Team: the Captain may wherever anybody may."""
    rights = rule_of(state, "consultation")
    if rights == "none" or not (is_in(state, game, seat) or seat == game.captain):
        return False
    if rights == "cube_at_least":
        return _stands_high(state, game)
    if rights == "free" or seat in (game.captain, deputy_of(game, TEAM)):
        return True
    own = cube_of(game, seat)
    return seat in game.asked or (own is not None and game.cubes[own].turned)


def _stands_high(state: State, game: Game) -> bool:
    """Tell whether a cube in the game stands high enough for the talk to begin (§4.9)."""
    least = rule_of(state, "consultation_from")
    return any(cube.result is None and cube.value >= least for cube in game.cubes)


def may_speak(state: State, seat: Seat | None) -> bool:
    """Tell whether what a seat (None: somebody without one) says may be heard by all now (§4.9).

    In a game the Box, its partner and the members who may consult speak freely, and a member
    who is alone against the Box: they have nobody to advise.
    """
    game = state.game
    if game is None or state.phase != PLAYING:
        return True
    if seat is None or seat >= len(state.players):
        return False
    if seat in (game.box, game.partner):
        return present(state, seat)
    members = {*members_in(state, game), game.captain}
    return seat in members and (len(members) == 1 or may_advise(state, game, seat))


def may_suggest(state: State, game: Game, seat: Seat) -> bool:
    """Tell whether a seat may draw a play for the side on turn."""
    if game.stage != MOVE:
        return False
    is_of_box = seat in (game.box, game.partner)
    is_asked = is_of_box == (game.turn == BOX) and seat != roller(game)
    return is_asked and bool(audience(state, game, seat))


def may_ask(state: State, game: Game, seat: Seat) -> tuple[Seat, ...]:
    """Return the members whom the Captain may ask for advice on this play."""
    if seat not in (game.captain, deputy_of(game, TEAM)) or not rule_of(state, "captain_may_ask"):
        return ()
    return tuple(s for s in members_in(state, game) if not may_advise(state, game, s))


def readable(state: State, game: Game, viewer: Seat | None, times: Times = ALWAYS) -> tuple[Line, ...]:
    """Return the lines that a viewer may read now: told to them, and they are not out since.

    Told to their seat at the `times` when they sat there.
    """
    if viewer is None or state.phase != PLAYING:
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
    """Say something to one's own side."""
    heard = audience(draft.state, playing(draft.state), seat)
    draft.tell(heard, "talked", seat=seat, text=args["text"])


def suggest(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Draw a play for the side on turn."""
    heard = audience(draft.state, playing(draft.state), seat)
    draft.tell(heard, "play_suggested", seat=seat, play=args["play"])


def ask_advice(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """The Captain asks a member by name, for this play."""
    draft.add("talk_opened", seat=args["seat"], by=seat)
