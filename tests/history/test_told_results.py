"""Who won a game of a match on a real board is put right: log, results, tallies and the table itself follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import plugin
from games.kernel.contract import Illegal
from games.management import log_check
from games.models import AuditEntry, Match, Night, NightTally, Player, Result, Table, Tally
from games.services.commands import Actor, Request, new_command_id
from games.services.history import corrections, night_tallies, player_history, score_sheets, tallies
from games.services.logs import log_views, replays
from games.services.nights import membership
from games.services.people import deletion
from games.services.storage import log_files
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.admin.pages import ask_path
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db

WRONG = "Told the wrong way round"


@pytest.fixture
def anna(make_player: Callable[[str], Player]) -> Player:
    """A player of the match."""
    return make_player("Anna")


@pytest.fixture
def bruno(make_player: Callable[[str], Player]) -> Player:
    """The other one."""
    return make_player("Bruno")


@pytest.fixture
def match(night: Night, host: Player, anna: Player, bruno: Player) -> Table:
    """A match to 3 on a real board, Anna (seat 0) against Bruno, at 0–0; the host does not play."""
    table = setup.open_table(night, host, "chouette", "match", {"board": "wood", "match_length": 3})
    for index, player in enumerate((anna, bruno)):
        membership.join(night, player)
        setup.sit(table, player, accept=True, is_adult=True, nonce=f"n{index}")
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    return table


def view(table: Table) -> Any:
    table.refresh_from_db()
    return plugin.game("chouette").rules.view(log.state_of(table), None)


def play(table: Table, seat: int, level: int = 1) -> Result:
    """Play a game that a seat wins, as the host states it; return its result."""
    if view(table)["phase"] == "between":
        box = view(table)["line"][0]
        player = table.seats.get(index=box).player_id
        choice = next(c for c in plugin.game("chouette").rules.choices(log.state_of(table), box))
        submit(table.pk, Actor(player), Request("begin_game", {}, new_command_id(), choice.opened_at))
    side = "box" if view(table)["game"]["box"] == seat else "team"
    args = {"result": {"winner": side, "level": level}}
    submit(table.pk, Actor(table.night.host_id), Request("table.state_result", args, new_command_id()))
    found = table.results.filter(is_correction=False).order_by("seq").last()
    assert found is not None
    return found


def told(winner: int, level: int = 1, cube: int = 1) -> dict[str, int]:
    return {"winner": winner, "level": level, "cube": cube}


def points(result: Result) -> dict[int, int]:
    return dict(result.lines.values_list("seat", "points"))


def sums(table: Table) -> dict[int, tuple[int, int, int, int]]:
    """Return each seat's tally: games, games won, points, gammons."""
    players = {seat.index: seat.player_id for seat in table.seats.all()}
    rows = {row.player_id: row for row in Tally.objects.filter(venue=None)}
    return {
        seat: (row.played, row.won, row.points, row.stats.get("gammons", 0))
        for seat, player in players.items()
        if (row := rows.get(player)) is not None
    }


def kept() -> list[Any]:
    everywhere = Tally.objects.order_by("player", "venue").values_list("player", "venue", "played", "won", "points")
    nights = NightTally.objects.order_by("player").values_list("player", "points", "played")
    figures = [sorted((k, v) for k, v in stats.items() if v) for stats in Tally.objects.order_by("player", "venue")
               .values_list("stats", flat=True)]  # fmt: skip
    return [list(everywhere), list(nights), figures]


def holds_together(table: Table) -> None:
    """The log, the stored results and the tallies agree, and so do tallies built anew."""
    table.refresh_from_db()
    assert log_check.faults(table) == []
    before = kept()
    tallies.rebuild()
    night_tallies.rebuild()
    assert kept() == before


def test_a_wrong_result_is_put_right_and_the_match_goes_on(match: Table, host: Player, anna: Player) -> None:
    play(match, 0, 2)
    last = play(match, 0)
    match.refresh_from_db()
    assert match.status == Table.Status.FINISHED and match.finished_at is not None
    row = corrections.correct(last, host, {}, WRONG, told=told(1))
    assert row is not None and row.is_correction and row.corrects == last and row.by_name == "Hanna"
    assert points(row) == {0: -2, 1: 2} and points(last) == {0: 1, 1: -1}, "a row more, and none changed"
    assert (match.refresh_from_db(), match.status, match.finished_at)[1:] == (Table.Status.PLAYING, None)
    assert view(match)["score"] == [2, 1]
    assert sums(match) == {0: (2, 1, 1, 1), 1: (2, 1, -1, 0)}
    assert AuditEntry.objects.filter(act="result_corrected").get().data["told"] == told(1)
    holds_together(match)
    # It is played on to its end.
    play(match, 1, 2)
    match.refresh_from_db()
    assert match.status == Table.Status.FINISHED and view(match)["ended"]["winner"] == 1
    holds_together(match)


