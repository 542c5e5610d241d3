"""The form of the house rules and the rules card, for every game by its declaration."""

import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from games import plugin
from games.kernel.options import BoolOption, ChoiceOption, IntOption, TextOption
from games.models import Seat, Table
from games.services.house_rules.cards import card_words, rules_card
from games.web.house_rules.options_form import PREFIX, OptionsForm
from tests.web.pages import browser_of, page_of, read, table_do

pytestmark = pytest.mark.django_db
GAMES = ["chicago", "dummygame"]


def presets():
    return [(g, p.id) for g in GAMES for p in plugin.game(g).options.presets]


def posted(game_id, preset_id, **changes):
    """Return what a browser sends of the form: nothing for unchecked and disabled fields."""
    options = plugin.game(game_id).options
    values = options.values(preset_id) | changes
    sent = {"game": game_id, "preset": preset_id}
    for option in options.options:
        value = values[option.id]
        if not options.is_active(option, values) or value is False:
            continue
        sent[PREFIX + option.id] = "on" if value is True else str(value)
    return sent


def new_table(night):
    return reverse("new_table", args=[night.public_id])


def other_values(option):
    if isinstance(option, BoolOption):
        return [not option.default]
    if isinstance(option, IntOption):
        return [option.low, option.high]
    if isinstance(option, ChoiceOption):
        return [pick.id for pick in option.picks]
    assert isinstance(option, TextOption)
    return ["a push-up"]


def every_value():
    for game_id in GAMES:
        for option in plugin.game(game_id).options.options:
            for value in other_values(option):
                yield game_id, option.id, value


@pytest.mark.parametrize(("game_id", "preset_id"), presets())
def test_a_preset_goes_through_the_form_unchanged(night, host, game_id, preset_id):
    answer = browser_of(host).post(new_table(night), posted(game_id, preset_id))
    table = Table.objects.get()
    assert answer["Location"] == page_of(table)
    assert table.options == plugin.game(game_id).options.values(preset_id)
    assert not Seat.objects.exists()


def test_who_opens_a_table_may_sit_down_at_once(night, host):
    browser_of(host).post(new_table(night), posted("dummygame", _first("dummygame")) | {"sit": "1"})
    assert Seat.objects.get().player == host


def _first(game_id):
    return plugin.game(game_id).options.presets[0].id


@pytest.mark.parametrize(("game_id", "option_id", "value"), list(every_value()))
def test_every_option_has_a_sentence_on_the_card_for_each_value(game_id, option_id, value):
    options = plugin.game(game_id).options
    option = options[option_id]
    values = options.values(_first(game_id)) | {option_id: value}
    while option.needs is not None:
        values[option.needs.id] = option.needs.values[0]
        option = options[option.needs.id]
    card = rules_card(game_id, _first(game_id), values)
    lines = {line.option: line for _, part in card.groups for line in part}
    sentence = options[option_id].sentence(value)
    expected = sentence.replace("{value}", str(value))
    for word, said in card_words(options, values).items():
        expected = expected.replace(f"{{{word}}}", said)
    assert expected == (lines[option_id].text if option_id in lines else "")
    assert "{" not in expected
    on = [pick.card for pick in getattr(options[option_id], "picks", ())]
    assert not on or sentence in on


@pytest.mark.parametrize(("game_id", "preset_id"), presets())
def test_every_option_has_a_labelled_field_and_off_ones_say_why(night, host, game_id, preset_id):
    path = new_table(night) + f"?game={game_id}&preset={preset_id}"
    html = browser_of(host).get(path).content.decode()
    page, options = read(html), plugin.game(game_id).options
    values = options.values(preset_id)
    for option in options.options:
        fields = [t for t in page.tags if t.attrs.get("name") == PREFIX + option.id]
        assert fields, option.id
        active = options.is_active(option, values)
        assert all(("disabled" in f.attrs) is not active for f in fields), option.id
        if not active:
            assert option.needs.reason in html


@pytest.mark.parametrize("game_id", ["chicago", "chouette"])
def test_every_number_says_what_it_counts_beside_its_field(night, host, game_id):
    page = read(browser_of(host).get(new_table(night), {"game": game_id}).content.decode())
    numbers = [o for o in plugin.game(game_id).options.options if isinstance(o, IntOption)]
    assert len(numbers) > 3
    for option in numbers:
        units = page.all("label", class_="unit", for_=PREFIX + option.id)
        assert [unit.text.strip() for unit in units] == [option.unit] != [""], option.id


def test_a_refused_value_is_told_at_its_field_and_all_that_was_typed_stays(night, host):
    sent = posted("chicago", "bavarian", ties="roll_off") | {"o-turn_seconds": "9999"}
    answer = browser_of(host).post(new_table(night), sent)
    html = answer.content.decode()
    page = read(html)
    assert answer.status_code == 400
    assert not Table.objects.exists()
    field = page.by_id("o-turn_seconds")
    assert field.attrs["value"] == "9999"
    assert field.attrs["aria-invalid"] == "true"
    more = html[html.index(f'id="{field.attrs["aria-describedby"]}"') :]
    assert "600" in more[: more.index("</p>")]
    kept = page.all("input", name="o-ties", value="roll_off")[0]
    assert "checked" in kept.attrs
    opened = [t.attrs["id"] for t in page.all("details", class_="card options") if "open" in t.attrs]
    assert len(opened) == 2


