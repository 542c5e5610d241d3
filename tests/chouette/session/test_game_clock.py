"""Game clocks, flags, the time limit of a match, and a match opened at a score (docs/rules-chouette.md §§8, 11)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chouette.export import mat
from chouette.rules import rules, secrets
from games.kernel.contract import FLAG, TIME_LIMIT, Command, Illegal
from games.kernel.options import OptionErrors
from games.kernel.replay import Entry, fold_all
from games.kernel.simulate import RandomDice
from tests.chouette.table import FOUR_EACH, Table, check, of, types

MINUTE = 60_000


def act(table: Table, who: str, name: str, until_flag: int, /, **args: Any) -> Any:
    """Give a command of the side whose clock runs, with what it has left until its flag falls."""
    clocks = {table.state.clock.runs: until_flag}
    command = Command(name, table.seat(who), args, None, clocks)
    return table._write(rules.decide(table.state, command, RandomDice(random.Random(1)), len(table.log) + 1).events)


def clock_of(table: Table) -> dict[str, Any]:
    return table.look()["clock"]


def match(**changes: Any) -> Table:
    table = Table("BA", "match", **{"clock": "delay", "match_length": 5, **changes})
    table.start(3, 1)
    return table


def on_wood(**changes: Any) -> Table:
    table = Table("BA", "wood", **{"format": "match", "clock": "delay", "match_length": 5, **changes})
    table.start()
    return table


@pytest.mark.parametrize(
    ("kind", "length", "points", "minutes"),
    [("delay", 5, (0, 0), 10), ("delay", 7, (2, 3), 9), ("pairs", 5, (0, 0), 12.5), ("pairs", 7, (2, 1), 13.75)],
)
def test_the_reserve_of_a_match_follows_from_its_length_and_score(kind, length, points, minutes) -> None:
    table = match(clock=kind, match_length=length, score_first=points[0], score_second=points[1])
    assert clock_of(table)["left"] == [minutes * MINUTE] * 2
    assert clock_of(table)["delay"] == (12_000 if kind == "delay" else 18_000)


def test_a_match_has_its_reserves_once_and_each_money_game_anew() -> None:
    table = Table("BA", "match", clock="delay", position=FOUR_EACH)
    table.start()
    act(table, "A", "roll", 7 * MINUTE)
    left = clock_of(table)["left"]
    table.do(None, FLAG, seat=table.state.clock.runs)
    money = Table("BA", "money", clock="delay", clock_minutes=3, position=FOUR_EACH)
    for _ in range(2):
        money.start()
        assert clock_of(money)["left"] == [3 * MINUTE] * 2
        money.do(None, FLAG, seat=money.state.clock.runs)
        assert money.look()["phase"] == "between"
    assert left == [10 * MINUTE] * 2


def test_the_clock_of_whoever_has_to_act_runs_and_the_other_one_stands() -> None:
    table = match()
    assert table.names[clock_of(table)["runs"]] == "B", "the winner of the opening throw plays"
    table.move()
    assert table.names[clock_of(table)["runs"]] == "A"
    act(table, "A", "cube", 9 * MINUTE, cube=0, double=True)
    assert table.stage == "answers" and table.names[clock_of(table)["runs"]] == "B"
    act(table, "B", "answer_batch", 8 * MINUTE, take=[0])
    assert table.names[clock_of(table)["runs"]] == "A"
    assert clock_of(table)["left"] == [9 * MINUTE, 8 * MINUTE]


def test_the_free_seconds_cost_no_reserve_and_it_never_grows() -> None:
    table = match()
    act(table, "B", "move", 10 * MINUTE + 5000, play=table.choice("B", "move").options[0]["play"])
    assert clock_of(table)["left"] == [10 * MINUTE] * 2


def test_who_acts_too_late_is_refused_and_only_the_house_acts_then() -> None:
    table = match()
    play = table.choice("B", "move").options[0]["play"]
    with pytest.raises(Illegal, match="flag_fell"):
        act(table, "B", "move", -1, play=play)
    act(table, "B", "move", 0, play=play)
    assert clock_of(table)["left"] == [10 * MINUTE, 0]


@pytest.mark.parametrize(
    ("effect", "left", "ended", "score"),
    [
        ("match", 0, {"reason": "time", "winner": 0}, [1, 0]),
        ("minute", MINUTE, None, [0, 0]),
        ("game", MINUTE, None, [1, 0]),
        ("point", MINUTE, None, [1, 0]),
        ("bell", 0, None, [0, 0]),
    ],
)
def test_a_fallen_flag_costs_what_the_house_rule_says(effect, left, ended, score) -> None:
    table = match(clock_expiry=effect)
    fell = of(table.do(None, FLAG, seat=1), "flag_fell")
    assert (fell["effect"], fell["left"]) == (effect, [10 * MINUTE, left])
    assert table.look()["outcome"] == ended
    assert table.look()["score"] == score


def test_after_the_one_minute_the_match_is_lost_and_after_a_bell_nothing_follows() -> None:
    table = match(clock_expiry="minute")
    table.do(None, FLAG, seat=1)
    table.do(None, FLAG, seat=1)
    assert table.look()["outcome"] == {"reason": "time", "winner": 0}
    bell = match(clock_expiry="bell")
    bell.do(None, FLAG, seat=1)
    assert rules.timers(bell.state) == ()
    bell.move()
    assert [timer.seat for timer in rules.timers(bell.state)] == [0]


def test_a_point_for_time_can_win_the_match() -> None:
    table = match(clock_expiry="point", match_length=2, score_first=1)
    table.do(None, FLAG, seat=1)
    assert table.look()["outcome"] == {"reason": "time", "winner": 0}


def test_a_doubled_game_is_lost_on_time_at_the_value_of_its_cube() -> None:
    table = match(clock_expiry="game", match_length=7)
    table.move()
    act(table, "A", "cube", MINUTE, cube=0, double=True)
    act(table, "B", "answer_batch", MINUTE, take=[0])
    table.do(None, FLAG, seat=0)
    assert table.look()["score"] == [0, 2]
    assert table.look()["sheet"][-1]["transfers"][0]["why"] == "time"


def test_on_wood_the_loser_of_the_opening_throw_starts_the_others_clock_and_each_side_presses() -> None:
    table = on_wood()
    assert clock_of(table)["runs"] is None
    assert "press" in table.commands("A") and "press" in table.commands("B")
    table.do("A", "press")
    assert table.names[clock_of(table)["runs"]] == "B"
    assert table.refuses("A", "press") == "not_open"
    assert table.required("A") == [] and table.required("B") == ["result"]
    act(table, "B", "press", 9 * MINUTE)
    assert clock_of(table)["left"] == [10 * MINUTE, 9 * MINUTE]
    act(table, "A", "double", 9 * MINUTE, cube=0)
    assert table.names[clock_of(table)["runs"]] == "B"
    act(table, "B", "answer_batch", 9 * MINUTE, take=[0])
    assert table.names[clock_of(table)["runs"]] == "A", "who has doubled is on turn"
    act(table, "A", "result", 8 * MINUTE, winner="team", level=1)
    assert clock_of(table)["runs"] is None
    table.do("B", "answer_result", accept=False)
    assert table.names[clock_of(table)["runs"]] == "A"


def test_a_second_tap_of_the_same_press_is_stale() -> None:
    table = on_wood()
    first = table.choice("A", "press").opened_at
    table.do("A", "press")
    table.do("B", "press")
    with pytest.raises(Illegal, match="stale"):
        rules.decide(table.state, Command("press", 0, {}, first), RandomDice(random.Random(1)), len(table.log) + 1)


def test_taking_the_beginning_back_gives_no_reserve_back() -> None:
    table = Table("BA", "wood", format="money", clock="delay", clock_minutes=3)
    table.start()
    table.do("A", "press")
    act(table, "B", "press", 2 * MINUTE)
    table.do("B", "take_back")
    assert table.look()["phase"] == "between" and clock_of(table)["runs"] is None
    table.start()
    assert clock_of(table)["left"] == [3 * MINUTE, 2 * MINUTE]


def test_a_match_with_a_time_limit_is_won_by_who_is_ahead_after_the_game_in_play() -> None:
    table = Table("BA", "match", match_minutes=30, position=FOUR_EACH)
    (timer,) = rules.timers(table.state)
    assert (timer.name, timer.seat, timer.ms) == (TIME_LIMIT, None, 30 * MINUTE)
    table.start()
    table.do(None, TIME_LIMIT)
    assert table.look()["ended"] is None and rules.timers(table.state) == ()
    while table.look()["phase"] == "playing":
        table.next_turn(6, 6)
    assert table.look()["ended"]["reason"] == "time_limit"
    assert sorted(table.look()["score"]) == [0, 1]


def test_an_equal_score_at_the_time_limit_is_decided_by_one_more_game() -> None:
    table = Table("BA", "match", match_minutes=30, score_first=1, position=FOUR_EACH)
    table.start()
    table.do(None, TIME_LIMIT)
    table.do("A", "resign", level=1)
    table.do("B", "answer_resignation", accept=True)
    assert table.look()["score"] == [1, 1] and table.look()["ended"] is None
    table.start()
    table.do("B", "resign", level=1)
    table.do("A", "answer_resignation", accept=True)
    assert table.look()["outcome"] == {"reason": "time_limit", "winner": 0}


def test_between_two_games_who_is_ahead_has_won_when_the_time_is_over() -> None:
    table = Table("BA", "match", match_minutes=30, score_second=2)
    table.do(None, TIME_LIMIT)
    assert table.look()["outcome"] == {"reason": "time_limit", "winner": 1}


def session(**changes: Any) -> Table:
    return Table("BA", "money", **{"match_minutes": 30, "position": FOUR_EACH, **changes})


def resign(table: Table, who: str, other: str) -> None:
    table.do(who, "resign", level=1)
    table.do(other, "answer_resignation", accept=True)


def ends(table: Table) -> list[Any]:
    return [end for entry in table.log for e in entry.events if (end := rules.match_end(table.state, e)) is not None]


def test_a_money_session_is_won_by_who_is_ahead_after_the_game_that_runs_when_its_time_is_over() -> None:
    table = session()
    (timer,) = rules.timers(table.state)
    assert (timer.name, timer.ms) == (TIME_LIMIT, 30 * MINUTE)
    table.start()
    resign(table, "A", "B")
    table.start()
    table.do(None, TIME_LIMIT)
    assert table.look()["ended"] is None
    resign(table, "B", "A")
    # The points are equal: one more game.
    assert table.look()["phase"] == "between" and ends(table) == []
    table.start()
    resign(table, "B", "A")
    assert table.look()["outcome"]["reason"] == "time_limit"
    (end,) = ends(table)
    assert (end.winner, end.scores, end.how, end.length) == (table.seat("A"), {0: 2, 1: 1}, "played", 4)


def test_who_leaves_a_money_session_loses_it_and_the_host_does_not_close_it() -> None:
    table = session()
    assert table.refuses(None, "close") == "not_between_games"
    table.house("leave", "A")
    (end,) = ends(table)
    assert (end.winner, end.how) == (table.seat("B"), "given_up")
    later = session(bot_plays_on=False)
    later.start()
    assert "leave_after" not in {choice.name for choice in rules.choices(later.state, later.seat("A"))}
    later.house("leave", "A")
    (end,) = ends(later)
    assert (end.winner, end.how) == (later.seat("B"), "given_up")


def test_money_games_without_a_time_are_won_by_nobody() -> None:
    table = session(match_minutes=0)
    table.start()
    resign(table, "A", "B")
    assert table.look()["ended"] is None and rules.timers(table.state) == ()
    table.start()
    assert "leave_after" in {choice.name for choice in rules.choices(table.state, table.seat("A"))}


def test_a_match_is_opened_at_a_score_and_the_crawford_rule_follows_it() -> None:
    table = Table("BA", "match", match_length=3, score_first=2, position=FOUR_EACH)
    assert table.look()["score"] == [2, 0]
    assert table.look()["crawford_next"]
    table.start()
    assert table.look()["crawford"]
    text = mat(table.options, 2, table.log, 0, ("Anna", "Bert"))
    assert "; The match is opened at a score: Anna starts with 2." in text


def test_the_score_at_the_start_is_below_the_length() -> None:
    with pytest.raises(OptionErrors, match="start_above_length"):
        rules.options().values("match", {"match_length": 3, "score_second": 3})


def test_there_is_no_game_clock_beside_a_time_for_decisions_nor_in_a_chouette() -> None:
    assert match(turn_seconds=30).look()["clock"] is None
    table = Table("BCA", "german", clock="delay")
    table.start(3, 1)
    assert table.look()["clock"] is None


def test_a_log_older_than_clocks_has_none() -> None:
    table = match()
    new = ("clock", "clock_minutes", "clock_expiry", "wood_moves", "score_first", "score_second", "match_minutes")
    options = {name: value for name, value in table.options.items() if name not in new}
    log = [Entry(e.seq, tuple(x for x in e.events if not x.type.startswith("clock"))) for e in table.log]
    state = fold_all(rules, options, 2, log)
    check(state)
    assert state.clock is None and rules.timers(state) == ()
    assert rules.view(state, None)["clock"] is None
    command = Command("move", 1, table.choice("B", "move").options[0])
    decided = rules.decide(state, command, RandomDice(random.Random(1)), 9)
    assert "clock_pressed" not in types(list(decided.events))


class Evening:
    """A random match on the clock, with a clock of the test's own beside it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        board = self.rng.choice([{"board": "wood"}, {"board": "screen"}, {"board": "screen", "grace_seconds": 2}])
        changes = {"format": self.rng.choice(["match", "money"]), "match_length": self.rng.choice([1, 3, 5]), **board}
        effect = self.rng.choice(["match", "minute", "game", "bell"])
        kind = self.rng.choice(["delay", "pairs"])
        self.options = rules.options().values("match", {**changes, "clock": kind, "clock_expiry": effect})
        self.dice = RandomDice(self.rng)
        decided = rules.open(self.options, 2, self.dice)
        self.state, self.log = decided.state, [Entry(1, decided.events)]
        self.spent = [0, 0]

    def play(self, most: int) -> None:
        """Play on, and hold each entry to the account of the reserves."""
        until = {timer.seat: timer.ms for timer in rules.timers(self.state) if timer.seat is not None}
        for _ in range(most):
            if rules.is_over(self.state):
                return
            before, seat = self.state, next(iter(until), None)
            # Most turns take less than the free seconds; pauses and restarts take nothing (the house's part).
            took = int(self.rng.choice([0, 3000, 11_000, 15_000, self.rng.random() * 200_000]))
            if seat is not None and took >= until[seat]:
                until, command = {seat: 0}, Command(FLAG, None, {"seat": seat}, None, {seat: 0})
            else:
                until = {seat: until[seat] - took} if seat is not None else {}
                command = self._anything(until)
            self._write(command)
            self._account(before, seat, until)
            until = self._until(before, until)

    def _anything(self, until: dict[int, int]) -> Command:
        choices = [choice for seat in (0, 1) for choice in rules.choices(self.state, seat)]
        wanted = [c for c in choices if c.required or c.name in ("press", "cube", "double", "offer", "take_back")]
        choice = self.rng.choice([c for c in wanted if c.name != "result" or self.rng.random() < 0.1] or choices)
        return Command(choice.name, choice.seat, self.rng.choice(list(choice.options)), choice.opened_at, until)

    def _write(self, command: Command) -> None:
        decided = rules.decide(self.state, command, self.dice, len(self.log) + 1)
        self.log.append(Entry(len(self.log) + 1, decided.events))
        self.state = decided.state

    def _until(self, before: Any, until: dict[int, int]) -> dict[int, int]:
        """Return the milliseconds until each flag falls after an entry: a clock that runs on keeps what it had."""
        since = [None if state.clock is None else state.clock.since for state in (before, self.state)]
        is_same = since[0] == since[1]
        timers = [timer for timer in rules.timers(self.state) if timer.seat is not None]
        return {t.seat: until[t.seat] if is_same and t.seat in until else t.ms for t in timers}

    def _account(self, before: Any, seat: int | None, until: dict[int, int]) -> None:
        old, new = before.clock, self.state.clock
        if old is None or new is None or old == new:
            return
        events = {event.type: event.data for event in self.log[-1].events}
        for each in (0, 1):
            given = new.left[each] - old.left[each]
            if "clock_set" in events:
                assert new.left[each] == old.left[each] or self.options["format"] == "money"
            elif "flag_fell" in events and each == seat:
                assert new.left[each] in (0, MINUTE)
            elif each == seat:
                assert new.left[each] == min(old.left[each], until[each]), "what elapsed beyond the free seconds"
            else:
                assert given == 0, "the clock of the other side stands"
            assert new.left[each] >= 0