def test_the_row_of_a_match_follows_corrections(match: Table, host: Player, anna: Player, bruno: Player) -> None:
    def row() -> tuple[Any, ...] | None:
        fields = ("winner", "loser", "winner_score", "loser_score", "how")
        return Match.objects.filter(table=match).values_list(*fields).first()

    first, second = play(match, 1), play(match, 0, 2)
    last = play(match, 0)
    assert row() == (anna.pk, bruno.pk, 3, 1, "played")
    corrections.correct(first, host, {}, WRONG, told=told(1, 2))
    assert row() == (anna.pk, bruno.pk, 3, 2, "played"), "another score"
    holds_together(match)
    corrections.correct(last, host, {}, WRONG, told=told(1))
    assert row() == (bruno.pk, anna.pk, 3, 2, "played"), "another winner"
    holds_together(match)
    corrections.correct(second, host, {}, WRONG, told=told(0))
    corrections.correct(first, host, {}, WRONG, told=told(1))
    assert row() is None, "it goes on"
    holds_together(match)
    play(match, 0, 2)
    assert row() == (anna.pk, bruno.pk, 3, 2, "played")
    holds_together(match)


def test_ranks_streaks_and_rivals_follow(match: Table, host: Player, anna: Player, bruno: Player) -> None:
    first = play(match, 0)
    play(match, 0)
    corrections.correct(first, host, {}, WRONG, told=told(1))
    first.refresh_from_db()
    assert dict(first.lines.values_list("seat", "rank")) == {0: 2, 1: 1}
    (record,) = player_history.records(player_history.lines_of(anna, player_history.Filters()))
    assert (record.played, record.won, record.streak, record.longest, record.points) == (2, 1, 1, 1, 0)
    (rival,) = player_history.rivals(anna, player_history.lines_of(anna, player_history.Filters()))
    assert (rival.games, rival.ahead, rival.behind) == (2, 1, 1)
    (sheet,) = score_sheets.sheets(match.night)
    assert (sheet.totals, sheet.won, sheet.played) == ((0, 0), (1, 1), (2, 2))


def test_a_correction_that_ends_the_match_strikes_the_later_games(match: Table, host: Player) -> None:
    first = play(match, 0)
    play(match, 1)
    play(match, 1)
    play_on = view(match)
    assert play_on["score"] == [1, 2]
    corrections.correct(first, host, {}, WRONG, told=told(0, 3))
    match.refresh_from_db()
    assert match.status == Table.Status.FINISHED and view(match)["score"] == [3, 0]
    assert sums(match) == {0: (1, 1, 3, 1), 1: (1, 0, -3, 0)}
    holds_together(match)
    corrections.correct(first, host, {}, "It was plain", told=told(0))
    assert view(match)["score"] == [1, 2] and sums(match) == {0: (3, 1, -1, 0), 1: (3, 2, 1, 0)}
    match.refresh_from_db()
    assert match.status == Table.Status.PLAYING
    holds_together(match)


def test_at_a_closed_night_a_match_without_a_winner_stands_as_broken_off(match: Table, host: Player) -> None:
    play(match, 0, 2)
    last = play(match, 0)
    membership.close(match.night, host)
    corrections.correct(last, host, {}, WRONG, told=told(1))
    match.refresh_from_db()
    assert match.status == Table.Status.FINISHED and view(match)["score"] == [2, 1]
    assert log_views.snapshot(match.pk).table["broken_off"]
    holds_together(match)
    corrections.correct(last, host, {}, "No, Anna won", told=told(0))
    assert view(match)["outcome"] == {"reason": "match_won", "winner": 0}
    holds_together(match)


def test_a_match_goes_on_only_with_both_of_its_people(match: Table, host: Player, bruno: Player) -> None:
    play(match, 0, 2)
    last = play(match, 0)
    membership.remove(match.night, host, bruno.pk)
    corrections.correct(last, host, {}, WRONG, told=told(1))
    match.refresh_from_db()
    assert match.status == Table.Status.FINISHED and view(match)["score"] == [2, 1]
    holds_together(match)


def test_a_match_whose_log_was_moved_to_a_file_is_corrected_too(match: Table, host: Player, settings, tmp_path) -> None:
    settings.LOG_FILES = tmp_path
    play(match, 0, 2)
    last = play(match, 0)
    log_files.compress(match.pk)
    corrections.correct(last, host, {}, WRONG, told=told(1))
    assert view(match)["score"] == [2, 1]
    holds_together(match)


