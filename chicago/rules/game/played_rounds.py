"""Rounds that were played while the house was out of reach, as told in the game's form (docs/rules-chicago.md §2).

Real dice lay on the table, and only the end of each round is told: high, low, and who threw a Chick. Mats, forfeits and
rounds to pay follow as in any other round; where the mats are told, too, they have to be those that follow.
"""

from __future__ import annotations

from typing import Any

from chicago.rules.events.forfeits import LoserNamed
from chicago.rules.events.mats import SideForfeitOwed
from chicago.rules.events.rounds import ChickTold, RoundsTakenBack, RoundTold
from chicago.rules.game import coming_and_going, forfeits, mats, rounds
from chicago.rules.game.ending import end_if_decided, end_if_total
from chicago.rules.state import PLAYING_OFF, Draft, State, contenders, from_seat, has_mats, is_over, rule, seats_in
from chicago.rules.throwing.taking_back import takeable
from games.kernel.contract import TAKE_BACK, TAKE_BACK_GAME, Illegal, JsonObject, Seat
from games.kernel.dice import typed
from games.kernel.figures.game_forms import Fields, FormField, GameForm
from games.kernel.options import Values
from games.kernel.text import gettext_noop as _
from games.kernel.text import pgettext_noop as pgettext

NAMED, BREACH = "named", "breach"
TAKEN, GIVEN, OUT, NONE = "taken", "given", "out", "none"
_BY_RULES = _("as the rules have it")
_NO_YES = {"no": _("no"), "yes": _("yes")}
_MATS = {
    TAKEN: _("the low takes one from the stock"),
    GIVEN: _("the high gives one to the low"),
    OUT: _("one of the high leaves play"),
    NONE: _("none moves"),
}
_WAYS = {"low": _("the low"), NAMED: _("named by a throw"), BREACH: _("lost by a breach")}


def form(options: Values) -> GameForm | None:
    """Return the form of rounds with real dice; None where the house throws."""
    if not typed.is_on(options):
        return None
    fields: Fields = (
        *((FormField("high", _("High"), "seat"),) if has_mats(options) else ()),
        FormField("low", _("Low"), "seat"),
        FormField("chicks", _("Chicks, in their order"), "seats"),
        *((FormField("side", _("Chicks in one throw"), "seats"),) if options["chick_pays_schnapps"] else ()),
        *(_of_forfeits() if options["forfeits"] else ()),
        *((FormField("mats", _name_of_mats(options), words=_MATS, unsaid=_BY_RULES),) if has_mats(options) else ()),
        FormField("end", _("End of the game"), words=_NO_YES, unsaid=_BY_RULES),
    )
    return GameForm(of_round=fields)


def _name_of_mats(options: Values) -> tuple[str, str] | str:
    return pgettext("Bavarian", "Mats") if _is_bavarian(options) else _("Mats")


def _is_bavarian(options: Values) -> bool:
    """Tell whether mats are called as in Bavaria (docs/decisions/chicago-readings.md)."""
    return bool(options["playing_off"] == "discard")


def _of_forfeits() -> Fields:
    return (
        FormField("way", _("Loser"), words=_WAYS, unsaid=_WAYS["low"]),
        FormField("by", _("Named by"), "seat", only=("way", NAMED)),
    )


def examples(state: State) -> tuple[JsonObject, ...]:
    """Return rounds as told that may be handed over now, as examples; () while none may be."""
    active = contenders(state)
    if form(state.options) is None or is_over(state) or state.breach is not None or len(active) < 2:
        return ()
    told: JsonObject = {"low": active[-1]}
    if state.phase == PLAYING_OFF and not state.round.reward_used:
        told["high"] = active[0]
    is_plain = not has_mats(state.options) and not state.options["forfeits"]
    with_chick = ({**told, "chicks": [active[0]]},) if is_plain else ()
    return tuple({"rounds": [one]} for one in (told, *with_chick))


def is_told(state: State, args: Any) -> bool:
    """Tell whether arguments keep the form; raises Illegal `bad_form` with the field that does not."""
    found = form(state.options)
    if found is not None:
        found.check(args, len(state.players))
    return found is not None


def hand_over(draft: Draft, house: None, args: JsonObject) -> None:
    """Write rounds as told, one after the other.

    Raises Illegal `round_after_end`, `bad_round`, `other_mats` or `other_bavarian_mats`, `other_end`, with the number
    of the round as `round`, and its place in the list as `at`.
    """
    for at, told in enumerate(args["rounds"]):
        number = draft.state.round.number
        if is_over(draft.state):
            raise Illegal("round_after_end", at=at)
        before = draft.state
        draft.add(RoundTold(round=number))
        try:
            _write(draft, told)
            end_if_total(draft)
            _check_mats(before, draft.state, told)
            _check_end(draft, told)
        except Illegal as refusal:
            raise Illegal(refusal.code, round=number, at=at) from None