@pytest.mark.parametrize("seed", range(12))
def test_over_random_evenings_reserves_fall_by_what_elapsed_and_a_replay_has_the_same(seed: int) -> None:
    evening = Evening(seed)
    evening.play(120)
    assert evening.state.clock is not None
    assert fold_all(rules, evening.options, 2, evening.log) == evening.state
    check(evening.state)
    pressed = [event.data for entry in evening.log for event in entry.events if event.type == "clock_pressed"]
    assert pressed and all(len(data["left"]) == 2 for data in pressed)


@pytest.mark.parametrize("board", ["match", "wood"])
def test_a_clock_that_both_agree_to_begins_with_the_next_game_and_the_score_then(board: str) -> None:
    table = Table("BA", board, format="match", match_length=7, score_first=2, score_second=1, position=FOUR_EACH)
    assert table.look()["clock"] is None and "clock" in table.commands("A")
    table.do("A", "clock", clock="delay")
    assert table.look()["clock"] is None, "one alone puts no clock in"
    table.do("B", "clock", clock="delay")
    assert "clock" not in table.commands("A") and "clock" not in table.commands("B")
    table.start()
    assert clock_of(table)["left"] == [11 * MINUTE] * 2
    assert fold_all(rules, table.options, 2, table.log) == table.state
    check(table.state)