def test_until_the_next_result_its_players_agree_on_whatever_is_right(
    match: Table, anna: Player, bruno: Player
) -> None:
    first = play(match, 0)
    assert corrections.correct(first, bruno, {}, WRONG, told=told(1, 2)) is None
    (found,) = Table.objects.get(pk=match.pk).corrections
    assert (found["points"], found["told"], found["waiting"]) == ({"0": -3, "1": 3}, told(1, 2), [0])
    shown = log_views.snapshot(match.pk).table["corrections"][0]
    assert shown["told"] == told(1, 2)
    assert view(match)["score"] == [1, 0], "nothing counts yet"
    row = corrections.answer(match.pk, found["id"], anna, agrees=True)
    assert row is not None and row.by_name == "Bruno" and view(match)["score"] == [0, 2]
    holds_together(match)


def test_later_the_bound_of_the_sheet_holds_for_players_and_not_for_the_host(
    match: Table, host: Player, bruno: Player
) -> None:
    first = play(match, 0)
    play(match, 0)
    with pytest.raises(Illegal, match="too_much"):
        corrections.correct(first, bruno, {}, WRONG, told=told(1))
    assert corrections.correct(first, host, {}, WRONG, told=told(1)) is not None


def test_two_corrections_at_once_count_once(match: Table, host: Player, anna: Player, bruno: Player) -> None:
    first = play(match, 0)
    corrections.correct(first, bruno, {}, WRONG, told=told(1))
    (found,) = Table.objects.get(pk=match.pk).corrections
    corrections.correct(first, host, {}, WRONG, told=told(1))
    with pytest.raises(Illegal, match="no_change"):
        corrections.correct(first, host, {}, WRONG, told=told(1))
    with pytest.raises(Illegal, match="told_meanwhile"):
        corrections.answer(match.pk, found["id"], anna, agrees=True)
    assert Result.objects.filter(is_correction=True).count() == 1
    corrections.answer(match.pk, found["id"], anna, agrees=False)
    assert Table.objects.get(pk=match.pk).corrections == []


def test_the_same_form_counts_once_and_never_with_other_contents(match: Table, host: Player) -> None:
    first = play(match, 0)
    for _ in range(2):
        corrections.correct(first, host, {}, WRONG, "form-1", told=told(1))
    assert Result.objects.filter(is_correction=True).count() == 1
    with pytest.raises(Illegal, match="form_changed"):
        corrections.correct(first, host, {}, WRONG, "form-1", told=told(1, 2))


def test_enemies_of_a_told_correction(match: Table, host: Player, anna: Player, make_player) -> None:
    first = play(match, 0)
    stranger = make_player("Uli")
    membership.host_night(stranger, "Another night")
    for by, wanted, code in (
        (stranger, told(1), "not_host"),
        (host, told(0), "no_change"),
        (host, told(2), "bad_told"),
        (host, told(1, 4), "bad_told"),
        (host, told(1, 1, 3), "bad_told"),
        (host, told(1, 1, 128), "bad_told"),
        (host, {"winner": 1}, "bad_told"),
        (host, {**told(1), "more": 1}, "bad_told"),
        (host, {**told(1), "level": True}, "bad_told"),
    ):
        with pytest.raises(Illegal, match=code):
            corrections.correct(first, by, {}, WRONG, told=wanted)
    with pytest.raises(Illegal, match="told_wanted"):
        corrections.correct(first, host, {0: -2, 1: 2}, WRONG)
    with pytest.raises(Illegal, match="no_reason"):
        corrections.correct(first, host, {}, " ", told=told(1))
    assert Result.objects.count() == 1 and view(match)["score"] == [1, 0]


def test_a_host_who_plays_does_not_win_by_their_own_word(start_table: Callable[..., Table], host: Player) -> None:
    table = start_table("chouette", "match", seats=2, board="wood", match_length=3)
    first = play(table, 1)
    own = table.seats.get(player=host).index
    assert own == 0
    assert corrections.correct(first, host, {}, WRONG, told=told(0)) is None
    (found,) = Table.objects.get(pk=table.pk).corrections
    assert found["one_is_enough"] and found["waiting"] == [1]
    other = table.seats.get(index=1).player
    assert corrections.answer(table.pk, found["id"], other, agrees=True) is not None
    assert view(table)["score"] == [1, 0]


