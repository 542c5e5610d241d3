"""Rule sets by name: who keeps them, their versions, and what hosts may do with them."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors
from games.models import AuditEntry, GamePolicy, HouseRules, LogEntry, Night, Player, Table
from games.services.commands import new_command_id
from games.services.house_rules import offers, sets
from games.services.house_rules.sets import HostsMay, SetDraft, SetKeeper
from games.services.logs import log_views
from games.services.tables import log, setup

pytestmark = pytest.mark.django_db
GAME = "dummygame"


@pytest.fixture
def house(db: None) -> SetKeeper:
    """Somebody of the staff."""
    return SetKeeper(user=User.objects.create_user("bar", is_staff=True))


@pytest.fixture
def own(host: Player, night: Night) -> SetKeeper:
    """The night's host."""
    return SetKeeper(player=host)


def draft(name: str = "Pub rules", hosts_may: str = HostsMay.CHANGE, **options: object) -> SetDraft:
    return SetDraft(name, "quick", options, hosts_may)


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


def test_a_set_keeps_complete_values_and_whose_it_is(house: SetKeeper, own: SetKeeper) -> None:
    rules = sets.create(house, GAME, draft(prize="a pretzel"))
    assert rules.options == plugin.game(GAME).options.values("quick", {"prize": "a pretzel"})
    assert (rules.owner, rules.version, rules.created_by) == (None, 1, "bar")
    assert sets.create(own, GAME, draft()).owner == own.player


def test_only_hosts_and_the_house_keep_sets(make_player) -> None:
    for nobody in (SetKeeper(), SetKeeper(player=make_player("Kari"))):
        with refused("not_a_host"):
            sets.create(nobody, GAME, draft())
    assert not HouseRules.objects.exists()


def test_bad_sets_are_refused_with_the_code_at_the_option(house: SetKeeper) -> None:
    for game, preset, code in (("poker", "x", "no_such_game"), (GAME, "x", "no_such_preset")):
        with refused(code):
            sets.create(house, game, SetDraft("x", preset, {}))
    with pytest.raises(OptionErrors) as refusal:
        sets.create(house, GAME, draft(numbers=99, rounds="four"))
    assert {k: code for k, (code, _) in refusal.value.errors.items()} == {
        "numbers": "out_of_range",
        "rounds": "not_int",
    }
    with pytest.raises(OptionErrors) as refusal:
        sets.create(house, GAME, draft(wins="lowest", ties="die"))
    assert refusal.value.errors["ties"][0] == "die_needs_highest"
    with refused("bad_argument"):
        sets.create(house, GAME, draft(hosts_may="everything"))
    assert not HouseRules.objects.exists()


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\u202eb", "a\x00b"])
def test_a_set_needs_a_name_that_can_be_shown(house: SetKeeper, name: str) -> None:
    with refused("rules_name"):
        sets.create(house, GAME, draft(name))


def test_one_keeper_has_a_name_once_for_a_game(house: SetKeeper, own: SetKeeper) -> None:
    rules = sets.create(house, GAME, draft("Thursday"))
    with refused("rules_name_taken"):
        sets.create(house, GAME, draft(" THURSDAY "))
    sets.create(own, GAME, draft("Thursday"))
    sets.archive(rules, house)
    sets.create(house, GAME, draft("Thursday"))
    with refused("rules_name_taken"):
        sets.restore(rules, house)


def test_a_change_of_the_rules_is_a_new_version_and_the_old_one_stays(house: SetKeeper) -> None:
    rules = sets.create(house, GAME, draft(numbers=4))
    sets.change(house, rules.public_id, draft(numbers=5), 1)
    sets.change(house, rules.public_id, draft(numbers=5, hosts_may=HostsMay.CHOOSE), 2)
    rules.refresh_from_db()
    assert (rules.version, rules.hosts_may) == (2, HostsMay.CHOOSE)
    history = [(v.version, v.options["numbers"], v.by_name) for v in rules.versions.all()]
    assert history == [(2, 5, "bar"), (1, 4, "bar")]


def test_two_who_change_a_set_at_once_do_not_overwrite_each_other(house: SetKeeper) -> None:
    rules = sets.create(house, GAME, draft())
    sets.change(house, rules.public_id, draft(numbers=5), 1)
    with refused("rules_moved_on"):
        sets.change(house, rules.public_id, draft(numbers=6), 1)


