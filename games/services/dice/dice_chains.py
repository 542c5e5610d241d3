"""The chains of a table's dice: the throws so far, the last links of devices, the throw under way.

All of it follows from the log alone (`after`), and is stored with the table's row (`Table.chains`). Tables
whose dice come from the sealed seed have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from games.json_text import to_sorted_text
from games.kernel.codec import codec
from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.dice import FairDice, chains, commitment, event_faces
from games.kernel.dice.chains import ServerChain, ThrowDice
from games.kernel.records import changed, record
from games.kernel.replay import Entry
from games.models import Table

OPPONENT_MS, ROLLER_MS = 3_000, 30_000
"""The longest waiting times for an opponent's device, and for the roller's counted from the intent."""

COMMITTED, TIP = "table.dice_committed", "table.dice_tip"
BEGUN, GIVEN, MISSED, DROPPED = "table.throw_begun", "table.link_given", "table.link_missed", "table.throw_dropped"
POSTPONED, LAPSED = "table.postponed", "table.lapsed"
"""Somebody comes or goes after the throw under way; the rules refuse it by then (docs/protocol.md §9)."""
PASSING = frozenset({COMMITTED, TIP, BEGUN, GIVEN, MISSED, DROPPED, POSTPONED, LAPSED})
"""Events of the house that change neither seats nor names nor status."""
LAST_INDEX = chains.SEAT_LENGTH
"""The index of a device's last usable link: after it the chain has none left."""
COMMITTED_AHEAD = 64
"""The number of throws before the end of a chain of the server at which the next chain is committed."""
_NEW_SITTERS = ("table.left", "table.kicked", "table.substituted", "table.forfeited", "table.vacated", "table.joined")

TableDice: TypeAlias = "FairDice | ThrowDice | chains.NoDiceYet"


@record(frozen=True, slots=True)
class SeatLink:
    """The last link of a seat's device in the log: its tip, or the link `index` steps behind the tip."""

    seat: Seat
    link: str
    index: int


@dataclass(frozen=True, slots=True)
class Postponed:
    """A command by which somebody comes or goes after the throw under way.

    `args` are as they are carried out, `by` is the player who sent it (None: the house), `seat` the seat acted for.
    """

    name: str
    args: JsonObject
    by: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A throw that waits for devices.

    `seat` throws (None: the house), `asked` is the pending command with its actor. `waiting` are the seats
    whose devices are asked one after another, the first one now; `links` were given. `is_roller_in`: the
    thrower's device has a part. `began` and `due` are in the house's milliseconds; from `due` on the first
    of `waiting` counts as silent; with None it is waited for until the host lets the throw continue without it.
    `lasts` are the seats' last links when it began: a tip told meanwhile counts from the next throw on.
    `postponed` are the commands by which others come and go, which are carried out after it.
    """

    k: int
    n: int
    seat: Seat | None
    ctx: str
    asked: JsonObject
    waiting: tuple[Seat, ...]
    is_roller_in: bool
    began: int
    due: int | None
    links: tuple[tuple[Seat, str], ...] = ()
    waits: bool = False
    lasts: tuple[SeatLink, ...] = ()
    postponed: tuple[Postponed, ...] = ()

    @property
    def level(self) -> str:
        """The level of the throw if it were thrown with the links so far."""
        seats = [seat for seat, _ in self.links]
        if not seats:
            return chains.BY_SERVER
        if len(seats) > 1:
            return chains.WITH_BOTH
        return chains.WITH_OPPONENT if self.is_roller_in and seats != [self.seat] else chains.WITH_ROLLER

    @property
    def contributors(self) -> list[Seat]:
        """The seats whose devices have a part, as of now."""
        answered = {seat for seat, _ in self.links}
        return sorted({*answered, *self.waiting[:1], *(seat for seat in self.waiting if seat == self.seat)})


@record(frozen=True)
class Chains:
    """The chains of a table: the number of throws used up (`k`), a digest of the log, the seats' last links.

    Every entry makes one: copies come from `records.changed`.

    `waits`: by the house rule, a throw waits for the devices that have a part in it. `server` is the server's chain
    from which the next links come (`ServerChain.at`). `holds`: links of throws whose dice stay hidden are held back; at
    tables that were opened before there was such a thing they are not.
    """

    k: int = 0
    digest: str = ""
    seats: tuple[SeatLink, ...] = ()
    under_way: UnderWay | None = None
    waits: bool = False
    server: ServerChain = chains.FIRST_CHAIN
    holds: bool = False

    def last_of(self, seat: Seat | None) -> SeatLink | None:
        """Return the last link of a seat's device, or None."""
        return next((each for each in self.seats if each.seat == seat), None)

    def last_in_throw(self, seat: Seat | None) -> SeatLink | None:
        """Return the last link of a seat's device in the chain with which the throw under way began, or None."""
        lasts = () if self.under_way is None else self.under_way.lasts
        return next((each for each in lasts if each.seat == seat), None) or self.last_of(seat)