def test_who_was_deleted_comes_back_to_no_leaderboard(match: Table, host: Player, bruno: Player) -> None:
    play(match, 0, 2)
    last = play(match, 0)
    deletion.delete(bruno)
    corrections.correct(last, host, {}, WRONG, told=told(1))
    assert not Tally.objects.filter(player=bruno).exists()
    assert view(match)["score"] == [2, 1]
    assert Table.objects.get(pk=match.pk).status == Table.Status.FINISHED, "nobody is there to play on"


def test_points_of_other_games_are_corrected_as_ever(start_table: Callable[..., Table], host: Player) -> None:
    table = start_table("chouette", "wood", seats=3)
    first = play(table, 0)
    with pytest.raises(Illegal, match="not_told"):
        corrections.correct(first, host, {}, WRONG, told=told(1))


def test_the_replay_of_a_match_that_is_over_ends_with_its_correction(match: Table, host: Player) -> None:
    play(match, 0, 2)
    last = play(match, 0)
    row = corrections.correct(last, host, {}, WRONG, told=told(0, 2))
    assert row is not None
    spans = replays.games_of(Table.objects.get(pk=match.pk))
    assert [span.number for span in spans] == [1, 2] and spans[-1].last == row.seq
    frame = replays.frames(Table.objects.get(pk=match.pk), row.seq or 0)[-1]
    assert frame["view"]["score"] == [4, 0]
    assert [event["type"] for event in frame["events"]] == ["result_corrected"]


# The page.


def test_the_page_asks_who_won_and_how(match: Table, host: Player, anna: Player) -> None:
    first = play(match, 0)
    address = reverse("correct", args=[first.pk])
    client = browser_of(host)
    page = client.get(address).content.decode()
    for wanted in ('name="winner" value="0"', 'name="level"', 'name="cube"'):
        assert wanted in page
    assert 'name="seat-0"' not in page
    typed = {"winner": "1", "level": "2", "cube": "2", "reason": WRONG}
    assert client.post(address, typed).status_code == 302
    assert view(match)["score"] == [0, 4] and view(match)["ended"]["winner"] == 1
    results = client.get(reverse("night_results", args=[match.night.public_id])).content.decode()
    assert WRONG in results


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"winner": "1", "level": "", "cube": "1", "reason": WRONG}, "points-error"),
        ({"level": "1", "cube": "1", "reason": WRONG}, "points-error"),
        ({"winner": "x", "level": "1", "cube": "1", "reason": WRONG}, "points-error"),
        ({"winner": "\u0661", "level": "1", "cube": "1", "reason": WRONG}, "points-error"),
        ({"winner": "0", "level": "1", "cube": "1", "reason": WRONG}, "points-error"),
        ({"winner": "1", "level": "1", "cube": "1", "reason": ""}, "reason-error"),
    ],
)
def test_what_is_missing_is_told_at_its_field_and_nothing_is_lost(
    match: Table, host: Player, typed: dict[str, str], field: str
) -> None:
    first = play(match, 0)
    answer = browser_of(host).post(reverse("correct", args=[first.pk]), typed)
    text = answer.content.decode()
    assert answer.status_code in (400, 409) and f'id="{field}"' in text
    assert 'value="1" selected' in " ".join(text.split()) and f'value="{typed["reason"]}"' in text
    assert Result.objects.count() == 1


def test_the_command_reaches_the_rules_by_the_house_alone(match: Table, host: Player) -> None:
    """A bot's or a forged request with the house's name for it is refused by the choices of the seats."""
    first = play(match, 0)
    args = {"seat": None, "of": first.seq, "told": told(1), "reason": WRONG}
    for actor in (Actor(host.pk), Actor(bot_seat=0)):
        with pytest.raises(Illegal):
            submit(match.pk, actor, Request("correct_result", args, new_command_id(), first.seq))
    assert view(match)["score"] == [1, 0]


def test_who_is_asked_reads_what_the_result_would_be(match: Table, anna: Player, bruno: Player) -> None:
    first = play(match, 0)
    corrections.correct(first, bruno, {}, WRONG, told=told(1, 2, 2))
    page = browser_of(anna).get(reverse("night_results", args=[match.night.public_id])).content.decode()
    assert "Bruno · gammon · 2" in page and WRONG in page


def test_the_staff_corrects_who_won_in_the_admin(match: Table, admin_client: Client) -> None:
    first = play(match, 0)
    address = ask_path("result", "correct", first)
    page = admin_client.get(address).content.decode()
    assert 'name="told_winner"' in page and 'name="points_0"' not in page
    typed = {"told_winner": "1", "told_level": "2", "told_cube": "1", "reason": WRONG}
    admin_client.post(address, typed)
    assert view(match)["score"] == [0, 2]
