"""The laws of the dock with suggested plays, long names, and another tab in front (tests/browser/gallery)."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.gallery import chouette, laws
from tests.browser.gallery.crowded import may_suggest, with_long_names, with_suggestions, with_talk
from tests.browser.gallery.stage import SCREENS, Screen, Stage
from tests.browser.gallery.states import Shown, states_of
from tests.languages import EVERY
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

BY_NAME = {screen.name: screen for screen in SCREENS}
PLAYED_ON = [BY_NAME[name] for name in ("phone", "small phone", "lying phone", "laptop")]
HELD = ("buttons meet", "text is cut", "main button is low", "main button moves", "small target", "board moves")


@cache
def plays(seats: int, *names: str) -> list[Shown]:
    """Return states of a chouette by their names."""
    course = next(one for one in chouette.COURSES if one.seats == seats and len(one.wanted) > 1)
    return states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name in names)))


def broken(browser: Browser, states: list[Shown], screen: Screen, style: str = "") -> list[str]:
    found = laws.faults(browser, states, [screen], style=style)
    return [str(fault) for fault in found if fault.law in HELD]


@pytest.mark.parametrize("screen", PLAYED_ON, ids=lambda one: one.name)
@pytest.mark.parametrize("seats", [4, 6])
def test_no_two_buttons_meet_with_one_to_eight_suggestions_and_the_longest_names(
    chrome: Browser, screen: Screen, seats: int
) -> None:
    own = plays(seats, "play to choose", "member watches", "after a time-out")
    states = [with_suggestions(one, count) for one in own if may_suggest(one) for count in (1, 2, 5, 8)]
    assert states
    assert broken(chrome, [*states, *map(with_long_names, states)], screen) == []


def test_suggestions_that_lie_on_confirm_break_the_law(chrome: Browser) -> None:
    """Planted: the row of suggestions where the main button is."""
    [state] = plays(4, "play to choose")
    style = ".bt-controls .bt-plays { grid-row: keys !important; }"
    found = broken(chrome, [with_suggestions(state, 3)], BY_NAME["phone"], style)
    assert any("buttons meet" in fault for fault in found), found


@pytest.mark.parametrize("screen", PLAYED_ON[:3], ids=lambda one: one.name)
def test_all_suggestions_can_be_reached_and_none_lies_on_another_button(chrome: Browser, screen: Screen) -> None:
    [state] = plays(6, "play to choose")
    stage = Stage(chrome)
    stage.resize(screen)
    shown = with_long_names(with_suggestions(state, 8))
    stage.open(shown)
    stage.show(shown)
    confirm = stage.page.locator(".bt-confirm")
    before = confirm.bounding_box()
    stage.page.locator(".bt-more").click()
    last = stage.page.locator(".bt-rest .bt-whole").last
    last.scroll_into_view_if_needed()
    assert stage.page.evaluate("parts => laws.meeting(parts)", laws.PARTS["chouette"]["board"]) == []
    play = last.locator("span").last.inner_text()
    last.click()
    expect(stage.page.locator(".bt-said")).to_contain_text(play)
    assert confirm.bounding_box() == before
    stage.close()


def test_a_laptop_shows_eight_suggestions_whole_in_the_teams_panel(chrome: Browser) -> None:
    [state] = plays(4, "play to choose")
    stage = Stage(chrome)
    stage.resize(BY_NAME["laptop"])
    shown = with_long_names(with_suggestions(state, 8))
    stage.open(shown)
    stage.show(shown)
    room = stage.page.locator(".bt-team-read").bounding_box()
    chips = [one.bounding_box() for one in stage.page.locator(".bt-team-play").all()]
    assert len(chips) == 8 and room
    assert all(chip and room["y"] <= chip["y"] and chip["y"] + chip["height"] <= room["y"] + room["height"]
               for chip in chips)  # fmt: skip
    stage.close()


@pytest.mark.parametrize("screen", PLAYED_ON[:3], ids=lambda one: one.name)
@pytest.mark.parametrize("tab", ["team", "sheet", "log"])
def test_confirm_stands_in_its_place_over_every_tab(chrome: Browser, screen: Screen, tab: str) -> None:
    [state] = plays(4, "forced play")
    stage = Stage(chrome)
    stage.resize(screen)
    stage.open(state)
    stage.show(state)
    page = stage.page
    confirm = page.locator(".bt-confirm")
    expect(confirm).to_be_enabled()
    before = confirm.bounding_box()
    page.locator(f".tabs [data-tab={tab}]").click()
    assert confirm.bounding_box() == before
    expect(page.locator(".tabs [data-tab=play]")).to_have_attribute("data-calls", "")
    assert page.evaluate("parts => laws.meeting(parts)", laws.PARTS["chouette"]["board"]) == []
    page.locator(".bt-grid").click(position={"x": 5, "y": 5})
    expect(page.locator(".tabs [data-tab=play]")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".tabs [data-calls]")).to_have_count(0)
    stage.close()


def test_ones_turn_comes_forward_but_never_over_what_is_being_written(chrome: Browser) -> None:
    waiting, turn = plays(4, "waiting for a play", "play to choose")[::-1]
    stage = Stage(chrome)
    stage.resize(BY_NAME["phone"])
    stage.open(waiting)
    stage.show(waiting)
    page = stage.page
    game = page.locator(".tabs [data-tab=play]")
    page.locator("#open-side").click()
    page.locator("#chat-text").fill("Gut gespielt, ")
    stage.show(turn)
    expect(game).to_have_attribute("aria-selected", "false")
    expect(game).to_have_attribute("data-calls", "")
    expect(page.locator(".kit-forward")).to_be_visible()
    page.locator("#chat-text").fill("")
    expect(game).to_have_attribute("aria-selected", "true")
    stage.show(waiting)
    page.locator("#open-side").click()
    stage.show(turn)
    expect(game).to_have_attribute("aria-selected", "true")
    stage.close()


SIZES = """() => {
  const size = (which) => [...document.querySelectorAll(which)].filter((one) => one.getClientRects().length)
    .map((one) => parseFloat(getComputedStyle(one).fontSize));
  const scale = document.querySelector(".bt-svg").getBoundingClientRect().width / 584;
  return {names: Math.min(...size(".bt-name")), totals: Math.min(...size(".bt-total")),
    cubes: Math.min(...size(".bt-cube")), numbers: Math.max(...size(".bt-number")) * scale};
}"""


@pytest.mark.parametrize(("screen", "names"), [("laptop", 17), ("phone", 15), ("small phone", 15)])
def test_names_points_cubes_and_numbers_have_their_sizes(chrome: Browser, screen: str, names: float) -> None:
    stage = shown(chrome, plays(4, "window waits")[0], screen)
    found = stage.page.evaluate(SIZES)
    assert found["names"] >= names and found["numbers"] <= 16.1
    if screen == "laptop":
        assert found["totals"] >= 20 and found["cubes"] >= 16
    stage.close()


@pytest.mark.parametrize("screen", ["phone", "small phone", "lying phone"])
def test_the_left_hand_has_the_main_button_at_the_bottom_left(chrome: Browser, screen: str) -> None:
    stage = Stage(chrome)
    stage.context.add_init_script("localStorage.setItem('stammtisch.left', '1')")
    [state] = plays(4, "forced play")
    show(stage, state, screen)
    confirm, dock = (stage.page.locator(which).bounding_box() for which in (".bt-confirm", ".bt-dock"))
    assert confirm and dock and confirm["x"] - dock["x"] < 12
    assert stage.page.evaluate("parts => laws.meeting(parts)", laws.PARTS["chouette"]["board"]) == []
    stage.close()


def test_the_home_board_lies_on_the_left_where_it_is_wished_and_is_played_there(chrome: Browser) -> None:
    stage = Stage(chrome)
    stage.context.add_init_script("localStorage.setItem('stammtisch.chouette.home_left', '1')")
    [state] = plays(4, "play to choose")
    show(stage, state, "phone")
    cell = "[data-place='{}']"
    boxes = [stage.page.locator(cell.format(place)).bounding_box() for place in (1, 6, 12)]
    assert all(boxes)
    assert [box["x"] for box in boxes if box] == sorted(box["x"] for box in boxes if box)
    source = int(state.frames[-1]["choices"][0]["options"][0]["play"].split("/")[0])
    stage.page.locator(cell.format(source)).click()
    expect(stage.page.get_by_role("button", name="Zurücknehmen").or_(stage.page.locator(".bt-undo"))).to_be_visible()
    stage.close()


@pytest.mark.parametrize("look", ["light", "contrast"])
def test_a_look_of_the_board_is_each_persons_and_changes_no_law(chrome: Browser, look: str) -> None:
    stage = Stage(chrome)
    stage.context.add_init_script(f"localStorage.setItem('stammtisch.chouette.look', '{look}')")
    [state] = plays(4, "play to choose")
    show(stage, state, "phone")
    stop = "() => getComputedStyle(document.querySelector('.bt-cloth-a')).stopColor"
    chosen = stage.page.evaluate(stop)
    stage.page.evaluate("() => document.querySelector('chouette-table').removeAttribute('data-look')")
    assert stage.page.evaluate(stop) != chosen
    assert laws.faults_on(stage, [state], [BY_NAME["phone"]]) == []
    stage.close()


def test_a_play_that_is_begun_outlives_a_reload_and_no_other_roll(chrome: Browser) -> None:
    [turn] = plays(4, "play to choose")
    stage = shown(chrome, turn, "phone")
    source = turn.frames[-1]["choices"][0]["options"][0]["play"].split("/")[0]
    stage.page.locator(f"[data-place='{source}']").click()
    text = stage.page.locator(".bt-said").inner_text()
    show(stage, turn, "phone")
    expect(stage.page.locator(".bt-undo")).to_be_visible()
    expect(stage.page.locator(".bt-said")).to_have_text(text)
    [other] = plays(6, "play to choose")
    show(stage, other, "phone")
    expect(stage.page.locator(".bt-undo")).to_be_hidden()
    stage.close()


@pytest.mark.parametrize("language", EVERY)
def test_a_result_is_whole_with_the_longest_names_in_each_language(chrome: Browser, language: str) -> None:
    states = [one for seats in (4, 6, 10) for one in plays(seats, "between games", "over")]
    screens = [BY_NAME["phone"], BY_NAME["small phone"]]
    found = laws.faults(chrome, [*states, *map(with_long_names, states)], screens, language=language)
    assert [str(fault) for fault in found if fault.law == "text is cut"] == []


LARGE = BY_NAME["small phone with large text"]
AT_LENGTH = (
    (5, "wood", "first game begins"),
    (4, "club", "over"),
    (4, "club", "opening tie"),
    (4, "club", "answer asked"),
)
"""Questions and results with the most words for the least room: seats, preset and state."""


@pytest.mark.parametrize("language", share_of_day(EVERY, 2, 1))
def test_a_question_is_whole_in_large_letters_on_a_small_phone_in_each_language(chrome: Browser, language: str) -> None:
    found = laws.faults(chrome, chouette.named(*AT_LENGTH), [LARGE], language=language)
    assert [str(fault) for fault in found if fault.law in HELD] == []


def test_large_letters_that_stay_large_cut_a_question(chrome: Browser) -> None:
    """Planted: words that are made no smaller where they have no room."""
    style = ".bt-d-panels[data-long] .bt-d-panel * { font-size: 24px !important; line-height: 1.35 !important; }"
    found = laws.faults(chrome, chouette.named(*AT_LENGTH), [LARGE], style=style)
    assert any("bt-d-panels" in fault.what for fault in found if fault.law == "text is cut"), found


def test_headings_of_a_table_leave_out_no_level(chrome: Browser) -> None:
    stage = shown(chrome, with_suggestions(plays(4, "play to choose")[0], 3), "laptop")
    page = stage.page
    levels = page.evaluate("() => [...document.querySelectorAll('h1,h2,h3,h4,h5')].map((one) => +one.tagName[1])")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels)), levels
    stage.close()


def show(stage: Stage, state: Shown, screen: str) -> None:
    """Load a state's page in a size and show it."""
    stage.resize(BY_NAME[screen])
    stage.open(state)
    stage.show(state)


