"""Match files that players bring in: read, graded after the house's games, private to their owner, gone with them."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

import chouette.analysis.report
from chouette.analysis import house
from chouette.analysis.brought import others_word, report
from chouette.match_files.reading import read
from games.kernel.contract import Illegal
from games.models import BroughtMatch, GameGrades
from games.services.grades import brought, brought_address
from games.services.people import deletion, merging
from tests.chouette.analysis.files import SHORT
from tests.chouette.analysis.test_sessions import Planted
from tests.grades.judging import play_out, work
from tests.web.pages import browser_of

SHORT_FILE = SHORT.encode()
BROKEN = f"{SHORT}\n Game 2\n Kari : 0   Per : 2\n  1) 31: 8/5 6/4     52: 13/11 13/8\n".encode()
"""A game, and one that begins with a play that is not legal, in line 18."""
GNUBG = """(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07]MI[length:0][game:0][ws:0][bs:0]PW[Kari]PB[Per]RE[W+1R]
;W[31hefe]A[0][hefe E ver 3 0.55 0.16 0.01 0.12 0.01 0.159000 2C 0 1 0.000000 1]
[xwmj E ver 3 0.5 0.1 0.0 0.1 0.0 -0.100000 0C 0 1 0.000000 1][hhhh none]LU[0.12000]
;B[62agln]DA[E ver 3 2C 1 0.000000 1 0.5 0.1 0.0 0.1 0.0 0.02 0.050000 0.5 0.1 0.0 0.1 0.0 0.02 -0.300000])
"""


class Engine(Planted):
    """An engine with opinions at every depth."""

    level, closed = "0-ply", False

    def at(self, depth):
        return self


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr(house, "engine", Engine)
    monkeypatch.setattr(house, "has_engine", lambda: True)


def sent(player, content=SHORT_FILE, name="final.mat"):
    where = reverse("my_match_bring", args=[brought_address.token(player.pk)])
    return browser_of(player).post(where, {"file": SimpleUploadedFile(name, content)})


class TestForeign:
    def test_another_programs_analysis_is_kept_beside_ours_decision_by_decision(self):
        found = report(GNUBG.encode(), Engine())
        plays = [row for row in found["decisions"] if row["kind"] == "play"]
        assert plays[0]["said"] == {
            "plays": [["8/5 6/5", 0.159, "2-ply"], ["24/23 13/10", -0.1, "0-ply"]],
            "luck": 0.12,
        }
        (no_double,) = [row for row in found["decisions"] if row["kind"] == "no_double"]
        assert no_double["said"] == {"cube": {"no_double": 0.05, "take": -0.3, "level": "2-ply"}}
        assert plays[1]["said"] is None
        assert others_word(plays[0]) == "8/5 6/5 +0.159 (2-ply); 24/23 13/10 -0.100 (0-ply)"
        assert others_word(no_double) == "ND +0.050, DT -0.300 (2-ply)"

    def test_our_figures_are_those_of_the_file_without_it(self):
        ours = chouette.analysis.report.report(read(GNUBG.encode()), Engine())
        theirs = report(GNUBG.encode(), Engine())
        for row in theirs["decisions"]:
            del row["said"]
        assert theirs == ours


@pytest.mark.django_db
class TestBringing:
    def test_a_guests_file_is_graded_and_only_its_owner_sees_it(self, engine, make_player):
        kari, per = make_player("Kari"), make_player("Per")
        page = sent(kari)
        (match,) = BroughtMatch.objects.all()
        assert page["Location"] == reverse("my_match", args=[match.public_id])
        where = page["Location"]
        assert "The engine grades it after" in browser_of(kari).get(where).content.decode()
        work()
        match.refresh_from_db()
        assert match.report["decisions"] and not match.is_waiting
        told = browser_of(kari).get(where).content.decode()
        assert "planted, 0-ply, formula 1" in told and "PR" in told
        assert '<th scope="row">Plays</th>' in told and "Error rate of GNU Backgammon" in told
        assert "not graded" not in told
        names = [reverse("my_match_file", args=[match.public_id, kind]) for kind in ("json", "csv")]
        assert json.loads(browser_of(kari).get(names[0]).content) == match.report
        assert browser_of(kari).get(names[1]).content.decode().count("\r\n") == len(match.report["decisions"]) + 1
        for other in (per, None):
            for address in (where, *names, reverse("api_my_match", args=[match.public_id])):
                assert browser_of(other).get(address).status_code in {401, 403, 404}
            assert browser_of(other).post(where).status_code in {403, 404}
        assert BroughtMatch.objects.exists()
        browser_of(kari).post(where)
        assert not BroughtMatch.objects.exists()

    def test_plays_doubles_and_answers_stand_apart_and_cube_actions_with_their_equities(self, engine, make_player):
        kari = make_player("Kari")
        where = sent(kari)["Location"]
        work()
        match = BroughtMatch.objects.get()
        lost = match.report["decisions"][0]
        lost.update(graded=False, error=None, equities=None, counts=False)
        match.save()
        rows = [row for row in match.report["decisions"] if row["kind"] == "take" and row["player"] == 1]
        told = " ".join(browser_of(kari).get(where).content.decode().split())
        assert rows and 'Takes and drops</th> <td class="num">' in told
        assert "not graded, as the engine had no answer: 1" in told
        assert "double, dropped +1.000" in told or "drop −1.000" in told

    @pytest.mark.parametrize(
        ("content", "code"),
        [(b"hello", "bad_file"), (b"", "bad_file"), (b" 65 point match\n\n Game 1\n A : 0   B : 0\n", "too_long")],
    )
    def test_what_is_refused_says_why_and_leaves_nothing(self, engine, make_player, content, code):
        page = sent(make_player("Kari"), content)
        assert page.status_code == 400 and f'data-code="{code}"' in page.content.decode()
        assert not BroughtMatch.objects.exists()

    def test_games_before_one_that_cannot_be_read_are_graded_when_its_owner_says_so(self, engine, make_player):
        kari = make_player("Kari")
        page = sent(kari, BROKEN)
        told = page.content.decode()
        assert page.status_code == 400 and 'data-code="bad_file"' in told
        assert "Game 2 cannot be read in line 18" in told and "Grade the game before it" in told
        match = BroughtMatch.objects.get()
        work()
        brought.again()
        work()
        match.refresh_from_db()
        assert match.report is None and not match.is_waiting, "nobody has asked for it yet"
        where = reverse("my_match", args=[match.public_id])
        assert "Grade the game before it" in browser_of(kari).get(where).content.decode()
        assert browser_of(make_player("Per")).post(where, {"partly": "yes"}).status_code == 404
        assert browser_of(kari).post(where, {"partly": "yes"})["Location"] == where
        work()
        match.refresh_from_db()
        assert match.report["games"] == 1 and match.report["unread"] == "game 2, line 18"
        told = " ".join(browser_of(kari).get(where).content.decode().split())
        assert told.index("Game 2 cannot be read in line 18") < told.index("Only the game before it is graded.")

    def test_one_file_at_most_waits_for_its_owners_word_and_a_whole_one_for_none(self, engine, make_player):
        kari = make_player("Kari")
        assert [sent(kari, content).status_code for content in (BROKEN, BROKEN, BROKEN + b"\n", SHORT_FILE)]
        assert sorted(BroughtMatch.objects.values_list("fault", "about__games")) == [("", 1), ("bad_file", 1)]
        assert BroughtMatch.objects.get(fault="bad_file").about["unread"]["line"] == 18

    def test_programs_read_where_a_file_cannot_be_read_and_ask_for_the_games_before(self, engine, make_player):
        browser, where = browser_of(make_player("Kari")), reverse("api_my_matches")
        body = {"game": "chouette", "name": "a.mat", "content": BROKEN.decode()}
        refused = browser.post(where, body, content_type="application/json")
        about = refused.json()
        assert refused.status_code == 400 and not BroughtMatch.objects.exists()
        assert (
            about["code"] == "bad_file" and about["params"]["at"] == "game 2, line 18" and about["params"]["games"] == 1
        )
        found = browser.post(where, {**body, "partly": True}, content_type="application/json").json()
        assert (found["games"], found["unread"], found["state"]) == (1, "game 2, line 18", "waiting")

    def test_without_an_engine_nothing_is_kept(self, monkeypatch, make_player):
        monkeypatch.setattr(house, "has_engine", lambda: False)
        page = sent(make_player("Kari"))
        assert 'data-code="no_engine"' in page.content.decode() and not BroughtMatch.objects.exists()

    def test_a_file_of_more_than_a_megabyte_and_one_at_anothers_address_are_refused(self, engine, make_player):
        kari, per = make_player("Kari"), make_player("Per")
        assert 'data-code="bad_file"' in sent(kari, b"x" * 1_000_001).content.decode()
        assert sent(kari, b"x" * (1 << 20)).status_code == 413
        where = reverse("my_match_bring", args=[brought_address.token(per.pk)])
        sent_there = browser_of(kari).post(where, {"file": SimpleUploadedFile("a.mat", SHORT.encode())})
        assert 'data-code="match_page_expired"' in sent_there.content.decode()
        assert not BroughtMatch.objects.exists()

    def test_a_file_sent_twice_is_there_once_and_twenty_are_the_most(self, engine, make_player, monkeypatch):
        kari = make_player("Kari")
        assert sent(kari)["Location"] == sent(kari)["Location"]
        monkeypatch.setattr(brought, "MOST_FILES", 1)
        with pytest.raises(Illegal, match="too_many_matches"):
            brought.bring(kari, "chouette", "b.mat", SHORT.encode() + b"\n")

    def test_the_name_of_a_file_is_no_path(self, engine, make_player):
        kari = make_player("Kari")
        assert brought.bring(kari, "chouette", "../../x\x00\n<b>.mat", SHORT.encode()).name == "x<b>.mat"
        assert "<b>" not in browser_of(kari).get(reverse("my_matches")).content.decode()

    def test_a_control_character_in_a_file_is_part_of_no_name(self, engine, make_player):
        spoilt = SHORT_FILE.replace(b"Kari", b"Ka\x00r\x1bi")
        assert spoilt != SHORT_FILE
        players = brought.bring(make_player("Kari"), "chouette", "x.mat", spoilt).about["players"]
        assert players[0] == "Ka r i"

    def test_programs_bring_read_and_delete(self, engine, make_player):
        browser = browser_of(make_player("Kari"))
        body = {"game": "chouette", "name": "a.mat", "content": SHORT}
        made = browser.post(reverse("api_my_matches"), body, content_type="application/json").json()
        assert made["state"] == "waiting"
        work()
        assert browser.get(reverse("api_my_match", args=[made["id"]])).json()["report"]["players"]
        assert [each["state"] for each in browser.get(reverse("api_my_matches")).json()["matches"]] == ["graded"]
        assert browser.delete(reverse("api_my_match", args=[made["id"]])).json() == {"matches": []}


@pytest.mark.django_db
class TestJobs:
    def test_the_games_of_the_house_come_first(self, engine, make_player, start_table, monkeypatch):
        brought.bring(make_player("Kari"), "chouette", "a.mat", SHORT.encode())
        play_out(start_table("chouette", "match", match_length=1))
        order = []
        grade = brought.games()["chouette"].report

        def noted(*args):
            order.append(GameGrades.objects.get().depth)
            return grade(*args)

        monkeypatch.setattr("chouette.analysis.brought.report", noted)
        work()
        assert order == [2], "the deep pass was there before the file's turn"

    def test_an_engine_that_fails_is_told_and_the_file_may_be_sent_again(self, engine, make_player, monkeypatch):
        kari = make_player("Kari")
        match = brought.bring(kari, "chouette", "a.mat", SHORT.encode())

        def fails(*args):
            raise Illegal("engine_failed")

        monkeypatch.setattr("chouette.analysis.brought.report", fails)
        work()
        match.refresh_from_db()
        assert match.fault == "engine_failed" and not match.is_waiting
        assert (
            "The engine gave no answer"
            in browser_of(kari).get(reverse("my_match", args=[match.public_id])).content.decode()
        )
        assert brought.bring(kari, "chouette", "a.mat", SHORT.encode()).is_waiting

    def test_a_file_that_ends_the_process_three_times_is_given_up(self, engine, make_player):
        match = brought.bring(make_player("Kari"), "chouette", "a.mat", SHORT.encode())
        BroughtMatch.objects.update(tries=3)
        work()
        match.refresh_from_db()
        assert match.fault == "engine_failed"


@pytest.mark.django_db
def test_files_go_over_in_a_merger_into_ones_own_data_and_with_a_deletion(engine, make_player):
    kari, target = make_player("Kari"), make_player("Target")
    for player in (kari, target):
        brought.bring(player, "chouette", "a.mat", SHORT.encode())
    brought.bring(kari, "chouette", "b.mat", SHORT.encode() + b"\n")
    assert [each["name"] for each in deletion.own_data(kari)["match_files"]] == ["a.mat", "b.mat"]
    merging.merge(kari, target)
    assert sorted(BroughtMatch.objects.values_list("owner", "name")) == [(target.pk, "a.mat"), (target.pk, "b.mat")]
    deletion.delete(target)
    assert not BroughtMatch.objects.exists()
