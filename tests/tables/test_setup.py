"""Tables before and after play: seats, house rules, the start, playing again, chat."""

from __future__ import annotations

import pytest

from games.kernel import dice
from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors
from games.models import Night, Player, Table
from games.services.chat import chat
from games.services.commands import Actor, Request
from games.services.hosting import kept_seats
from games.services.house_rules.cards import card_mark
from games.services.logs import log_views
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, setup
from games.services.tables.commit import submit

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


def names(table: Table) -> list[str]:
    return [seat.name for seat in table.seats.order_by("index")]


def test_a_table_keeps_complete_house_rules(night: Night, host: Player) -> None:
    table = setup.open_table(night, host, "dummygame", "quick", {"prize": "a pretzel"})
    assert table.options["prize"] == "a pretzel"
    assert table.options["numbers"] == 3
    assert table.number == 1
    assert setup.open_table(night, host, "dummygame", "quick", {}).number == 2


def test_bad_house_rules_games_and_presets_are_refused(night: Night, host: Player) -> None:
    with refused("no_such_game"):
        setup.open_table(night, host, "poker", "x", {})
    with refused("no_such_preset"):
        setup.open_table(night, host, "dummygame", "x", {})
    with pytest.raises(OptionErrors):
        setup.open_table(night, host, "dummygame", "quick", {"numbers": 99})
    with pytest.raises(OptionErrors):
        setup.open_table(night, host, "dummygame", "quick", {"wins": "lowest", "ties": "die"})
    assert not Table.objects.exists()


def test_changed_rules_must_be_accepted_anew(open_table, host: Player) -> None:
    table = open_table()
    setup.change_rules(table, host, "dicey", {})
    with refused("not_accepted"):
        setup.start(table, host, "s")
    for seat in table.seats.all():
        setup.sit(table, seat.player, accept=True)
    setup.start(table, host, "s")


def test_bots_need_not_accept_changed_rules(open_table, host: Player) -> None:
    table = open_table(seats=1)
    setup.add_bot(table, host, "low")
    setup.change_rules(table, host, "dicey", {})
    setup.sit(table, host, accept=True)
    setup.start(table, host, "s")


def change_while_waiting(monkeypatch: pytest.MonkeyPatch, table: Table, host: Player) -> None:
    """Let the host's change of the rules get the table's lock before the next act on the waiting table."""
    lock = log.lock

    def after_the_change(table_id: int) -> Table:
        monkeypatch.setattr(log, "lock", lock)
        setup.change_rules(table, host, "dicey", {})
        return lock(table_id)

    monkeypatch.setattr(log, "lock", after_the_change)


def test_an_old_card_is_not_accepted_beside_a_change_of_the_rules(monkeypatch, open_table, night, host) -> None:
    guest = players.new_guest("Late")
    membership.join(night, guest)
    for case in ("sit", "accept", "person", "accept for"):
        table = open_table(seats=1)
        mark = card_mark(table.preset, table.options)
        if case == "accept":
            setup.sit(table, guest)
        if case == "accept for":
            kept_seats.seat_person(table, host, "Kari")
            table.seats.filter(name="Kari").update(accepted_at=None)
            seat_id = table.seats.get(name="Kari").seat_id
        change_while_waiting(monkeypatch, table, host)
        with refused("card_changed"):
            if case == "person":
                kept_seats.seat_person(table, host, "Bo", mark=mark)
            elif case == "accept for":
                kept_seats.accept_for(table, host, seat_id, mark=mark)
            else:
                setup.sit(table, guest, accept=True, mark=mark)
        assert not table.seats.filter(accepted_at__isnull=False).exclude(player=host).exists(), case


def test_a_start_beside_a_change_of_the_rules_waits_for_the_new_card(open_table, host: Player) -> None:
    table = open_table()
    stale = Table.objects.select_related("night").get(pk=table.pk)
    setup.change_rules(table, host, "dicey", {})
    with refused("not_accepted"):
        setup.start(stale, host, "s")


def test_only_members_sit_and_sitting_twice_is_one_seat(open_table, night: Night) -> None:
    table = open_table(seats=1)
    guest = players.new_guest("Outside")
    with refused("not_inside"):
        setup.sit(table, guest)
    membership.join(night, guest)
    assert setup.sit(table, guest) == setup.sit(table, guest)
    assert names(table) == ["Hanna", "Outside"]


def test_a_full_table_takes_neither_people_nor_bots(open_table, night: Night, host: Player) -> None:
    table = open_table(seats=4)
    late = players.new_guest("Late")
    membership.join(night, late)
    with refused("table_full"):
        setup.sit(table, late)
    with refused("table_full"):
        setup.add_bot(table, host, "low")


def test_bots_have_names_of_their_own_and_known_levels(open_table, host: Player) -> None:
    table = open_table(seats=1)
    for _ in range(3):
        setup.add_bot(table, host, "low")
    assert len(set(names(table))) == 4
    with refused("table_full"):
        setup.add_bot(table, host, "low")
    other = open_table(seats=1)
    for level in ("", "grandmaster"):
        with refused("bad_level"):
            setup.add_bot(other, host, level)


