"""What a player may do beside the course of play: nothing here is ever waited for."""

from __future__ import annotations

from chouette.rules import coming, consultation, play, resign, settle, sheet, takeback
from chouette.rules.cubes import decided_by, members_in, settled_by
from chouette.rules.state import BETWEEN, IN, PLAYING, Game, State, is_two, playing
from games.kernel.contract import Choice, JsonObject, Seat

Options = tuple[JsonObject, ...]

_PHRASES: Options = tuple({"text": text} for text in consultation.PHRASES)


def aside(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choices of a seat that the game does not wait for."""
    if state.phase == BETWEEN:
        return _corrections(state, seat)
    if state.phase != PLAYING:
        return ()
    game = playing(state)
    own = (*_settings(state, game, seat), *_talk(state, game, seat))
    if game.resignation is not None:
        return own
    return (*_giving_up(state, game, seat), *_taking_back(state, game, seat), *own)


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


def _giving_up(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    """Return resigning and settling: proposals, and the answers to those of others."""
    cubes = decided_by(game, seat)
    levels: Options = tuple({"level": n} for n in resign.levels(state, game, seat, cubes))
    offers: Options = ()
    if settle.is_open(state, game):
        offers = tuple(offer for i in settled_by(state, game, seat) for offer in settle.listed(game, i))
    return (
        *_optional("resign", seat, game.opened, levels),
        *_optional("propose", seat, game.opened, offers),
        *(_answering(game, seat) if game.proposals else ()),
    )


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


def _talk(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    phrases = _PHRASES if consultation.audience(state, game, seat) else ()
    drawn = play.listed(game) if consultation.may_suggest(state, game, seat) else ()
    asked: Options = tuple({"seat": s} for s in consultation.may_ask(state, game, seat))
    return (
        *_optional("say", seat, state.opened, phrases),
        *_optional("suggest", seat, game.opened, drawn),
        *_optional("ask_advice", seat, game.opened, asked),
    )