def _write(draft: Draft, told: JsonObject) -> None:
    """Write a round's Chicks, then its end unless it has ended by one of them."""
    if not set(told.get("side", ())) <= set(told.get("chicks", ())):
        raise Illegal("bad_round")
    for seat in told.get("chicks", ()):
        if seat not in contenders(draft.state):
            raise Illegal("bad_round")
        draft.add(ChickTold(seat=seat))
        if seat in told.get("side", ()):
            draft.add(SideForfeitOwed(seat=seat))
        if _has_ended_by_chick(draft, seat):
            if "low" in told or seat != told["chicks"][-1]:
                raise Illegal("bad_round")
            return
    active = contenders(draft.state)
    if len(active) == 1:
        if told.get("low", active[0]) != active[0]:
            raise Illegal("bad_round")
        rounds.end_round(draft, active[0], None, "one_left")
    elif told.get("low") not in active:
        raise Illegal("bad_round")
    else:
        _end(draft, told, active)


def _has_ended_by_chick(draft: Draft, seat: Seat) -> bool:
    """Carry out what a Chick brings, and tell whether the round, the dealing or the game has ended with it."""
    options = draft.state.options
    if options["forfeits"]:
        for other in from_seat(draft.state, seats_in(draft.state), seat)[1:]:
            forfeits.take(draft, other, "chick")
        rounds.write_round_end(draft, "chick", high=seat)
        rounds.carry_on(draft, seat)
        return True
    if not has_mats(options) or rule(options, "chick_stays"):
        return False
    mats.leave_with_chick(draft, seat)
    if end_if_decided(draft):
        return True
    if mats.is_dealt(draft.state):
        rounds.begin_playing_off(draft)
        return True
    return False


def _end(draft: Draft, told: JsonObject, active: tuple[Seat, ...]) -> None:
    """End a round; its loser is the low, a seat that was named, or a seat that broke a rule."""
    low, high, way = told["low"], told.get("high"), told.get("way", "low")
    if way == "low":
        is_rewarded = draft.state.phase == PLAYING_OFF and not draft.state.round.reward_used
        if (high is None and is_rewarded) or (high is not None and (high not in active or high == low)):
            raise Illegal("bad_round")
        rounds.end_round(draft, low, high, "full")
        return
    if way == NAMED:
        if told.get("by") not in active:
            raise Illegal("bad_round")
        draft.add(LoserNamed(seat=told["by"], loser=low))
    forfeits.take(draft, low, way)
    rounds.write_round_end(draft, way, low=low)
    rounds.carry_on(draft, low)


def _check_mats(before: State, after: State, told: JsonObject) -> None:
    """Raise `other_mats` unless the mats moved by high and low as told; a Chick's mats are another thing.

    By Bavarian rules it is `other_bavarian_mats`, whose sentence has the word for them there.
    """
    if "mats" not in told or "low" not in told:
        return
    low, high = told["low"], told.get("high")
    gained = after.players[low].mats - before.players[low].mats
    lost = 0 if high is None else before.players[high].mats - after.players[high].mats
    moved = TAKEN if gained and not lost else GIVEN if gained else OUT if lost else NONE
    if moved != told["mats"]:
        raise Illegal("other_bavarian_mats" if _is_bavarian(after.options) else "other_mats")


def _check_end(draft: Draft, told: JsonObject) -> None:
    """Raise `other_end` unless the game is over as told; an open-ended one is closed by it."""
    if told.get("end") == "yes" and coming_and_going.can_close(draft.state):
        coming_and_going.close(draft, None, {})
    if "end" in told and (told["end"] == "yes") != is_over(draft.state):
        raise Illegal("other_end")


def may_take_back(state: State) -> bool:
    """Tell whether the rounds that were handed over last may be taken back: nothing has come after them."""
    return state.handed is not None and not is_over(state)


def take_back(draft: Draft, house: None, args: JsonObject) -> None:
    """Take the rounds that were handed over last back."""
    draft.add(RoundsTakenBack())


def taking_back(state: State, seq: int) -> tuple[str, JsonObject] | None:
    """Return the command that takes back the last thing done since an entry: rounds handed over, or a turn.

    None if there is nothing; raises Illegal `cannot_take_back`.
    """
    if is_over(state):
        raise Illegal("cannot_take_back")
    if state.handed is not None and state.handed_seq > seq:
        return TAKE_BACK_GAME, {}
    is_touched = state.turn.throws > 0 or state.awaits is not None or state.declared is not None
    # Where all decisions have one basis, what came since has just been taken back.
    is_restored = state.opened == state.refill_opened == state.calls_opened
    is_acted = state.opened > seq and not is_restored and (is_touched or state.naming is not None)
    if state.since <= seq and not is_acted:
        return None
    last = next(iter(takeable(state)), None)
    if last is None:
        raise Illegal("cannot_take_back")
    return TAKE_BACK, {"seat": last}