def test_a_wish_that_is_taken_back_puts_no_clock_in() -> None:
    table = Table("BA", "match", match_length=5, position=FOUR_EACH)
    assert table.options_of("A", "clock") == [{"clock": "delay"}], "pairs are the host's"
    table.do("A", "clock", clock="delay")
    table.do("A", "clock", clock=None)
    table.do("B", "clock", clock="delay")
    table.start()
    assert table.look()["clock"] is None and "clock" not in table.commands("A"), "only between two games"


def test_the_host_puts_a_clock_in_during_a_game_and_it_begins_with_the_next_one() -> None:
    table = Table("BA", "match", match_length=5, position=FOUR_EACH)
    table.start()
    assert {"clock": "pairs", "clock_expiry": "bell"} in table.choice(None, "clock").options
    table.do(None, "clock", clock="delay", clock_expiry="minute")
    assert table.look()["clock"] is None and rules.timers(table.state) == ()
    table.do("A", "resign", level=1)
    table.do("B", "answer_resignation", accept=True)
    table.start()
    assert clock_of(table)["left"] == [9 * MINUTE] * 2, "2 x 5 - 1 minutes at 1 : 0"
    seat = table.state.clock.runs
    fell = of(table.do(None, FLAG, seat=seat), "flag_fell")
    assert fell["effect"] == "minute" and fell["left"][seat] == MINUTE
    table.do(None, FLAG, seat=seat)
    assert table.look()["outcome"]["reason"] == "time"


@pytest.mark.parametrize(
    ("preset", "changes"),
    [("match", {"turn_seconds": 30}), ("match", {"clock": "delay"}), ("german", {})],
)
def test_no_clock_is_put_in_beside_a_time_for_decisions_another_clock_or_in_a_chouette(preset, changes) -> None:
    table = Table("BA" if preset == "match" else "BCA", preset, **changes)
    assert all("clock" not in [c.name for c in rules.choices(table.state, seat)] for seat in (None, 0, 1))


def test_money_games_get_a_reserve_for_each_game_and_no_point_can_be_given_in_them() -> None:
    table = Table("BA", "money", position=FOUR_EACH)
    assert all(each["clock_expiry"] != "point" for each in table.choice(None, "clock").options)
    table.do(None, "clock", clock="delay", clock_expiry="match")
    table.start()
    assert clock_of(table)["left"] == [7 * MINUTE] * 2


def test_nobody_else_at_a_real_board_agrees_to_a_clock_for_a_player() -> None:
    table = Table("BA", "wood", format="match", match_length=5)
    choices = rules.choices(table.state, 0)
    assert "clock" in [each.name for each in choices]
    assert "clock" not in [each.name for each in secrets.to_enter(table.state, choices)]