def shown(chrome: Browser, state: Shown, screen: str) -> Stage:
    """A stage that shows a state."""
    stage = Stage(chrome)
    show(stage, state, screen)
    return stage


ASKED_ASIDE = ("settlement proposed", "play asked back", "resignation offered")


@pytest.mark.parametrize("is_planted", [False, True], ids=["as it is", "planted"])
def test_who_is_asked_by_another_reads_in_the_bar_that_it_is_their_turn(chrome: Browser, *, is_planted: bool) -> None:
    """Planted: what others ask of a seat is no turn of it; a resignation is asked by the game itself."""
    states = plays(4, *ASKED_ASIDE)
    assert {state.name for state in states} == set(ASKED_ASIDE)
    stage = Stage(chrome, "en")
    stage.open(states[0])
    stage.resize(BY_NAME["phone"])
    if is_planted:
        stage.page.evaluate("for (const one of Object.values(django.sentences.choices)) delete one.isUrgent")
    looks = stage.looks(states, laws.PARTS["chouette"], is_tv=False)
    dark = {look["name"]: look["faults"]["contradicted"] for look in looks if look["faults"]["contradicted"]}
    assert set(dark) == (set(ASKED_ASIDE[:2]) if is_planted else set())
    stage.close()


@pytest.mark.parametrize("name", ASKED_ASIDE)
def test_a_big_screen_says_who_still_answers_what_and_marks_their_seats(chrome: Browser, name: str) -> None:
    [state] = plays(4, name)
    names = [seat["name"] for seat in state.screen[0]["table"]["seats"]]
    view = state.screen[-1]["view"]
    asked = {seat for request in view["game"]["requests"] for seat in request["to"]} or set(view["waiting_for"])
    stage = Stage(chrome, "en")
    stage.resize(BY_NAME["TV"])
    stage.open(state, is_tv=True)
    stage.show(state, is_tv=True)
    card, bar = stage.page.locator(".headlines[data-kind=asks]"), stage.page.locator("#turn-text")
    marked = stage.page.locator(".bt-mate[data-turn] .bt-name").all_text_contents()
    for seat in asked:
        expect(card.locator(".headline-text")).to_contain_text(names[seat])
        expect(bar).to_contain_text(names[seat])
        assert names[seat] in marked
    why = {"settlement proposed": "wants to settle", "play asked back": "asks to take back"}.get(name, "resigns")
    expect(card.locator(".headline-detail")).to_contain_text(why)
    assert "points" not in card.inner_text(), "what two settle for is theirs"
    stage.close()