@pytest.mark.parametrize("typed", ["", "x", "1.5", "٣", "²", "1e3", "9" * 40, "-1"])
def test_what_is_no_number_is_refused_where_a_number_is_asked(night, host, typed):
    sent = posted("chicago", "classic") | {"o-turn_seconds": typed}
    assert browser_of(host).post(new_table(night), sent).status_code == 400
    assert not Table.objects.exists()


def test_rules_that_contradict_each_other_say_so_at_the_field(night, host):
    sent = posted("chicago", "bavarian") | {"o-forfeits": "on"}
    answer = browser_of(host).post(new_table(night), sent)
    assert answer.status_code == 400
    assert "not for both" in answer.content.decode()


def test_an_option_that_means_nothing_keeps_the_presets_value():
    options = plugin.game("chicago").options
    preset = options.values("classic")
    sent = posted("chicago", "classic") | {"o-mats_fixed": "7", "o-losers": "2"}
    form = OptionsForm(options, preset, data=sent)
    assert form.is_valid()
    assert form.values == preset


def test_a_texts_own_default_is_shown_translated_and_stored_as_it_is():
    options = plugin.game("chicago").options
    preset = options.values("forfeits")
    with override("de"):
        form = OptionsForm(options, preset)
        rows = {row.option.id: row for group in form.groups() for row in group.rows}
        typed = rows["forfeit_name"].value
        again = posted("chicago", "forfeits") | {"o-forfeit_name": typed}
        bound = OptionsForm(options, preset, data=again)
        assert bound.is_valid()
        assert bound.values["forfeit_name"] == "a point"


def test_the_card_marks_where_the_house_leaves_the_preset(host, open_table):
    table = open_table("chicago", "bavarian", seats=1, ties="roll_off")
    html = browser_of(host).get(page_of(table)).content.decode()
    # Once in what differs, once in its place on the whole card.
    marked = re.findall(r'<li class="changed">(.*?)</li>', html, re.DOTALL)
    assert len({" ".join(line.split()) for line in marked}) == 1
    assert "instead of: “Mit ist Shit”: who only equals the low is low themselves" in html


def test_the_card_changes_while_the_form_is_filled_in():
    preview = reverse("rules_preview", args=["chicago"])
    browser = browser_of()
    html = browser.post(preview, posted("chicago", "classic", ties="roll_off")).content.decode()
    assert '<li class="changed">' in html
    assert read(html).by_id("rules-card").attrs["hx-swap-oob"] == "true"
    wrong = browser.post(preview, posted("chicago", "classic") | {"o-turn_seconds": "x"})
    assert wrong.status_code == 200
    assert browser.post(preview, {"preset": "none"}).status_code == 204
    assert browser.post(reverse("rules_preview", args=["none"]), {}).status_code == 204


def test_changing_the_rules_asks_everybody_to_accept_again(host, open_table):
    table = open_table("chicago", "bavarian", seats=2)
    browser = browser_of(host)
    page = browser.get(reverse("table_rules", args=[table.public_id])).content.decode()
    assert table_do(table, "rules") in page
    browser.post(table_do(table, "rules"), posted("chicago", "tschigg"))
    table.refresh_from_db()
    assert table.preset == "tschigg"
    assert not table.seats.filter(accepted_at__isnull=False).exists()


def test_refused_changes_of_the_rules_keep_the_input_and_the_table(host, open_table):
    table = open_table("chicago", "bavarian", seats=2)
    sent = posted("chicago", "bavarian") | {"o-turn_seconds": "601"}
    answer = browser_of(host).post(table_do(table, "rules"), sent)
    assert answer.status_code == 400
    assert read(answer.content.decode()).by_id("o-turn_seconds").attrs["value"] == "601"
    assert table.seats.filter(accepted_at__isnull=False).count() == 2


def test_rules_cannot_be_changed_once_play_has_begun(host, start_table):
    table = start_table("chicago", "bavarian", seats=2)
    browser = browser_of(host)
    before = table.options
    assert browser.get(reverse("table_rules", args=[table.public_id])).status_code == 400
    assert browser.post(table_do(table, "rules"), posted("chicago", "tschigg")).status_code == 400
    table.refresh_from_db()
    assert table.options == before


def test_only_the_host_opens_tables(night, make_player):
    from games.services.nights import membership

    kari = make_player("Kari")
    membership.join(night, kari)
    browser = browser_of(kari)
    assert browser.get(new_table(night)).status_code == 403
    assert browser.post(new_table(night), posted("chicago", "classic")).status_code == 403


def test_every_installed_game_is_offered(night, host):
    html = browser_of(host).get(new_table(night)).content.decode()
    for game in plugin.all_games().values():
        assert f"?game={game.game_id}" in html


@pytest.mark.parametrize("query", ["game=none", "game=chicago&preset=none"])
def test_a_game_or_preset_that_does_not_exist_is_no_error_of_ours(night, host, query):
    answer = browser_of(host).get(f"{new_table(night)}?{query}")
    assert answer.status_code in {200, 400}