def test_a_host_keeps_their_own_sets_only_and_the_house_all(house: SetKeeper, own: SetKeeper, make_player) -> None:
    of_house = sets.create(house, GAME, draft())
    of_host = sets.create(own, GAME, draft())
    stranger = SetKeeper(player=make_player("Kari"))
    for keeper, rules in ((own, of_house), (stranger, of_house), (stranger, of_host)):
        for act in (sets.archive, sets.restore, sets.set_default, sets.end_default):
            with refused("not_your_rules"):
                act(rules, keeper)
        with refused("not_your_rules"):
            sets.change(keeper, rules.public_id, draft(), 1)
    assert sets.archive(of_host, house).status == "archived"
    with refused("no_such_rules"):
        sets.find("nothing")


def test_a_game_has_one_default_which_hosts_can_choose(house: SetKeeper, own: SetKeeper) -> None:
    first = sets.create(house, GAME, draft("First"))
    second = sets.create(house, GAME, draft("Second", HostsMay.NOTHING))
    sets.set_default(first, house)
    with refused("default_not_offered"):
        sets.set_default(second, house)
    with refused("default_not_offered"):
        sets.change(house, first.public_id, draft("First", HostsMay.NOTHING), 1)
    with refused("not_of_the_house"):
        sets.set_default(sets.create(own, GAME, draft()), house)
    third = sets.create(house, GAME, draft("Third"))
    sets.set_default(third, house)
    assert offers.default_of(GAME) == third
    sets.archive(third, house)
    assert offers.default_of(GAME) is None


def test_a_copy_is_the_copiers_own(house: SetKeeper, own: SetKeeper) -> None:
    rules = sets.create(house, GAME, draft("Pub", HostsMay.CHOOSE, numbers=7))
    copy = sets.duplicate(rules, own)
    assert (copy.owner, copy.name, copy.options) == (own.player, "Pub", rules.options)
    assert sets.duplicate(rules, house).name == "Pub (2)"
    hidden = sets.create(house, GAME, draft("Hidden", HostsMay.NOTHING))
    with refused("no_such_rules"):
        sets.duplicate(hidden, own)


def test_what_keepers_do_is_in_the_audit(house: SetKeeper) -> None:
    rules = sets.create(house, GAME, draft())
    sets.set_default(rules, house)
    sets.set_policy(house, GAME, "sets_only")
    acts = AuditEntry.objects.order_by("pk").values_list("act", "actor_name")
    assert list(acts) == [(f"rules_{a}", "bar") for a in ("created", "made_default")] + [("policy_changed", "bar")]


# Tables under a set.


def test_a_change_of_a_set_never_alters_a_table_that_was_opened_under_it(
    house: SetKeeper, night: Night, host: Player, open_table
) -> None:
    rules = sets.create(house, GAME, draft("Pub", numbers=4))
    table = open_table(GAME, "quick")
    setup.change_rules(table, host, "quick", {}, rules=rules)
    for seat in table.seats.all():
        setup.sit(table, seat.player, accept=True)
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    before = (table.options, log.state_of(table), json.dumps(table.state))
    sets.change(house, rules.public_id, draft("Pub 2", numbers=9), 1)
    sets.archive(rules, house)
    log.forget_all()
    table = Table.objects.get(pk=table.pk)
    assert (table.options, log.state_of(table), json.dumps(table.state)) == before
    assert (table.house_rules_name, table.house_rules_version) == ("Pub", 1)
    assert table.options["numbers"] == 4
    HouseRules.objects.all().delete()
    table.refresh_from_db()
    assert (table.house_rules, table.house_rules_name) == (None, "Pub")


def test_the_next_table_keeps_the_rules_of_the_last(house, night, host, start_table) -> None:
    rules = sets.create(house, GAME, draft("Pub", numbers=4))
    table = start_table(GAME, "quick")
    Table.objects.filter(pk=table.pk).update(
        status="finished", **offers.agree(host, GAME, "quick", {}, rules=rules).fields()
    )
    sets.change(house, rules.public_id, draft("Pub", numbers=9), 1)
    following = setup.play_again(table, host)
    assert (following.options["numbers"], following.house_rules_version) == (4, 1)