CUT_CHIPS = """() => {
    const read = document.querySelector(".bt-team-read").getBoundingClientRect();
    return [...document.querySelectorAll(".bt-team-chips .button")].filter((one) => one.checkVisibility())
        .filter((one) => one.getBoundingClientRect().bottom > read.bottom + 1
            || !one.parentElement.matches(".bt-team-ask:not([hidden]) ~ *, .bt-team-ask")
            && one.getBoundingClientRect().right > read.right + 1)
        .map((one) => `${one.textContent} of ${document.querySelector("#turn-text").textContent}`);
}"""
"""The chips to ask and to say something of which a part is out of sight, below or to the right."""
PUSHED_DOWN = ".bt-team .bt-team-hears { display: block !important; flex: 0 0 3rem !important; }"
IN_A_LINE = ".bt-team-chips .button.button.button { white-space: nowrap; }"


@pytest.mark.parametrize("planted", ["", PUSHED_DOWN, IN_A_LINE], ids=["as it is", "two lines above", "in a line"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_laptop_the_chips_to_ask_and_to_say_something_are_whole(
    chrome: Browser, language: str, planted: str
) -> None:
    """Two lines of text above the chips, planted in place of one, push their lower part out of sight."""
    names = ("answer asked", "member watches", "play to choose")
    states = [state for seats in (4, 6) for state in plays(seats, *names)]
    stage, cut, chips = Stage(chrome, language), [], 0
    stage.resize(BY_NAME["laptop"])
    for state in [*states, *(with_talk(one, 5) for one in states if one.frames[-1]["view"]["me"]["hears"])]:
        stage.open(state)
        stage.show(state)
        expect(stage.page.locator(".bt-team-read")).to_be_attached()
        if planted:
            stage.add_style(planted)
        cut += stage.page.evaluate(CUT_CHIPS)
        chips += stage.page.locator(".bt-team-chips .button").count()
        said = stage.page.locator(".bt-team-talk:not([hidden])")
        assert planted or not said.count() or (said.bounding_box() or {"height": 0})["height"] >= 20
    assert chips > 10
    # In English all of them have room in one line.
    assert bool(cut) == (planted == PUSHED_DOWN or (planted == IN_A_LINE and language == "de")), cut
    stage.close()


def with_high_stakes(state: Shown) -> Shown:
    """Return a state in which all cubes are at 16, with gammons counting, and the race has numbers of three digits."""
    frames = copy.deepcopy(state.frames)
    game = frames[-1]["view"]["game"]
    game["pips"] = [183, 139]
    for cube in game["cubes"]:
        cube.update(value=16, worth=[16, 32, 48])
    return replace(state, name=f"{state.name}, high stakes", frames=frames)


CUT_GREETINGS = """() => {
    const { top, bottom } = document.querySelector(".bt-d-panels").getBoundingClientRect();
    const all = [...document.querySelectorAll(".bt-d-greet")].filter((one) => one.checkVisibility());
    const isCut = (box) => box.top < top - 1 || box.bottom > bottom + 1;
    return [all.length, all.filter((one) => isCut(one.getBoundingClientRect())).map((one) => one.textContent)];
}"""
IN_LARGE_LETTERS = ".bt-d-panel > .bt-d-note:first-child { font-size: 1.4rem !important; }"


@pytest.mark.parametrize(("language", "planted"), [*((one, "") for one in EVERY), ("de", IN_LARGE_LETTERS)])
def test_the_greetings_of_whoever_may_suggest_a_play_are_whole(chrome: Browser, language: str, planted: str) -> None:
    state = with_high_stakes(plays(6, "member watches")[0])
    stage, counts, cut = Stage(chrome, language), [], []
    for screen in PLAYED_ON:
        show(stage, state, screen.name)
        expect(stage.page.locator(".bt-d-greet").first).to_be_attached()
        if planted:
            stage.add_style(planted)
        count, found = stage.page.evaluate(CUT_GREETINGS)
        counts.append(count)
        cut += [f"{screen.name}: {one}" for one in found]
    assert max(counts) > 0
    assert bool(cut) == bool(planted), cut
    stage.close()


def with_deputies(state: Shown) -> Shown:
    """Return a state in which its seat may also hand the dice on."""
    frames = copy.deepcopy(state.frames)
    choices = frames[-1]["choices"]
    resign = next(one for one in choices if one["name"] == "resign")
    seats = [seat["seat"] for seat in frames[-1]["view"]["seats"] if seat["seat"] != resign["seat"]]
    base = {key: resign[key] for key in ("seat", "basis", "required") if key in resign}
    deputy = {**base, "name": "name_deputy", "options": [{"seat": seat} for seat in seats[:2]]}
    return replace(state, frames=[*frames[:-1], {**frames[-1], "choices": [*choices, deputy]}])


SCROLLED = """() => {
    const sheet = document.querySelector(".bt-d-more");
    const cut = [...sheet.querySelectorAll("button")]
        .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1);
    const isScrolled = sheet.scrollHeight > sheet.clientHeight + 1;
    return [...(isScrolled ? ["the sheet"] : []), ...cut.map((one) => one.textContent)];
}"""
"""What of the sheet of rare acts is out of sight."""


TWO_COLUMNS = ".bt-d-parts { grid-template-columns: 1fr 1fr !important; }"


@pytest.mark.parametrize(("language", "planted"), [*((one, "") for one in EVERY), ("de", TWO_COLUMNS)])
def test_each_step_of_resigning_settling_and_handing_on_is_seen_whole_on_a_small_phone(
    chrome: Browser, language: str, planted: str
) -> None:
    roll, box = plays(4, "turn to roll", "box may double")
    stage, found = Stage(chrome, language), {}
    stage.resize(BY_NAME["small phone"])
    for state in (with_deputies(roll), box):
        stage.open(state)
        if planted:
            stage.add_style(planted)
        parts = ["propose", "resign", *(["name_deputy", "name_proxy"] if state is not box else [])]
        for steps in ([], *([f"part {part}"] for part in parts), ["part resign", "level 1"]):
            stage.show(state)
            for act in ("more", *steps):
                # What has just come is deaf.
                stage.page.wait_for_timeout(1100 if act == "level 1" else 450)
                stage.page.locator(f'[data-act="{act}"]:visible').first.click()
            expect(stage.page.locator(".bt-d-more[open]")).to_be_visible()
            found[state.name, *steps] = stage.page.evaluate(SCROLLED)
            stage.page.locator(".bt-d-more > header > :last-child").click()
    assert len(found) == 10
    assert {key: cut for key, cut in found.items() if cut} == ({("turn to roll",): ["the sheet"]} if planted else {})
    stage.close()


WITH_NOTICE = """async () => {
  const { showBanner } = await import("games/kit/page/notices.js");
  showBanner("tried", { text: "29 games are on this device.", buttons: [{ label: "Show them", act: () => {} }] });
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""
HIT = """() => {
  const strip = document.querySelector("#strip"), { left, top, width } = strip.getBoundingClientRect();
  const { height } = strip.closest(".bt-strip").getBoundingClientRect();
  const at = left + width / 2;
  const hits = [2, height / 2, height - 2].map((y) => strip.contains(document.elementFromPoint(at, top + y)));
  const seat = [...document.querySelectorAll(".bt-mate-tap")].find(({ offsetWidth }) => offsetWidth > 0);
  const box = seat.getBoundingClientRect();
  return [...hits, seat.contains(document.elementFromPoint(box.left + box.width / 2, box.top + 6))];
}"""


@pytest.mark.parametrize("name", ["phone", "small phone"])
def test_the_strip_of_notices_hears_taps_while_seats_can_be_tapped(chrome: Browser, name: str) -> None:
    (state,) = chouette.named((5, "wood", "game on the board"))
    stage = Stage(chrome, "en")
    stage.open(state)
    stage.resize(BY_NAME[name])
    stage.page.evaluate(WITH_NOTICE)
    stage.show(state)
    stage.page.locator(".bt-mate-tap:visible").first.wait_for()
    assert stage.page.evaluate(HIT) == [True] * 4
    stage.close()
