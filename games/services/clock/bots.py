"""The seats of bots: required answers, and optional acts.

A bot gets its seat's view and its choices, nothing of the state. Even if it fails, the table
goes on: a bot that fails, cheats or takes too long is replaced by a random legal answer, and
if that is refused too the clock plays for the seat, as for an absent player.
"""

from __future__ import annotations

import logging
import random
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import InterfaceError, OperationalError

from games import plugin
from games.kernel import simulate
from games.kernel.bots import Answer
from games.kernel.contract import TIMEOUT, Choice, Illegal, JsonObject
from games.models import LogEntry, Seat, Table
from games.ops import logs, metrics
from games.services.clock import bot_threads
from games.services.clock.bot_threads import Stalled, StillThinking
from games.services.commands import HOUSE, Actor, Request, answer_of_house
from games.services.tables.deadlines import clock_key
from games.services.tables.queue import submit

logger = logging.getLogger(__name__)

BOT, ASIDE, CLOCK = "bot", "aside", "clock"
"""First word of the ids of the house's own commands: the actor."""
# Errors of an unreachable database, which are no fault of a bot.
_AWAY = (OperationalError, InterfaceError)
# Bots that react to each other's optional acts must not keep a table busy for ever.
ASIDES_IN_A_ROW = 2
_REMEMBERED = 10_000
_asides: OrderedDict[tuple[int, int], int] = OrderedDict()
# The longest time that a bot may wait for other seats to answer.
PATIENCE_SECONDS = 30.0
_waiting: OrderedDict[tuple[int, str], float] = OrderedDict()
"""Start (monotonic) of a bot's waiting before it answers, by table and the choice's clock key."""


def acts(table: Table, state: Any, seat: Seat, choices: list[Choice]) -> bool:
    """Let a bot answer a required choice; tell whether the table has changed.

    A bot that fails is logged, and the clock plays for it. Raises StillThinking, also while
    the bot waits for other seats, and errors of the database.
    """
    if _is_early(table, choices[0]) or _waits(table, state, seat, choices[0]):
        raise StillThinking
    for chooser in (_bot_choice, _random_choice):
        try:
            answer = chooser(table, state, seat, choices)
            has_acted = _give(table, choices, answer, BOT)
        except (StillThinking, *_AWAY):
            raise
        except Exception as error:
            if _has_moved_on(table, seat, error):
                return True
        else:
            if has_acted:
                return True
    return _is_played_on(table, seat, choices[0])


def _is_early(table: Table, choice: Choice) -> bool:
    """Tell whether it is too early to answer a choice, so that people can see the events before it."""
    return choice.not_before > 0 and _seconds_open(table, choice) < choice.not_before


def _seconds_open(table: Table, choice: Choice) -> float:
    """Return the seconds since this process first saw a choice open."""
    since = _waiting.setdefault((table.pk, clock_key(choice)), time.monotonic())
    while len(_waiting) > _REMEMBERED:
        _waiting.popitem(last=False)
    return time.monotonic() - since


def _waits(table: Table, state: Any, seat: Seat, choice: Choice) -> bool:
    """Tell whether a bot wants others to answer or to speak first, and has not waited too long for them."""
    config = plugin.game(table.game_id)
    bots = config.bots
    if bots is None or (bots.waits is None and bots.listens is None):
        return False
    view, choices = config.rules.view(state, seat.index), list(config.rules.choices(state, seat.index))
    try:
        waits = bots.waits is not None and bots.waits(view, choices)
        speakers, seconds = bots.listens(view, choices) if bots.listens is not None else ((), 0.0)
    except Exception as error:
        return _has_moved_on(table, seat, error)
    if waits and _seconds_open(table, choice) < PATIENCE_SECONDS:
        return True
    return bool(speakers) and _seconds_open(table, choice) < min(seconds, PATIENCE_SECONDS) and _hears(table, speakers)


def _hears(table: Table, speakers: Collection[int]) -> bool:
    """Tell whether a person sits on one of some seats: bots have spoken before it comes to waiting."""
    return Seat.objects.filter(table=table, index__in=speakers, player__isnull=False).exists()


def _is_played_on(table: Table, seat: Seat, choice: Choice) -> bool:
    """Let the clock play for a bot that cannot act; tell whether the table has changed."""
    _log_fault("stuck", table, seat, f"the clock plays: {choice.name}, opened by entry {choice.opened_at}")
    try:
        return time_out(table, choice)
    except Illegal as refusal:
        return _has_moved_on(table, seat, refusal)


def time_out(table: Table, choice: Choice) -> bool:
    """Answer a choice by the clock; tell whether the table has changed. Raises Illegal."""
    args = {"seat": choice.seat}
    return _submit(table, HOUSE, answer_of_house(CLOCK, choice, table.seq, TIMEOUT, args))


def _submit(table: Table, actor: Actor, request: Request) -> bool:
    """Submit an act of a bot or the clock; tell whether the table has changed, by it or before."""
    receipt = submit(table.pk, actor, request)
    return receipt.seq > table.seq