dump, _load = codec(Chains)


def load(stored: JsonObject) -> Chains:
    """Return stored chains.

    Those of an older version hold nothing back, and its throw under way knows neither its `lasts` nor who waits.
    """
    found = {"server": {"number": 0, "first": 1}, "holds": False, **stored}
    if found["under_way"] is None:
        return _load(found)
    return _load({**found, "under_way": {"lasts": [], "postponed": [], **found["under_way"]}})


def dice(found: Chains | None, public_id: str, seed: str, salt: str, drawn: int) -> FairDice | ThrowDice:
    """Return a table's dice for the next command, from its next throw or the sealed seed."""
    if found is None:
        return FairDice(seed, salt, drawn)
    return ThrowDice(public_id, seed, found.k + 1, found.digest, found.server)


def after(
    before: Chains | None,
    entry: Entry,
    throw: JsonObject | None,
    command: JsonObject,
    now: int,
    *,
    is_resumed: bool = False,
) -> Chains | None:
    """Return the chains after one more entry, with the entry's throw and the arguments of its command.

    `is_resumed`: the entry ends a pause.
    """
    found = before
    for event in entry.events:
        if found is not None and event.type == BEGUN:
            found = _begun(found, event.data, command, now)
        elif found is not None and event.type == POSTPONED:
            found = _postponed(found, event.data, command)
        else:
            found = _after(found, event, now)
    if found is None:
        return None
    if throw is not None:
        found = _thrown(found, throw)
    if (first := _first_after_held(entry)) is not None:
        found = changed(found, server=found.server.at(first - 1).next_from(first))
    found = changed(found, digest=digest(found.digest, entry))
    return _going_on(found, now) if is_resumed else found


def digest(before: str, entry: Entry) -> str:
    """Return the digest of a log up to an entry, from the digest up to the previous one.

    For events that not everybody may read it contains only that there is one. The digest is published, so a
    secret with few possible values could otherwise be found by trying them all.
    """
    text = to_sorted_text([_public_json(event) for event in entry.events])
    content = bytes.fromhex(before) + entry.seq.to_bytes(4) + text.encode()
    return chains.tagged(chains.ENTRY, content).hex()


def _public_json(event: Event) -> JsonObject:
    """Return an event as seen by a reader outside its audience."""
    if event.audience is not None:
        return {"type": "hidden"}
    return {"type": event.type, "data": event.data, "v": event.v}


def _after(found: Chains | None, event: Event, now: int) -> Chains | None:
    if found is None:
        if event.type != COMMITTED:
            return None
        return Chains(waits=event.data.get("waits", False), holds=event.data.get("holds", False))
    data = event.data
    if event.type == TIP:
        return _with_link(found, SeatLink(data["seat"], data["tip"], 0))
    if event.type in _NEW_SITTERS:
        return _without(found, data["seat"], now)
    if event.type == DROPPED:
        return changed(found, under_way=None)
    if event.type in (GIVEN, MISSED) and found.under_way is not None:
        return _with_answer(found, found.under_way, event, now)
    return found


