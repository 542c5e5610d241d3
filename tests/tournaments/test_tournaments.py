"""Tournaments of a night: rights, matches with and without tables, results, what the house does by itself."""

from __future__ import annotations

import pytest

from games.kernel.contract import Illegal
from games.kernel.tournaments import recount
from games.models import Match, NightEvent, Participant, Table, Tournament
from games.services.commands import Actor, Request, new_command_id
from games.services.nights import membership
from games.services.people import deletion, merging, players
from games.services.tables.commit import submit
from games.services.tournaments import automatic, draw_check, formats, overview, participants, tournaments
from games.services.tournaments.tables import match_tables
from tests.seasons.test_matches import give_up
from tests.seasons.world import account, make
from tests.tournaments.world import Evening

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


# Rights


def test_the_host_names_up_to_three_directors_who_direct_and_nothing_else() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole", "Per")
    kari, *others = evening.people.values()
    with refused("not_director"):
        evening.do(kari, "enter", players=[kari.pk])
    with refused("not_host"):
        evening.do(kari, "name_director", player=kari.pk)
    for player in (kari, *others[:2]):
        evening.do(evening.host, "name_director", player=player.pk)
    with refused("too_many_directors"):
        evening.do(evening.host, "name_director", player=others[2].pk)
    evening.do(kari, "enter", players=[kari.pk, others[0].pk])
    with refused("not_host"):
        evening.do(kari, "remove")
    membership.remove(evening.night, evening.host, kari.pk)
    with refused("removed"):
        evening.do(kari, "hold")


def test_a_night_that_is_over_takes_no_act() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    membership.close(evening.night, evening.host)
    with refused("night_closed"):
        evening.do(evening.host, "result", match="m1", winner="p1")


# Confirming


def test_two_taps_on_confirm_start_each_match_once() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole")
    evening.enter()
    reading = evening.confirm()
    shown = {"seen": len(reading.log), "minute": reading.minute}
    evening.do(evening.host, "confirm", **shown)
    with refused("tournament_moved_on"):
        evening.do(evening.host, "confirm", **shown)
    assert evening.types().count("match") == 2


def test_proposals_are_those_of_the_minute_that_was_shown() -> None:
    evening = Evening("Kari", "Nils")
    evening.enter()
    with refused("tournament_moved_on"):
        evening.do(evening.host, "confirm", seen=2, minute=evening.read().minute + 5)
    with refused("nothing_proposed"):
        evening.do(evening.host, "confirm", seen=2, minute=0, which=9)


def test_the_house_confirms_by_itself_after_its_seconds_and_not_while_held() -> None:
    evening = Evening("Kari", "Nils")
    evening.enter()
    evening.confirm()
    automatic.run_due()
    assert evening.types()[-1] == "start"
    evening.do(evening.host, "hold")
    evening.later(minutes=1)
    automatic.run_due()
    assert evening.types()[-1] == "start"
    evening.do(evening.host, "go_on")
    automatic.run_due()
    evening.later(seconds=30)
    automatic.run_due()
    automatic.run_due()
    assert evening.types()[-1] == "match"
    assert evening.types().count("match") == 1


def test_the_start_is_never_confirmed_by_the_house() -> None:
    evening = Evening("Kari", "Nils")
    evening.enter()
    evening.later(hours=1)
    automatic.run_due()
    assert evening.types() == ["enter", "enter"]


# Match tables


@pytest.mark.usefixtures("sealed_dice")
def test_a_match_table_has_the_length_and_starts_by_itself_and_its_result_is_taken_once() -> None:
    evening = Evening("Kari", "Nils", medium="screen", length=1)
    evening.begin()
    (pairing,) = evening.tournament.pairings.all()
    assert pairing.table is not None
    assert (pairing.table.status, pairing.table.options["match_length"]) == ("playing", 1)
    give_up(pairing.table)
    for _ in range(2):
        automatic.run_due()
    reading = evening.read()
    assert evening.types().count("result") == 1
    match = Match.objects.get(table=pairing.table)
    won = evening.player(reading.state["matches"][0]["winner"])
    assert (won, reading.state["matches"][0]["status"]) == (match.winner, "done")
    assert evening.tournament.entries.get(data__type="result").by is None


def test_who_was_entered_by_somebody_else_accepts_once_and_then_the_tables_start() -> None:
    evening = Evening("Kari", "Nils", medium="screen")
    evening.enter(accepted=False)
    evening.confirm()
    evening.confirm()
    table = evening.tournament.pairings.get().table
    assert table is not None
    assert table.status == Table.Status.LOBBY
    for player in evening.people.values():
        with refused("card_changed"):
            evening.do(player, "accept", mark="another")
        evening.do(player, "accept", mark=participants.card(evening.tournament).mark)
    automatic.run_due()
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING


def test_a_person_without_a_phone_is_entered_and_accepted_for_by_the_director() -> None:
    evening = Evening("Kari", medium="wood")
    uncle = membership.bring(evening.night, evening.host, "Uncle")
    evening.people["Uncle"] = uncle
    evening.do(evening.host, "enter", players=[player.pk for player in evening.people.values()])
    row = Participant.objects.get(player=uncle)
    assert (row.accepted_at is not None, row.accepted_by) == (True, evening.host)
    assert Participant.objects.get(player=evening.people["Kari"]).accepted_at is None


def test_a_directors_result_ends_the_table_and_the_match_counts_for_seasons() -> None:
    evening = Evening("Kari", "Nils", medium="screen")
    evening.begin()
    table = evening.tournament.pairings.get().table
    assert table is not None
    evening.do(evening.host, "result", match="m1", winner=evening.key("Kari"), points=1)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    match = Match.objects.get(table=table)
    scores = (match.winner.nickname, match.winner_score, match.loser_score, match.seq)
    assert scores == ("Kari", 3, 1, 0)
    evening.do(evening.host, "correct", match="m1", winner=evening.key("Nils"))
    match.refresh_from_db()
    assert (match.winner.nickname, match.winner_score) == ("Nils", None)
    evening.do(evening.host, "void", match="m1")
    assert not Match.objects.exists()


def test_match_tables_do_not_count_to_the_limit_of_a_night(settings) -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole", medium="screen")
    settings.TABLES_PER_NIGHT = 1
    evening.begin()
    assert evening.night.tables.count() == 2


def test_above_twenty_matches_of_a_person_the_house_opens_no_table(monkeypatch) -> None:
    monkeypatch.setattr(match_tables, "MOST_MATCHES", 0)
    evening = Evening("Kari", "Nils", medium="screen")
    evening.begin()
    assert evening.tournament.pairings.get().table is None


def test_a_table_that_is_broken_off_leaves_the_match_to_a_director() -> None:
    evening = Evening("Kari", "Nils", medium="screen")
    evening.begin()
    table = evening.tournament.pairings.get().table
    assert table is not None
    submit(table.pk, Actor(evening.host.pk), Request("table.end", {}, new_command_id()))
    automatic.run_due()
    (match,) = overview.of(evening.tournament).running
    assert match.is_broken_off
    evening.do(evening.host, "result", match="m1", winner=evening.key("Kari"))
    assert evening.read().state["matches"][0]["status"] == "done"


# Results by the two


def test_a_result_counts_when_both_say_the_same() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    kari, nils = evening.people.values()
    evening.do(kari, "tell", match="m1", winner=evening.key("Kari"))
    assert evening.types()[-1] == "match"
    evening.do(nils, "tell", match="m1", winner=evening.key("Kari"))
    assert evening.read().state["matches"][0]["winner"] == evening.key("Kari")
    with refused("match_decided"):
        evening.do(kari, "tell", match="m1", winner=evening.key("Nils"))


def test_one_side_alone_counts_after_three_minutes_unless_the_other_says_otherwise() -> None:
    alone, contradicted = Evening("Kari", "Nils"), Evening("Kari", "Nils")
    for evening in (alone, contradicted):
        evening.begin()
        evening.do(evening.people["Kari"], "tell", match="m1", winner=evening.key("Kari"))
    automatic.run_due()
    assert alone.types()[-1] == "match"
    contradicted.do(contradicted.people["Nils"], "tell", match="m1", winner=contradicted.key("Nils"))
    for evening in (alone, contradicted):
        evening.later(minutes=4)
    automatic.run_due()
    assert [evening.types()[-1] for evening in (alone, contradicted)] == ["result", "match"]
    (match,) = overview.of(contradicted.tournament).running
    assert match.is_disputed


def test_nobody_else_says_how_a_match_ended() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    stranger = evening.joined("Uli")
    with refused("not_your_match"):
        evening.do(stranger, "tell", match="m1", winner="p1")


def test_a_keeper_speaks_for_people_without_a_phone() -> None:
    evening = Evening("Kari")
    evening.people["Uncle"] = membership.bring(evening.night, evening.people["Kari"], "Uncle")
    evening.do(evening.host, "enter", players=[player.pk for player in evening.people.values()])
    evening.confirm()
    evening.confirm()
    evening.do(evening.people["Kari"], "tell", match="m1", winner=evening.key("Uncle"))
    assert evening.read().state["matches"][0]["winner"] == evening.key("Uncle")