def test_a_fixed_set_is_played_as_it_is(house: SetKeeper, night: Night, host: Player) -> None:
    rules = sets.create(house, GAME, draft("Pub", HostsMay.CHOOSE, numbers=4))
    table = setup.open_table(night, host, GAME, "quick", {}, rules=rules)
    assert table.options["numbers"] == 4
    with refused("rules_fixed"):
        setup.open_table(night, host, GAME, "quick", {"numbers": 5}, rules=rules)
    with refused("rules_fixed"):
        setup.change_rules(table, host, "quick", {"numbers": 5}, rules=rules, version=1)
    setup.change_rules(table, host, "quick", {"numbers": 5})
    assert Table.objects.get(pk=table.pk).house_rules is None


def test_a_set_that_may_be_changed_is_the_start_for_a_table(house, night, host) -> None:
    rules = sets.create(house, GAME, draft("Pub", numbers=4))
    table = setup.open_table(night, host, GAME, "quick", {"sets": 2}, rules=rules)
    assert (table.options["numbers"], table.options["sets"]) == (4, 2)
    assert (table.house_rules, table.house_rules_version) == (rules, 1)


def test_a_waiting_table_keeps_its_version_until_the_set_is_chosen_anew(
    house: SetKeeper, night: Night, host: Player
) -> None:
    rules = sets.create(house, GAME, draft("Pub", numbers=4))
    table = setup.open_table(night, host, GAME, "quick", {}, rules=rules)
    rules = sets.change(house, rules.public_id, draft("Pub", numbers=6), 1)
    setup.change_rules(table, host, "quick", {"sets": 2}, rules=rules, version=1)
    table.refresh_from_db()
    assert (table.options["numbers"], table.house_rules_version) == (4, 1)
    setup.change_rules(table, host, "quick", {}, rules=rules, version=2)
    table.refresh_from_db()
    assert (table.options["numbers"], table.house_rules_version) == (6, 2)
    with refused("rules_moved_on"):
        setup.open_table(night, host, GAME, "quick", {}, rules=rules, version=1)


def test_hosts_choose_among_what_is_on_offer(house, own, night, host, make_player) -> None:
    shown = sets.create(house, GAME, draft("Pub"))
    hidden = sets.create(house, GAME, draft("Hidden", HostsMay.NOTHING))
    mine = sets.create(own, GAME, draft("Mine"))
    other = SetKeeper(player=make_player("Kari"))
    Night.objects.create(name="Other", host=other.player)
    theirs = sets.create(other, GAME, draft("Theirs"))
    old = sets.archive(sets.create(house, GAME, draft("Old")), house)
    default = sets.create(house, GAME, draft("Zebra"))
    sets.set_default(default, house)
    assert offers.on_offer(host, GAME) == [default, shown, mine]
    for rules, code in (
        (hidden, "no_such_rules"),
        (theirs, "no_such_rules"),
        (old, "rules_archived"),
    ):
        with refused(code):
            setup.open_table(night, host, GAME, "quick", {}, rules=rules)
    with refused("no_such_rules"):
        setup.open_table(night, host, "chicago", "classic", {}, rules=shown)


def test_the_house_can_have_a_game_played_by_its_own_sets_only(house, own, night, host) -> None:
    pub = sets.create(house, GAME, draft("Pub"))
    mine = sets.create(own, GAME, draft("Mine"))
    with refused("not_staff"):
        sets.set_policy(own, GAME, "anything")
    sets.set_policy(house, GAME, "sets_only")
    assert GamePolicy.objects.get().hosts_may == "sets_only"
    assert offers.on_offer(host, GAME) == [pub]
    for rules in (None, mine):
        with refused("sets_only"):
            setup.open_table(night, host, GAME, "quick", {}, rules=rules)
    setup.open_table(night, host, GAME, "quick", {"numbers": 4}, rules=pub)
    setup.open_table(night, host, "chicago", "classic", {})
    sets.set_policy(house, GAME, "anything")
    setup.open_table(night, host, GAME, "quick", {})


def told(table: Table) -> object:
    """Return the set as browsers are told it."""
    return log_views.snapshot(table.pk).table["house_rules"]


def test_the_log_says_which_rules_by_name_were_agreed(house, night, host, open_table) -> None:
    rules, table = sets.create(house, GAME, draft("Pub")), open_table(GAME, "quick")
    assert told(table) is None
    setup.change_rules(table, host, "quick", {}, rules=rules)
    for seat in table.seats.all():
        setup.sit(table, seat.player, accept=True)
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    (started, *_rest) = LogEntry.objects.get(table=table).events
    expected = {"name": "Pub", "version": 1}
    assert started["data"]["house_rules"] == told(table) == expected
