"""The shapes of a seat's choices: their arguments, and the data of their words (chouette.rules.about)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NotRequired, TypedDict

from chouette.rules.session.game_clock import PRESS
from chouette.rules.view_shape import CubeId, Side
from games.kernel.contract import CLOCK, TAKE_BACK, Seat
from games.kernel.sent import ChoiceShape, NoArguments, OneOf, TypedFaces


class Agreement(TypedDict):
    """The Box's answer to a double of all cubes."""

    agree: bool


class PartnerTaken(TypedDict):
    """The Box's answer to the question for a partner."""

    take: bool


class ClockWish(TypedDict):
    """The kind of game clocks that a seat would like; null for none any more."""

    clock: str | None


class CubeWord(TypedDict):
    """A word about a cube."""

    cube: CubeId
    double: bool


class AskedTime(TypedDict):
    """The time of a seat: for a decision, or the grace time again for one that comes late."""

    late: bool


class OfferedCubes(TypedDict):
    """The cubes that the Box turns."""

    cubes: list[CubeId]


class TakenCubes(TypedDict):
    """The cubes that the Box takes, and those of them that it beavers."""

    take: list[CubeId]
    beaver: NotRequired[list[CubeId]]


class CubeAnswer(TypedDict):
    """The answer to a double."""

    cube: CubeId
    take: bool
    beaver: NotRequired[bool]


class CubeReply(TypedDict):
    """The reply to a question after the takes."""

    cube: CubeId
    reply: str


class Consent(TypedDict):
    """A yes or no of a seat."""

    accept: bool


class ConsentForCube(TypedDict):
    """A yes or no of a seat to a proposal for a cube."""

    cube: CubeId
    accept: bool


class ChosenPlay(TypedDict):
    """A play in notation, "" where none is possible."""

    play: str


class ResignedLevel(TypedDict):
    """The level at which a seat resigns: 1 to 3."""

    level: int


class ProposedPoints(TypedDict):
    """Points for a cube's member; any whole number is accepted, not the listed ones alone."""

    cube: CubeId
    points: int


class SaidText(TypedDict):
    """A text for the seat's side; any of 1 to 200 characters is accepted, not the listed ones alone."""

    text: str


class SwitchedOn(TypedDict):
    """A switch, on or off."""

    on: bool


class OtherSeat(TypedDict):
    """A seat."""

    seat: Seat


class NamedProxy(TypedDict):
    """The seat that would look after one's cube, null for none."""

    seat: Seat | None


class RowToCorrect(TypedDict):
    """A payment that corrects the score sheet; other points and reasons are accepted, too."""

    payer: Seat
    payee: Seat
    points: int
    reason: str


class OneCube(TypedDict):
    """A cube."""

    cube: CubeId


class TellableResult(TypedDict):
    """The result of a game on a real board."""

    winner: Side
    level: int


class AboutCube(TypedDict):
    """A cube in words: its member, value, doubled value and price; of an extra the other side, too.

    `is_many`: several cubes are asked about. `has_doubled`: its member has said double.
    """

    member: Seat
    value: int
    doubled: int
    cost: int
    is_many: bool
    against: NotRequired[Seat]
    extra: NotRequired[bool]
    has_doubled: NotRequired[bool]


class AboutReplyTo(AboutCube):
    """A cube and the kind of the question about it."""

    kind: str


class AboutProposal(AboutCube):
    """A cube of a proposal, with the points that it brings or costs the answering player."""

    points: int
    is_costing: bool


class AboutCubes(TypedDict):
    """The cubes of the options."""

    each: list[AboutCube]


class AboutAutomatic(TypedDict):
    """The value of the doubled cubes."""

    doubled: int


class AboutPartner(TypedDict):
    """The seat that would be the partner."""

    partner: Seat


class AboutReply(TypedDict):
    """The first question, with the seat on its other side, and each option's."""

    kind: Annotated[str, OneOf("extra", "beaver", "must_beaver", "beavered", "raccooned")]
    value: int
    other: Seat
    each: list[AboutReplyTo]


class AboutResignation(TypedDict):
    """The points of the offered resignation for the seat."""

    points: NotRequired[int]


class AboutProposals(TypedDict):
    """The proposing seat, the points of the first proposal to the seat, and each option's."""

    by: Seat
    points: int
    each: list[AboutProposal]


CHOICES: Mapping[str, ChoiceShape] = {
    "order_die": ChoiceShape(TypedFaces),
    "automatic": ChoiceShape(Agreement, AboutAutomatic),
    "partner": ChoiceShape(PartnerTaken, AboutPartner),
    "next": ChoiceShape(NoArguments),
    "start_study": ChoiceShape(NoArguments),
    "opening_roll": ChoiceShape(TypedFaces),
    "begin_game": ChoiceShape(NoArguments),
    "cube": ChoiceShape(CubeWord, AboutCubes),
    "wait": ChoiceShape(AskedTime),
    "roll": ChoiceShape(NoArguments),
    "type_dice": ChoiceShape(TypedFaces),
    "move": ChoiceShape(ChosenPlay),
    "offer": ChoiceShape(OfferedCubes),
    "answer": ChoiceShape(CubeAnswer, AboutCubes),
    "answer_batch": ChoiceShape(TakenCubes),
    "reply": ChoiceShape(CubeReply, AboutReply),
    "resign": ChoiceShape(ResignedLevel),
    "answer_resignation": ChoiceShape(Consent, AboutResignation),
    "propose": ChoiceShape(ProposedPoints),
    "answer_proposal": ChoiceShape(ConsentForCube, AboutProposals),
    TAKE_BACK: ChoiceShape(NoArguments),
    "answer_take_back": ChoiceShape(Consent),
    "double": ChoiceShape(OneCube, AboutCubes),
    "withdraw_double": ChoiceShape(NoArguments),
    "result": ChoiceShape(TellableResult),
    "answer_result": ChoiceShape(Consent),
    "tie": ChoiceShape(NoArguments),
    PRESS: ChoiceShape(NoArguments),
    "auto": ChoiceShape(SwitchedOn),
    "name_proxy": ChoiceShape(NamedProxy),
    "name_deputy": ChoiceShape(OtherSeat),
    "leave_after": ChoiceShape(SwitchedOn),
    "sit_out": ChoiceShape(SwitchedOn),
    "pass_box": ChoiceShape(NoArguments),
    CLOCK: ChoiceShape(ClockWish),
    "say": ChoiceShape(SaidText),
    "suggest": ChoiceShape(ChosenPlay),
    "ask_advice": ChoiceShape(OtherSeat),
    "correct": ChoiceShape(RowToCorrect),
}
"""The choices of a seat."""