def test_who_does_not_come_loses_after_five_minutes_for_each_point_above_half_the_length() -> None:
    evening = Evening("Kari", "Nils", length=3)
    evening.begin()
    with refused("no_show_early"):
        evening.do(evening.host, "no_show", match="m1", who=evening.key("Nils"))
    evening.later(minutes=10)
    evening.do(evening.host, "no_show", match="m1", who=evening.key("Nils"))
    assert evening.read().state["matches"][0]["winner"] == evening.key("Kari")


# Coming and going


def test_people_come_late_pause_and_go_and_who_leaves_the_night_is_withdrawn() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.begin()
    late = evening.joined("Late")
    evening.do(late, "come_in", mark="")
    with refused("entered_already"):
        evening.do(late, "come_in", mark="")
    evening.do(late, "leave", when="one")
    evening.do(late, "again")
    membership.remove(evening.night, evening.host, late.pk)
    automatic.run_due()
    automatic.run_due()
    found = {row["player"]: row["status"] for row in evening.read().state["players"]}
    assert found["p4"] == "withdrawn"
    assert evening.types().count("withdraw") == 2


def test_after_the_last_start_nobody_enters() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    evening.later(hours=4)
    with refused("entry_closed"):
        evening.do(evening.joined("Late"), "come_in", mark="")


def test_a_merged_person_keeps_the_place_and_a_deleted_one_is_nobody_there() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    target = account("target")
    membership.join(evening.night, target)
    evening.do(evening.host, "name_director", player=target.pk)
    evening.do(evening.host, "name_director", player=evening.people["Kari"].pk)
    merging.merge(evening.people["Kari"], target)
    assert evening.player("p1") in (target, evening.people["Nils"])
    assert evening.tournament.directors.count() == 1
    assert deletion.own_data(target)["tournaments"][0]["tournament"] == evening.tournament.public_id
    deletion.delete(evening.people["Nils"])
    names = {person.name for person in overview.of(evening.tournament).people.values()}
    assert "Nils" not in names


# The end, draws, seasons


def test_the_seed_is_published_by_its_hash_first_and_opened_at_the_end() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole")
    made = NightEvent.objects.get(night=evening.night, type="tournament_made")
    assert made.data["hash"] == tournaments.hash_of(evening.tournament.seed)
    evening.begin()
    assert draw_check.check(evening.tournament).seed == ""
    assert draw_check.file_of(evening.tournament)["seed"] is None
    for match in evening.read().state["matches"]:
        evening.do(evening.host, "result", match=match["id"], winner=match["players"][0])
    evening.do(evening.host, "finish")
    evening.tournament.refresh_from_db()
    finding = draw_check.check(evening.tournament)
    assert (finding.seed, finding.faults, finding.checked) == (evening.tournament.seed, (), 3)
    ended = NightEvent.objects.get(night=evening.night, type="tournament_finished")
    assert ended.data["seed"] == evening.tournament.seed


def test_a_recount_finds_what_was_not_drawn() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole")
    evening.begin()
    Tournament.objects.update(seed_opened_at=99)
    evening.tournament.refresh_from_db()
    given = draw_check.file_of(evening.tournament)
    at = next(number for number, entry in enumerate(given["log"]) if entry["type"] == "match")
    given["log"][at]["players"].reverse()
    assert recount.recount(given)["faults"] == [at]
    assert recount.recount(given | {"seed": "0"})["faults"] == [-1]
    assert "error" in recount.recount({})


def test_the_final_has_its_stage_in_the_season_of_the_night() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole", kind="knockout", settings={"consolation": False})
    organiser = account("Olga")
    season = make(organiser, "matches", first_day=evening.night.day, last_day=evening.night.day)
    season.nights.create(night=evening.night)
    evening.begin()
    for _ in range(2):
        for match in evening.read().state["matches"]:
            if match["status"] == "running":
                evening.do(evening.host, "result", match=match["id"], winner=match["players"][0])
        evening.confirm()
    assert evening.tournament.status == "finished"
    stages = sorted(row.stage for row in season.stages.all())
    assert stages == ["final", "semi-final", "semi-final"]


