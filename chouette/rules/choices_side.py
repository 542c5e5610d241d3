"""What a player may do beside the course of play: nothing here is ever waited for."""

from __future__ import annotations

from dataclasses import dataclass

from chouette.rules import coming, consultation, play, resign, settle, sheet, takeback
from chouette.rules.cubes import decided_by, members_in, settled_by
from chouette.rules.state import BETWEEN, IN, PLAYING, Game, State, is_two, playing
from games.kernel.contract import Choice, JsonObject, Seat
from games.kernel.records import kept, kept_by

Options = tuple[JsonObject, ...]

_PHRASES: Options = tuple({"text": text} for text in consultation.PHRASES)


@dataclass(frozen=True, slots=True)
class _Open:
    """What a seat may do aside as long as roles, cubes and stage are what they are.

    `own` are whole choices; the others are options of choices that each entry opens anew.
    """

    resign: Options
    propose: Options
    own: tuple[Choice, ...]
    suggest: bool
    ask: Options


def aside(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choices of a seat that the game does not wait for."""
    if state.phase == BETWEEN:
        return _corrections(state, seat)
    if state.phase != PLAYING:
        return ()
    game, found = playing(state), _open_by_seat(state)[seat]
    drawn = play.listed(game) if found.suggest else ()
    talk = (*_optional("suggest", seat, game.opened, drawn), *_optional("ask_advice", seat, game.opened, found.ask))
    if game.resignation is not None:
        return (*found.own, *talk)
    return (
        *_optional("resign", seat, game.opened, found.resign),
        *_optional("propose", seat, game.opened, found.propose),
        *(_answering(game, seat) if game.proposals else ()),
        *(_taking_back(state, game, seat) if game.last is not None else ()),
        *found.own,
        *talk,
    )


def _parts(state: State) -> tuple[object, ...]:
    """Return all that what is open aside depends on, but for the seqs, the board and what is proposed."""
    game = playing(state)
    return (
        *(state.options, state.players, state.opened),
        *(game.cubes, game.line, game.captain, game.partner, game.proxies, game.refused, game.asked),
        *(game.stage, game.turn, game.resignation),
    )


@kept
@kept_by(_parts)
def _open_by_seat(state: State) -> tuple[_Open, ...]:
    game = playing(state)
    return tuple(_open(state, game, seat) for seat in range(len(state.players)))


def _open(state: State, game: Game, seat: Seat) -> _Open:
    cubes = decided_by(game, seat)
    proposed: Options = ()
    if settle.is_open(state, game):
        proposed = tuple(offer for i in settled_by(state, game, seat) for offer in settle.listed(game, i))
    phrases = _PHRASES if consultation.audience(state, game, seat) else ()
    return _Open(
        resign=tuple({"level": n} for n in resign.levels(state, game, seat, cubes)),
        propose=proposed,
        own=(*_settings(state, game, seat), *_optional("say", seat, state.opened, phrases)),
        suggest=consultation.may_suggest(state, game, seat),
        ask=tuple({"seat": s} for s in consultation.may_ask(state, game, seat)),
    )


def _optional(name: str, seat: Seat, opened: int, options: Options) -> tuple[Choice, ...]:
    return (Choice(name, seat, opened, options, required=False),) if options else ()


def _corrections(state: State, seat: Seat) -> tuple[Choice, ...]:
    if not may_be_corrected(state) or state.players[seat].status != IN or not sheet.largest(state):
        return ()
    others = (s for s in range(len(state.players)) if s != seat)
    options: Options = tuple({"payer": seat, "payee": s, "points": 1, "reason": sheet.EXAMPLE_REASON} for s in others)
    return _optional("correct", seat, state.opened, options)


def may_be_corrected(state: State) -> bool:
    """Tell whether there is a sheet that corrections are written on: in a match there is none."""
    return bool(state.sheet) and not (is_two(state) and state.options["format"] == "match")


def _answering(game: Game, seat: Seat) -> tuple[Choice, ...]:
    proposed = settle.to_answer(game, seat)
    both: Options = tuple({"cube": p.cube, "accept": a} for p in proposed for a in (True, False))
    opened = max((p.opened for p in proposed), default=game.opened)
    return _optional("answer_proposal", seat, opened, both)


def _taking_back(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if takeback.may_ask(game, seat):
        return _optional("take_back", seat, game.opened, ({},))
    if game.last is None or game.last.asked is None or seat not in takeback.to_answer(state, game):
        return ()
    return _optional("answer_take_back", seat, game.last.asked, ({"accept": True}, {"accept": False}))


def _settings(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    """Return auto no double, and the proxy; nobody who is out sets anything."""
    members = members_in(state, game)
    if seat not in members:
        return ()
    proxies: Options = tuple({"seat": s} for s in coming.may_name(state, seat, members))
    switch: Options = ({"on": not state.players[seat].auto},)
    return (
        *_optional("auto", seat, state.opened, switch),
        *_optional("name_proxy", seat, state.opened, proxies),
    )