def test_seats_move_up_when_one_is_freed_and_can_be_reordered(open_table, host: Player) -> None:
    table = open_table(seats=4)
    own = table.seats.get(index=1)
    setup.vacate(table, own.player, own.seat_id)
    assert names(table) == ["Hanna", "Guest 2", "Guest 3"]
    last = table.seats.get(index=2).seat_id
    setup.move(table, host, last, -2)
    assert names(table) == ["Guest 3", "Hanna", "Guest 2"]
    for by in (-1, 3):
        with refused("bad_argument"):
            setup.move(table, host, last, by)
    assert names(table) == ["Guest 3", "Hanna", "Guest 2"]


def test_two_who_take_the_same_person_off_take_nobody_else_off(open_table, host: Player) -> None:
    table = open_table(seats=4)
    seat_id = table.seats.get(index=1).seat_id
    setup.vacate(table, host, seat_id)
    with refused("seat_empty"):
        setup.vacate(table, host, seat_id)
    with refused("seat_empty"):
        setup.move(table, host, seat_id, 1)
    assert names(table) == ["Hanna", "Guest 2", "Guest 3"]


def test_a_waiting_seat_is_not_named_by_its_number(open_table, host: Player) -> None:
    table, other = open_table(seats=3), open_table(seats=2)
    for named, code in (
        ("1", "seat_number"),
        (str(table.seats.get(index=1).pk), "seat_number"),
        (other.seats.get(index=1).seat_id, "seat_empty"),
        *((each, "bad_argument") for each in ("", "s", "s0", "s-1", "s1 ", "x1", "s" + "9" * 40)),
    ):
        with refused(code):
            setup.vacate(table, host, named)
    assert len(names(table)) == 3


def test_a_game_needs_the_seats_that_its_preset_says(open_table, host: Player) -> None:
    table = open_table(seats=1)
    with refused("too_few_seats"):
        setup.start(table, host, "s")
    crowded = open_table(seats=4)
    setup.change_rules(crowded, host, "endless", {})
    with refused("too_many_seats"):
        setup.start(crowded, host, "s")


def test_starting_twice_with_one_id_is_one_start(open_table, host: Player) -> None:
    table = open_table()
    first = setup.start(table, host, "s")
    again = setup.start(table, host, "s")
    assert (again.seq, again.events, again.repeated) == (first.seq, first.events, True)
    assert table.entries.count() == 1
    with refused("already_started"):
        setup.start(table, host, "other")


def test_nothing_about_seats_and_rules_changes_after_the_start(start_table, host: Player) -> None:
    table = start_table()
    for act in (
        lambda: setup.change_rules(table, host, "dicey", {}),
        lambda: setup.sit(table, host),
        lambda: setup.add_bot(table, host, "low"),
        lambda: setup.vacate(table, host, table.seats.get(index=0).seat_id),
        lambda: setup.move(table, host, table.seats.get(index=0).seat_id, 1),
    ):
        with refused("already_started"):
            act()


def test_the_dice_are_sealed_before_the_players_add_their_numbers(sealed_dice, open_table, host: Player) -> None:
    table = open_table()
    sealed = dice.commitment(table.dice_seed)
    receipt = setup.start(table, host, "s")
    told = receipt.events[0].data
    assert told["commitment"] == sealed
    assert told["salt"] == dice.salt_of(seat["nonce"] for seat in told["seats"])
    assert [seat["nonce"] for seat in told["seats"]] == ["n0", "n1"]
    assert table.dice_seed not in str(receipt)


def test_the_chain_of_the_dice_is_committed_before_the_first_throw(open_table, host: Player) -> None:
    table = open_table()
    told = log_views.snapshot(table.pk).table["commitment"]
    receipt = setup.start(table, host, "s")
    assert receipt.events[1].type == "table.dice_committed"
    assert receipt.events[1].data == {"commitment": told, "protocol": "pnd1", "length": 4096, "first": 1, "holds": True}
    assert table.dice_seed not in str(receipt)


def end(table: Table, host: Player) -> None:
    """Break a table off."""
    submit(table.pk, Actor(host.pk), Request("table.end", {}, "end"))
    table.refresh_from_db()


def test_play_again_keeps_seats_and_rules_and_opens_one_table_only(start_table, host: Player) -> None:
    table = start_table(prize="a pretzel")
    with refused("not_finished"):
        setup.play_again(table, host)
    end(table, host)
    following = setup.play_again(table, host)
    assert setup.play_again(table, table.seats.get(index=1).player) == following
    assert names(following) == names(table)
    assert following.options == table.options
    assert following.dice_seed != table.dice_seed
    setup.start(following, host, "s2")


def test_play_again_is_for_those_at_the_table(start_table, host: Player, night: Night) -> None:
    table = start_table()
    end(table, host)
    watcher = players.new_guest("Watcher")
    membership.join(night, watcher)
    with refused("not_seated"):
        setup.play_again(table, watcher)


def test_who_was_shown_the_door_has_no_seat_at_the_next_table(start_table, host: Player, night: Night) -> None:
    table = start_table(seats=3)
    end(table, host)
    membership.remove(night, host, table.seats.get(index=1).player_id)
    assert names(setup.play_again(table, host)) == ["Hanna", "Guest 2"]


def test_chat_is_short_visible_and_for_members(open_table, host: Player) -> None:
    table = open_table()
    assert chat.say(table.pk, host.pk, "  hello \n there ").text == "hello there"
    with refused("not_inside"):
        chat.say(table.pk, players.new_guest("Stranger").pk, "hi")
    for text, code in (("", "chat_empty"), ("\x00", "chat_empty"), ("x" * 281, "chat_long")):
        with refused(code):
            chat.say(table.pk, host.pk, text)