def _has_moved_on(table: Table, seat: Seat, error: Exception) -> bool:
    """Tell whether the table has changed meanwhile, so that a bot answered an older question.

    Otherwise the bot is at fault, which is logged.
    """
    if Table.objects.values_list("seq", flat=True).get(pk=table.pk) != table.seq:
        return True
    if isinstance(error, Stalled):
        _log_fault("stalled", table, seat, "the bot takes too long")
    else:
        _log_fault("failed", table, seat, "what the bot does is no answer", error)
    return False


def _log_fault(event: str, table: Table, seat: Seat, text: str, error: Exception | None = None) -> None:
    """Log and count a bot's fault: it `failed`, `stalled` or is `stuck`."""
    level = logging.WARNING if event == "stalled" else logging.ERROR
    about = {"table": table.public_id, "seat": seat.index, "seq": table.seq}
    logs.log_event(logger, level, "bot", event, text=text, error=error, **about)
    metrics.bot_fault(event)


def _give(table: Table, choices: list[Choice], answer: tuple[str, JsonObject], kind: str) -> bool:
    """Submit a bot's answer to one of some choices; tell whether the table has changed."""
    name, args = answer
    choice = next(c for c in choices if c.name == name)
    request = answer_of_house(kind, choice, table.seq, name, args)
    return _submit(table, Actor(bot_seat=choice.seat), request)


def _bot_choice(table: Table, state: Any, seat: Seat, choices: list[Choice]) -> tuple[str, JsonObject]:
    """Ask the game's bot; in a game without bots the answer is random."""
    config = plugin.game(table.game_id)
    if config.bots is None:
        return _random_choice(table, state, seat, choices)
    thought = _Thought(table, seat, "choose", config.bots.choose)
    answer: Answer = thought.ask(state, choices)
    return answer


@dataclass(frozen=True, slots=True)
class _Thought:
    """A question to the bot on a seat."""

    table: Table
    seat: Seat
    kind: str
    function: Callable[[Any, list[Choice], str, int], Any]

    def ask(self, state: Any, choices: list[Choice]) -> Any:
        """Ask with the seat's view only; raises StillThinking, Stalled."""
        table, seat = self.table, self.seat
        view = plugin.game(table.game_id).rules.view(state, seat.index)
        seed = abs(hash((table.public_id, table.seq, seat.index)))
        question = partial(self.function, view, choices, seat.bot_level, seed)
        return bot_threads.ask(table.game_id, (table.pk, seat.index, self.kind), table.seq, question)


def _random_choice(table: Table, state: Any, seat: Seat, choices: list[Choice]) -> tuple[str, JsonObject]:
    command = simulate.pick(choices, random.Random())
    return command.name, command.args


def aside(table: Table, state: Any, seats: list[Seat]) -> bool:
    """Let bots act on optional choices; tell whether the table has changed.

    Each is asked once per log entry. Raises StillThinking if no bot acted and at least one has
    not answered yet.
    """
    config = plugin.game(table.game_id)
    if config.bots is None or config.bots.aside is None:
        return False
    is_thinking = False
    for seat in _listening(table, [seat for seat in seats if seat.bot_level]):
        choices = [c for c in config.rules.choices(state, seat.index) if not c.required]
        try:
            if choices and _speaks(table, state, seat, choices):
                return True
        except StillThinking:
            is_thinking = True
    if is_thinking:
        raise StillThinking
    return False


def _speaks(table: Table, state: Any, seat: Seat, choices: list[Choice]) -> bool:
    """Ask one bot, once; tell whether the table has changed. Raises StillThinking."""
    bots = plugin.game(table.game_id).bots
    function = None if bots is None else bots.aside
    if function is None or _asides.get((table.pk, seat.index)) == table.seq:
        return False
    try:
        answer = _Thought(table, seat, ASIDE, function).ask(state, choices)
        _note(table, seat)
        if answer is None:
            return False
        return _give(table, choices, answer, ASIDE)
    except (StillThinking, *_AWAY):
        raise
    except Exception as error:
        _note(table, seat)
        return _has_moved_on(table, seat, error)


def _note(table: Table, seat: Seat) -> None:
    _asides[table.pk, seat.index] = table.seq
    _asides.move_to_end((table.pk, seat.index))
    while len(_asides) > _REMEMBERED:
        _asides.popitem(last=False)


def _listening(table: Table, bots: list[Seat]) -> list[Seat]:
    """Return the bots to ask: none after too many optional acts of bots in a row."""
    most = ASIDES_IN_A_ROW * len(bots)
    rows = LogEntry.objects.filter(table=table, seq__gt=table.seq - most).order_by("-seq")
    asides = [command_id.startswith(f"0:{ASIDE}:") for command_id in rows.values_list("command_id", flat=True)]
    return [] if len(asides) >= most and all(asides) else bots
