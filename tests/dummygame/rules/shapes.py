"""The shapes of what a browser gets of Sealed Bids: its view, and its choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from games.kernel.contract import Seat
from games.kernel.options import Values
from games.kernel.sent import ChoiceShape, NoArguments, TypedFaces

SeatView = TypedDict("SeatView", {"seat": Seat, "points": int, "in": bool, "has_bid": bool, "hand": list[int]})


class Opened(TypedDict):
    """The last opening of the bids: [seat, number] each, the dice that broke a tie, and the winner."""

    bids: list[list[int]]
    thrown: list[list[int]]
    winner: Seat | None


class TieView(TypedDict):
    """A throw-off with real dice, by `seats`; [seat, die] each."""

    bids: list[list[int]]
    seats: list[Seat]
    thrown: list[list[int]]
    fell: list[list[int]]
    opened: int


class View(TypedDict):
    """The view of a table; `bid` and `die` are the viewer's own."""

    options: Values
    set: int
    round: int
    rounds: int
    seats: list[SeatView]
    bid: int | None
    die: int | None
    last: Opened | None
    tie: TieView | None
    over: bool
    waiting_for: list[Seat]
    asked: str


class Bid(TypedDict):
    """A number of the hand."""

    number: int


class Thanks(TypedDict):
    """Who is thanked."""

    to: Seat


CHOICES: Mapping[str, ChoiceShape] = {
    "bid": ChoiceShape(Bid),
    "take_back": ChoiceShape(NoArguments),
    "thank": ChoiceShape(Thanks),
    "type_die": ChoiceShape(TypedFaces),
}
