"""Bots at a table, and evaluators against each other, for tests and the benchmark."""

from __future__ import annotations

import random
from collections import Counter

from chouette.board.plays import result_bytes, results
from chouette.board.position import START, swap, winner_value
from chouette.bot import bots
from chouette.bot.arrays import np
from chouette.bot.evaluator import embedded, judged, swapped, unpacked
from chouette.bot.move_choice import ROLLS, money, noisy, ranked
from chouette.bot.playing import MISJUDGED
from chouette.rules import rules
from chouette.rules.play import movers_view
from games.kernel.contract import CLOSE, LEAVE, Command
from games.kernel.replay import Entry
from games.kernel.simulate import RandomDice

# A seat may suggest, speak and answer once each before the game goes on.
MOST_ASIDES = 3


class RecordedDice(RandomDice):
    """Seeded dice that remember what fell since they were last asked."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.thrown: list[int] = []

    def roll(self, count: int) -> tuple[int, ...]:
        """Return `count` values of 1..6."""
        out = super().roll(count)
        self.thrown.extend(out)
        return out

    def taken(self) -> list[int]:
        """Return the dice since the last call."""
        found, self.thrown = self.thrown, []
        return found


class BotTable:
    """A table of bots alone, driven as the clock drives it: asides first, then who is awaited."""

    def __init__(self, options, levels, seed, *, asides=True, choose=bots.choose):
        self.options, self.levels, self.seed = options, list(levels), seed
        self.opened_with, self.asides_on, self.choose = len(levels), asides, choose
        self.dice = RecordedDice(random.Random(seed))
        self.log, self.commands, self.falls = [], [], []
        self.state, self.asides = rules.initial(options, len(levels)), Counter()
        self.commands.append(None)
        self._write(rules.open(options, len(levels), self.dice).events)

    @property
    def games(self):
        """How many games have ended."""
        return len([row for row in self.state.sheet if row.number])

    def house(self, name, seat=None, level="net"):
        """Let the house do something if it may; a newcomer brings a level."""
        open_now = (c for c in rules.choices(self.state, None) if c.name == name)
        args = {} if seat is None else {"seat": seat}
        if not any(args in choice.options for choice in open_now):
            return False
        self.levels += [level] * (seat is not None and seat >= len(self.levels))
        self._decide(Command(name, None, args))
        return True

    def step(self):
        """Let the first seat that is awaited decide, after all that is done aside."""
        if self.asides_on:
            self._rest()
        if rules.is_over(self.state):
            return
        seat, required = next(
            (s, found)
            for s in range(len(self.levels))
            if (found := [c for c in rules.choices(self.state, s) if c.required])
        )
        view = rules.view(self.state, seat)
        seed = self.seed * 100_003 + len(self.log)
        self._give(seat, required, *self.choose(view, required, self.levels[seat], seed))

    def _rest(self):
        """Ask every bot after every entry, until none of them does anything."""
        done = Counter()
        while (found := self._aside()) is not None:
            seat, choices, act = found
            self._give(seat, choices, *act)
            self.asides[act[0]] += 1
            done[seat] += 1
            assert done[seat] <= MOST_ASIDES, f"seat {seat} never comes to rest: {act}"

    def _aside(self):
        for seat, level in enumerate(self.levels):
            choices = [c for c in rules.choices(self.state, seat) if not c.required]
            view = rules.view(self.state, seat)
            act = bots.aside(view, choices, level, self.seed + len(self.log))
            if act is not None:
                return seat, choices, act
        return None

    def _give(self, seat, choices, name, args):
        found = next(c for c in choices if c.name == name)
        # What is said, and the points of a settlement, are free; `decide` refuses what can't be.
        assert args in found.options or name in ("say", "propose"), (name, args)
        self._decide(Command(name, seat, args, found.opened_at))

    def _decide(self, command):
        self.commands.append(command)
        self._write(rules.decide(self.state, command, self.dice, len(self.log) + 1).events)

    def _write(self, events):
        self.log.append(Entry(len(self.log) + 1, events))
        self.falls.append(self.dice.taken())
        for event in events:
            self.state = rules.fold(self.state, event, len(self.log))


def session(options, levels, seed, games, most=20_000, **how):
    """Play a session of bots alone to a number of games; return the table."""
    table = BotTable(options, levels, seed, **how)
    while not rules.is_over(table.state):
        assert len(table.log) < most, "the session stalls"
        if table.games < games or not table.house(CLOSE):
            table.step()
    return table


def busy_session(options, levels, seed, games, most=20_000):
    """Do the same with players coming, going and coming back, in the middle of games too."""
    table, rng, steps = BotTable(options, levels, seed), random.Random(seed), 0
    while not rules.is_over(table.state) and table.games < games:
        assert steps < most, "the session stalls"
        steps += 1
        if steps % 50 == 25:
            seats = [s for s, p in enumerate(table.state.players) if p.status == "in"]
            if seats:
                table.house(LEAVE, rng.choice(seats))
        if steps % 50 in (0, 40):
            joinable = [c for c in rules.choices(table.state, None) if c.name == "join"]
            options_now = [args["seat"] for choice in joinable for args in choice.options]
            if options_now:
                table.house("join", rng.choice(options_now), rng.choice(bots.LEVELS))
        table.step()
    return table


class Player:
    """Plays for points, cubeless: an evaluator at a bot's level."""

    def __init__(self, evaluator, level="net"):
        self.evaluator, self.level = evaluator, level

    def pick(self, results, seed):
        """Return one of the results of a roll."""
        if error := MISJUDGED[self.level]:
            return results[noisy(self.evaluator, results, money(), error, seed)[0][0]]
        looks_ahead = self.level == "lookahead"
        return results[ranked(self.evaluator, results, money(), looks_ahead=looks_ahead)[0][0]]