def _begun(found: Chains, data: JsonObject, command: JsonObject, now: int) -> Chains:
    waiting, seat = tuple(data["contributors"]), data["seat"]
    begun = UnderWay(data["k"], data["n"], seat, data["ctx"], command, waiting, seat in waiting, now, 0)
    begun = replace(begun, waits=data.get("waits", False), lasts=found.seats)
    return changed(found, k=data["k"], under_way=_due(begun, now))


def _postponed(found: Chains, data: JsonObject, command: JsonObject) -> Chains:
    if found.under_way is None:
        return found
    more = Postponed(data["command"], command, data["by"], data["for"])
    return changed(found, under_way=replace(found.under_way, postponed=(*found.under_way.postponed, more)))


def _due(under_way: UnderWay, now: int) -> UnderWay:
    """Return a throw with the time until which the device that is asked now is waited for.

    If throws wait, a silent opponent is followed by the next one, and only the last one is waited for.
    """
    if not under_way.waiting:
        return replace(under_way, due=now)
    is_roller = under_way.waiting[0] == under_way.seat
    if under_way.waits and (is_roller or len(set(under_way.waiting) - {under_way.seat}) == 1):
        return replace(under_way, due=None)
    patience = max(under_way.began + ROLLER_MS - now, OPPONENT_MS) if is_roller else OPPONENT_MS
    return replace(under_way, due=now + patience)


def _going_on(found: Chains, now: int) -> Chains:
    """Return the chains at the end of a pause: the asked device gets its full time again."""
    if found.under_way is None:
        return found
    return changed(found, under_way=_due(replace(found.under_way, began=now), now))


def answered(under_way: UnderWay, event: Event) -> UnderWay:
    """Return a throw after the link, or the silence, of the asked device."""
    seat = event.data["seat"]
    if event.type == MISSED:
        return replace(under_way, waiting=tuple(each for each in under_way.waiting if each != seat))
    # One opponent is enough: only the thrower is still asked.
    waiting = tuple(each for each in under_way.waiting if each == under_way.seat != seat)
    return replace(under_way, waiting=waiting, links=(*under_way.links, (seat, event.data["link"])))


def _with_answer(found: Chains, under_way: UnderWay, event: Event, now: int) -> Chains:
    if event.type == GIVEN:
        found = _moved(found, event.data["seat"], event.data["link"])
    return changed(found, under_way=_due(answered(under_way, event), now))


def _thrown(found: Chains, throw: JsonObject) -> Chains:
    for seat, link in throw["links"].items():
        found = _moved(found, int(seat), link)
    return changed(found, k=throw["k"], under_way=None)


def _moved(found: Chains, seat: Seat, link: str) -> Chains:
    """Return the chains with a link as a seat's last one; unchanged if it is that already, or of an earlier chain."""
    last = found.last_of(seat)
    if last is None or not is_next(last, link):
        return found
    return _with_link(found, SeatLink(seat, link, last.index + 1))


def is_next(last: SeatLink, link: str) -> bool:
    """Tell whether a link is the next one after a seat's last link.

    The last device to answer knows the other links: if it could skip some of its own, it could choose the dice.
    """
    is_left = last.index < chains.SEAT_LENGTH
    return is_left and chains.is_next(chains.SEAT, bytes.fromhex(link), bytes.fromhex(last.link))


def _with_link(found: Chains, link: SeatLink) -> Chains:
    others = (each for each in found.seats if each.seat != link.seat)
    return changed(found, seats=tuple(sorted((*others, link), key=lambda each: each.seat)))


def _without(found: Chains, seat: Seat, now: int) -> Chains:
    """Return the chains without a seat's device, because of a new player."""
    under_way = found.under_way
    if under_way is not None and seat in under_way.waiting:
        waiting = tuple(each for each in under_way.waiting if each != seat)
        under_way = _due(replace(under_way, waiting=waiting), now)
    return changed(found, seats=tuple(each for each in found.seats if each.seat != seat), under_way=under_way)