# Making


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": ""}, "tournament_name"),
        ({"game_id": "chicago"}, "no_such_game"),
        ({"medium": "paper"}, "no_such_medium"),
        ({"auto_seconds": 999}, "bad_auto_seconds"),
        ({"choice": formats.ChosenFormat("open_end", 0, 240)}, "bad_match_length"),
        ({"choice": formats.ChosenFormat("chess", 3, 240)}, "tournament_format"),
        ({"choice": formats.ChosenFormat("lives", 3, 240, after=4)}, "tournament_format"),
        ({"choice": formats.ChosenFormat("swiss", 3, 240, settings={"tie": "coin"})}, "tournament_format"),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(change: dict[str, object], code: str) -> None:
    evening = Evening()
    fields = {"name": "Cup", "game_id": "chouette", "medium": "", "choice": formats.ChosenFormat("open_end", 3, 240)}
    with refused(code):
        tournaments.make(evening.night, evening.host, tournaments.TournamentDraft(**{**fields, **change}))
    assert evening.night.tournaments.count() == 1


def test_a_field_of_one_does_not_start() -> None:
    evening = Evening("Kari")
    evening.enter()
    with refused("nothing_proposed"):
        evening.confirm()


def test_the_proposed_length_is_three_points_for_24_people_and_four_hours() -> None:
    assert formats.proposed_length("open_end", 24, 240) == 3
    assert formats.last_start(240, 3, 0) == 197
    assert [formats.last_start(240, 3, cup) for cup in (2, 4)] == [168, 139]


def test_a_form_sent_twice_makes_one_tournament() -> None:
    evening = Evening()
    draft = tournaments.TournamentDraft("Second", "chouette", "", formats.ChosenFormat("lives", 3, 240))
    made = {tournaments.make(evening.night, evening.host, draft, "form").pk for _ in range(2)}
    assert len(made) == 1


def test_a_result_of_somebody_else_and_a_second_one_are_refused() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.begin()
    match = evening.read().state["matches"][0]
    other = next(key for key in ("p1", "p2", "p3") if key not in match["players"])
    with refused("not_entered"):
        evening.do(evening.host, "result", match="m1", winner=other)
    with refused("bad_loser_points"):
        evening.do(evening.host, "result", match="m1", winner=match["players"][0], points=3)
    evening.do(evening.host, "result", match="m1", winner=match["players"][0])
    with refused("match_decided"):
        evening.do(evening.host, "result", match="m1", winner=match["players"][0])
    with refused("no_such_pairing"):
        evening.do(evening.host, "result", match="m9", winner=other)


def test_who_is_at_no_night_of_it_does_not_come_in() -> None:
    evening = Evening("Kari")
    with refused("not_inside"):
        evening.do(players.new_guest("Stranger"), "come_in", mark="")


# Modes of proposals


def test_each_kind_of_proposal_is_asked_or_confirmed_by_the_house_after_its_own_seconds() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole")
    evening.enter()
    evening.do(evening.host, "modes", modes={"start": 60, "pairing": None})
    automatic.run_due()
    evening.later(seconds=59)
    automatic.run_due()
    assert "start" not in evening.types()
    evening.later(seconds=2)
    automatic.run_due()
    assert evening.types()[-1] == "start"
    evening.later(minutes=5)
    for _ in range(2):
        automatic.run_due()
    assert evening.types()[-1] == "start"
    evening.do(evening.host, "modes", modes={"pairing": 0})
    automatic.run_due()
    assert evening.types().count("match") == 2


def test_a_kind_that_is_confirmed_leaves_the_countdowns_of_others_running() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.do(evening.host, "modes", modes={"pairing": 30, "return": 300})
    evening.begin()
    (match,) = evening.read().state["matches"]
    waiting = next(key for key in ("p1", "p2", "p3") if key not in match["players"])
    evening.do(evening.host, "withdraw", who=waiting, when="one")
    evening.do(evening.host, "result", match="m1", winner=match["players"][0])
    automatic.run_due()
    running = dict(Tournament.objects.get().countdowns)
    assert set(running) == {"return"}
    evening.do(evening.host, "pair", one=match["players"][0], other=match["players"][1])
    automatic.run_due()
    assert Tournament.objects.get().countdowns == running


@pytest.mark.parametrize(
    ("modes", "code"),
    [({"pairing": 301}, "bad_auto_seconds"), ({"dance": 20}, "bad_argument"), ({"bye": -1}, "bad_auto")],
)
def test_a_bad_mode_changes_nothing(modes: dict[str, int], code: str) -> None:
    evening = Evening("Kari", "Nils")
    before = dict(evening.tournament.modes)
    with pytest.raises(Illegal, match=f"'{code}"):
        evening.do(evening.host, "modes", modes={"start": 20, **modes})
    evening.tournament.refresh_from_db()
    assert evening.tournament.modes == before