def luck(position, dice, worth):
    """Return what a roll brings whoever throws it above the mean of all rolls.

    By the net that comes along. Its mean is 0 whoever plays and however well, so results
    may be told without it; what is left of them varies far less.
    """
    packed = [unpacked(result_bytes(position, roll)) for roll in ROLLS]
    left = worth.of(judged(embedded(), swapped(np.concatenate(packed))))
    starts = np.cumsum([0, *map(len, packed[:-1])])
    kept = -np.minimum.reduceat(left, starts)
    chances = [1 if high == low else 2 for high, low in ROLLS]
    rolled = ROLLS.index((max(dice), min(dice)))
    return float(kept[rolled] - np.average(kept, weights=chances))


def game(first, second, rng, begins, *, adjusted):
    """Play a cubeless game between two players; return the first one's points."""
    position, mover, lucky = START, begins, 0.0
    while True:
        dice, seed = (rng.randint(1, 6), rng.randint(1, 6)), str(rng.random())
        if adjusted:
            lucky += luck(position, dice, money()) * (-1 if mover else 1)
        position = (first, second)[mover].pick(results(position, dice), seed)
        if value := winner_value(position):
            return (-value if mover else value) - lucky
        position, mover = swap(position), 1 - mover


def match_up(first, second, games, seed=1, *, adjusted=False):
    """Return the first player's points in each game, `adjusted` for luck if asked.

    Who begins changes, the dice stay. An evaluator plays at the level `net`.
    """
    first, second = (p if isinstance(p, Player) else Player(p) for p in (first, second))
    return [game(first, second, random.Random(seed + n // 2), n % 2, adjusted=adjusted) for n in range(games)]


def adjusted_rows(table, seat):
    """Return what a seat of a money table has won in each game, adjusted for luck.

    The luck of a roll counts at the cube as it stands, without gammons where Jacoby holds. It is told without the cube:
    its mean is 0, but what a roll is worth by a double that follows is left in the result. Only many games tell
    levels apart by it; over few, take the luck of an engine (`bench_bots.expert`).
    """
    state, lucky, found = rules.initial(table.options, table.opened_with), 0.0, []
    for entry in table.log:
        for event in entry.events:
            if event.type == "dice_rolled":
                cube, worth = state.game.cubes[0], money(float(state.game.cubes[0].turned))
                sign = 1 if event.data["seat"] == seat else -1
                position = movers_view(state.game)
                lucky += sign * cube.value * luck(position, event.data["dice"], worth)
            elif event.type == "game_ended":
                found.append(event.data["points"][seat] - lucky)
                lucky = 0.0
            state = rules.fold(state, event, entry.seq)
    return found