def commitment_of(table: Table) -> str:
    """Return the commitment that a table publishes before its first throw, in hex."""
    is_sealed = table.seq and table.chains is None
    return commitment(table.dice_seed) if is_sealed else chains.commitment(bytes.fromhex(table.dice_seed), 0).hex()


def committed(seed: str, chain: ServerChain, **about: Any) -> Event:
    """Return the event that commits to a chain of the server, with more data `about` it."""
    found = chains.commitment(bytes.fromhex(seed), chain.number).hex()
    data = {"commitment": found, "protocol": "pnd1", "length": chains.SERVER_LENGTH, "first": chain.first}
    return Event(COMMITTED, {**data, **about})


def first_committed(seed: str, *, waits: bool) -> Event:
    """Return the event that commits to a table's first chain of the server; it also says whether throws wait."""
    return committed(seed, chains.FIRST_CHAIN, holds=True, **({"waits": True} if waits else {}))


def committed_ahead(found: Chains, seed: str, k: int) -> tuple[Event, ...]:
    """Return the event that commits to the server's next chain if throw `k` is near the end of one, else ()."""
    chain = found.server.at(k)
    end = chain.first + chains.SERVER_LENGTH
    return (committed(seed, chain.next_from(end)),) if k == end - 1 - COMMITTED_AHEAD else ()


# Dice that stay hidden


def held_back(found: Chains | None, seed: str, drawn: TableDice, events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the event by which the link of an entry's throw is held back, () if its dice are open to everybody.

    They are not if an event has an audience, and the others do not tell all that was drawn. A later link of the chain
    would show this one, so the next throws use another chain, which the event commits to.
    """
    throw, everybodys = drawn.throw, [event for event in events if event.audience is None]
    if found is None or not found.holds or throw is None:
        return ()
    if len(everybodys) == len(events) or event_faces.are_told(everybodys, drawn.thrown):
        return ()
    return (committed(seed, found.server.at(throw.k).next_from(throw.k + 1), held=throw.k),)


def is_held(events: Iterable[Event]) -> bool:
    """Tell whether the link of an entry's throw is held back until the table has ended."""
    return any(event.type == COMMITTED and "held" in event.data for event in events)


def _first_after_held(entry: Entry) -> int | None:
    """Return the first throw of the chain that follows a held back link; None if the entry holds none back."""
    firsts = (event.data["first"] for event in entry.events if event.type == COMMITTED and "held" in event.data)
    return next(firsts, None)


def throw_json(throw: JsonObject, events: Iterable[Event], *, is_over: bool) -> JsonObject:
    """Return an entry's throw for readers: without the server's link while that is held back."""
    return throw if is_over or not is_held(events) else {**throw, "server": None}


def changes_sitter(events: Iterable[Event], seat: Seat | None) -> bool:
    """Tell whether any of the events puts another person on a seat or takes its person off."""
    return any(event.type in _NEW_SITTERS and event.data["seat"] == seat for event in events)


def links_json(found: Chains) -> JsonObject:
    """Return the present chains in the form of a `welcome` frame."""
    return {"k": found.k, "links": {str(s.seat): {"link": s.link, "index": s.index} for s in found.seats}}


def question(found: Chains, seed: str) -> tuple[Seat, JsonObject] | None:
    """Return the seat whose device is asked now, and the frame `dice_ask` for it; None if no device is asked."""
    under_way = found.under_way
    last = found.last_in_throw(under_way.waiting[0]) if under_way is not None and under_way.waiting else None
    if under_way is None or last is None:
        return None
    links: Mapping[str, str] = {str(seat): link for seat, link in under_way.links}
    return last.seat, {
        "type": "dice_ask",
        "k": under_way.k,
        "n": under_way.n,
        "roller": under_way.seat,
        "ctx": under_way.ctx,
        "contributors": under_way.contributors,
        "last": last.link,
        "index": last.index,
        "commitment": chains.commitment(bytes.fromhex(seed), found.server.at(under_way.k).number).hex(),
        "links": links,
    }
