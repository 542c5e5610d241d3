"""The backgammon table's score sheet and line, and the Team's channel that the Box never gets."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.chouette.boards import now, xgid
from tests.browser.chouette.sheets import (
    LAST_CHECKERS,
    MIDDLE,
    MakePerson,
    act_until,
    begin,
    big_screen,
    by_line,
    game_of,
    number,
    options,
    play_a_game,
    rows_of,
    send,
    sheet_of,
    sit_down,
    team_of,
)
from tests.browser.people import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

SECRET = "Run with both, whisper it"
SPY = """() => {
    const { board } = document.querySelector("chouette-table"), show = board.showPlay;
    window.drawn = [];
    board.showPlay = (play) => { window.drawn.push(play); show.call(board, play); };
}"""


@pytest.mark.day(parts=17, turn=1)
def test_the_sheet_of_several_games_is_the_view_and_sums_to_0(person: MakePerson) -> None:
    people = sit_down(person, LAST_CHECKERS, "Hanna Kari Uli", "german")
    phone, laptop = people[1], people[0]
    phone.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    order = now(laptop)["view"]["order"]
    shown = sheet_of(phone).locator(".bt-queue-rolls > li")
    expect(shown).to_have_count(len(order))
    for i, block in enumerate(order):
        for roll in block["rolls"]:
            expect(shown.nth(i)).to_contain_text(f"{people[roll['seat']].name} {roll['die']}")

    play_a_game(people)
    play_a_game(people, doublers=by_line(people)[2:])
    play_a_game(people, doublers=by_line(people)[1:])
    for one in (phone, laptop):
        view, sheet = now(one)["view"], sheet_of(one)
        assert rows_of(sheet, 3) == [
            [
                (total, points, row["line"][0] == seat)
                for seat, (total, points) in enumerate(zip(row["totals"], row["points"], strict=True))
            ]
            for row in view["sheet"]
        ]
        totals = [number(t) for t in sheet.locator("tfoot tr").first.locator("td").all_inner_texts()]
        assert totals == view["totals"]
        assert sum(totals) == 0
        expect(sheet.locator("tfoot")).to_contain_text("Sum 0 ✓")
        expect(sheet.locator(".bt-sheet-row").last).to_be_in_viewport()
        last = view["last_game"]
        winner = people[last["line_after"][0]].name
        dock = game_of(one)
        expect(dock).to_contain_text(re.compile(f"beats? {people[last['box']].name} in the Box"))
        expect(dock).to_contain_text(f"{winner} has beaten the Box")
        expect(dock.locator(".bt-rank")).to_have_count(len(people))
        sheet_of(one)
        chips = sheet.locator(".bt-queue-now li")
        names = [people[seat].name for seat in view["line"]]
        expect(chips).to_have_text([re.compile(name) for name in names])
        expect(chips.first).to_contain_text("Box")
        expect(chips.nth(1)).to_contain_text("Captain")

        sheet.get_by_role("button", name="Game 3: who pays whom").click()
        why = sheet.locator(".bt-sheet-why:visible")
        for paid in view["sheet"][2]["transfers"]:
            payer, payee = people[paid["payer"]].name, people[paid["payee"]].name
            line = why.locator("li", has_text=re.compile(f"{payer}.*{payee}"))
            expect(line).to_contain_text(f"{paid['points']}single")
        expect(why).to_contain_text("Sum of this row: 0 ✓")


@pytest.mark.day(parts=17, turn=11)
def test_a_correction_is_a_row_with_its_reason_and_who_made_it_on_every_screen(
    person: MakePerson,
) -> None:
    people = sit_down(person, LAST_CHECKERS, "Hanna Kari Uli", "german")
    play_a_game(people)
    before = now(people[0])["view"]["totals"]
    form = sheet_of(people[2]).locator(".bt-sheet-correct")
    form.get_by_text("Correct the sheet").click()
    form.get_by_label("You pay").select_option(label="Hanna")
    most = max(abs(points) for points in now(people[0])["view"]["sheet"][0]["points"])
    form.get_by_label("Points").fill(str(most + 1))
    form.get_by_label("Why").fill("The gammon was forgotten")
    form.get_by_role("button", name="Write it down").click()
    expect(form.get_by_label("You pay")).to_be_visible()  # nobody is moved by more than a game was worth
    form.get_by_label("Points").fill("1")
    form.get_by_role("button", name="Write it down").click()
    for one in people:
        sheet = sheet_of(one)
        expect(sheet).to_contain_text("Corrected by Uli: The gammon was forgotten")
        expect(sheet.locator("tfoot")).to_contain_text("Sum 0 ✓")
        after = now(one)["view"]["totals"]
        assert after == [before[0] + 1, before[1], before[2] - 1]
        assert [total for total, _, _ in rows_of(sheet, 2)[-1]] == after


@pytest.mark.day(parts=17, turn=8)
def test_the_big_screen_says_what_was_rolled_and_who_won(person: MakePerson) -> None:
    people = sit_down(person, LAST_CHECKERS, "Hanna Kari Uli Bodo", "german")
    screen = big_screen(person, people[0]).page
    for roll in now(people[0])["view"]["order"][0]["rolls"]:
        thrown = screen.locator(".bt-mate", has_text=people[roll["seat"]].name).locator(".bt-throws")
        expect(thrown).to_have_attribute("aria-label", re.compile(f"^Thrown for the line: {roll['die']}"))
    play_a_game(people)
    expect(screen.locator(".bt-tv-story")).to_contain_text("The Team wins!")


@pytest.mark.day(parts=17, turn=4)
def test_the_big_screen_tells_the_roll_in_words(person: MakePerson) -> None:
    people = sit_down(person, MIDDLE, "Hanna Kari Uli", "german")
    screen = big_screen(person, people[0]).page
    # A headline stands for some seconds: each is noted as it comes.
    screen.evaluate(
        """() => {
            const told = (window.told = []);
            const note = () => told.push(document.querySelector(".headline-line")?.textContent);
            new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
        }"""
    )
    captain = begin(people)[1]
    screen.wait_for_function("(text) => window.told.includes(text)", arg=f"{captain.name} begins with 3-1.")


@pytest.mark.day(parts=17, turn=9)
def test_a_match_has_its_score_and_length_and_marks_the_crawford_game(person: MakePerson) -> None:
    people = sit_down(person, LAST_CHECKERS, "Hanna Kari", "match")
    host = people[0]
    sheet = sheet_of(host)
    expect(sheet).to_contain_text("Match to 5")
    act_until(people, lambda view: view["crawford"] and view["phase"] == "playing", people)
    expect(sheet).to_contain_text("Crawford game: no doubling")
    act_until(people, lambda view: view["phase"] == "over", people)
    expect(game_of(host)).to_contain_text("wins the match")
    sheet_of(host)
    view = now(host)["view"]
    rows = sheet.locator(".bt-sheet-row th")
    expect(rows).to_have_count(len(view["sheet"]))
    shown = rows.all_inner_texts()
    assert ["Crawford" in text for text in shown] == [row["crawford"] for row in view["sheet"]]
    assert [row["crawford"] for row in view["sheet"]].count(True) == 1
    totals = sheet.locator("tfoot tr").first.locator("td").all_inner_texts()
    assert [int(text) for text in totals] == view["score"]
    assert max(view["score"]) >= view["match_length"]


@pytest.mark.day(parts=17, turn=10)
def test_the_team_talks_and_suggests_the_captain_plays_it_and_the_box_has_no_line_of_it(
    person: MakePerson,
) -> None:
    people = sit_down(person, MIDDLE, "Hanna Kari Uli Bo", "german")
    screen = big_screen(person, people[0])
    box, captain, second, third = begin(people)
    for one in (second, captain, box):
        one.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})

    team = team_of(second)
    expect(team).to_contain_text("never by the Box")
    for one in (captain, third):
        expect(team.locator(".bt-team-hears")).to_contain_text(one.name)
    # While a play is made, nothing is said of doubling or taking; what the rules let say is said all the same.
    expect(team.get_by_role("button", name="I would double.")).to_be_hidden()
    team.get_by_placeholder("Say something").fill(SECRET)
    team.get_by_role("button", name="Say it").click()
    plays = [option["play"] for option in options(second, "suggest")]
    send(second, "suggest", {"play": plays[0]})
    expect(captain.page.locator(".tabs .unread:visible")).to_have_text("2")
    send(third, "suggest", {"play": plays[1]})

    team = team_of(captain)
    expect(team.locator(".bt-team-talk li")).to_have_text([f"{second.name} {SECRET}"])
    for play, by in ((plays[0], second), (plays[1], third)):
        expect(team.locator(".bt-team-play", has_text=play)).to_contain_text(by.name)
    captain.page.evaluate(SPY)
    team.locator(".bt-team-play", has_text=plays[1]).click()
    assert captain.page.evaluate("window.drawn").pop() == plays[1]
    expect(captain.page.locator(".bt-board")).to_be_in_viewport(ratio=0.9)

    for one in (box, screen):
        content = one.page.content()
        assert SECRET not in content, one.name
        assert one.page.locator(":is(.bt-team-talk, .bt-team-plays) li").count() == 0
        assert not (now(one)["view"]["me"] or {}).get("talk")
    expect(team_of(box)).to_have_text(re.compile("You are the Box"))
    expect(screen.page.locator(".bt-team")).to_be_hidden()

    others = game_of(captain).get_by_role("button", name="1 other suggestion")
    chip = game_of(captain).locator(".bt-whole", has_text=plays[1])
    for button in (others, chip):
        expect(button).not_to_have_attribute("data-deaf", "")
        button.click()
    captain.tap("Confirm")
    act_until(people, lambda view: view["game"]["last_play"] is not None)
    last = now(third)["view"]["game"]["last_play"]
    assert (last["play"], last["seat"]) == (plays[1], now(captain)["me"])


@pytest.mark.day(parts=17, turn=16)
def test_who_is_out_loses_the_channel_and_its_lines(person: MakePerson) -> None:
    people = sit_down(person, xgid({24: 2, 13: 5, 8: 3, 6: 5, 1: -2, 12: -5, 17: -3, 19: -5}, "00"),
                    "Hanna Kari Uli", "german")  # fmt: skip
    box, captain, member = begin(people)
    send(captain, "say", {"text": SECRET})
    expect(team_of(member)).to_contain_text(SECRET)
    send(member, "cube", {"cube": options(member, "cube")[0]["cube"], "double": True})
    send(captain, "roll", {})
    send(box, "answer_batch", {"take": []})
    expect(team_of(member)).to_have_text(re.compile("You are out of this game"))
    assert SECRET not in member.page.locator("chouette-table").inner_html()
    expect(team_of(captain)).to_contain_text("Nobody of your side is left to talk with.")


@pytest.mark.day(parts=17, turn=2)
def test_by_the_club_sheet_a_member_may_advise_only_when_the_captain_asks(
    person: MakePerson,
) -> None:
    people = sit_down(person, MIDDLE, "Hanna Kari Uli Bo", "club")
    _, captain, second, third = begin(people)
    for one in (second, third):
        expect(team_of(one)).to_contain_text("House rule: you may advise once your own cube")
        expect(team_of(one).get_by_role("button", name="Say it")).to_be_hidden()
    team_of(captain).locator(".bt-team-ask").get_by_role("button", name=second.name).click()
    expect(team_of(second)).to_contain_text("The Captain asks for your advice on this play.")
    second.tap("Your choice.")
    expect(team_of(captain).locator(".bt-team-talk")).to_contain_text("Your choice.")
    expect(team_of(third).locator(".bt-team-talk")).to_contain_text("Your choice.")
    expect(team_of(third).get_by_role("button", name="Say it")).to_be_hidden()
