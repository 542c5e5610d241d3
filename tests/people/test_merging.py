"""Joining two players to one: everything goes along, nothing is joined that is two people."""

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import (
    LogEntry,
    Membership,
    NightEvent,
    Player,
    ResultLine,
    Tally,
)
from games.services.chat import chat
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import claims
from games.services.nights import membership, night_rights
from games.services.people import accounts, bans, deletion, merging, players
from games.services.seats import seats
from games.services.tables import log, sql
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import named
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(django_user_model, make_player):
    """A player with an account."""
    player = make_player("Kari")
    player.user = django_user_model.objects.create_user("kari", password="a-good-one-1")
    player.save()
    return player


@pytest.fixture
def staff(django_user_model):
    return django_user_model.objects.create_superuser("chief", password="a-good-one-1")


def played(start_table) -> tuple[object, Player]:
    """Return a table of the dummy game that was played to its end, and its guest."""
    table = start_table()
    play_out(table)
    return table, table.seats.get(index=1).player


def play_out(table) -> None:
    """Play a table until it has a result and nothing is open."""
    while open_choices := [c for c in choices_at(table) if c.required]:
        answer(table, open_choices[0])
    assert table.results.exists()


def pointers(player: Player) -> dict[str, int]:
    """Return how many rows of each kind point at a player."""
    found = {}
    for relation in Player._meta.get_fields(include_hidden=True):
        if relation.auto_created and not relation.concrete:
            rows = relation.related_model.objects.filter(**{relation.field.name: player})
            found[f"{relation.related_model.__name__}.{relation.field.name}"] = rows.count()
    return found


def test_all_that_a_guest_left_behind_goes_along(start_table, account, night):
    table, guest = played(start_table)
    chat.say(table.pk, guest.pk, "Well thrown.")
    before = pointers(guest)
    assert before["Seat.player"] == 1
    assert before["ResultLine.player"] >= 1
    assert before["ChatMessage.player"] == 1
    assert before["LogEntry.actor"] >= 1
    merging.merge(guest, account)
    after = pointers(account)
    assert {k: v for k, v in pointers(guest).items() if v} == {}
    gone = {"Tally.player", "Player.merged_into"}
    assert {k: after[k] for k in before if k not in gone} == {k: v for k, v in before.items() if k not in gone}
    assert night_rights.is_inside(night, account)


def test_the_tallies_follow_the_results(start_table, account):
    _, guest = played(start_table)
    tally = Tally.objects.values_list("points", "played", "won").get(player=guest, venue=None)
    merging.merge(guest, account)
    assert not Tally.objects.filter(player=guest).exists()
    assert Tally.objects.values_list("points", "played", "won").get(player=account, venue=None) == tally


def test_seats_and_results_keep_the_name_that_was_played_under(start_table, account):
    table, guest = played(start_table)
    merging.merge(guest, account)
    assert table.seats.get(player=account).name == "Guest 1"
    assert set(ResultLine.objects.filter(player=account).values_list("name", flat=True)) == {"Guest 1"}


def test_old_ids_lead_to_who_they_are_now_over_any_number_of_joins(make_player, account):
    first, second = make_player("One"), make_player("Two")
    merging.merge(first, second)
    merging.merge(second, account)
    assert players.current_player(first.pk) == players.current_player(second.pk) == account


def test_an_old_link_to_a_player_leads_to_who_that_is_now(account, make_player):
    guest, reader = make_player("One"), make_player("Reader")
    membership.host_night(reader, "Friday")
    merging.merge(guest, account)
    answer = browser_of(reader).get(reverse("player", args=[guest.pk]))
    assert answer.url == reverse("player", args=[account.pk])
    deletion.delete(account)
    for player in (guest, account):
        gone = browser_of(reader).get(reverse("player", args=[player.pk]))
        assert gone.status_code == 404


def test_a_game_goes_on_under_the_account_with_the_seat_of_the_guest(start_table, account):
    table = start_table()
    guest = table.seats.get(index=1).player
    merging.merge(guest, account)
    choice = next(c for c in choices_at(table) if c.seat == 1)
    receipt = answer(table, choice)
    assert LogEntry.objects.get(table=table, seq=receipt.seq).actor == account


def test_the_result_of_a_seat_that_was_left_before_goes_to_who_that_is_now(start_table, account):
    table = start_table("dummygame", seats=3)
    guest, host = table.seats.get(index=1).player, table.night.host
    submit(table.pk, Actor(guest.pk), Request("table.leave", {}, new_command_id()))
    merging.merge(guest, account)
    table.refresh_from_db()
    sat = log.snapshot_of(table).sat
    assert seats.own_seat(sql.seats([table.pk])[table.pk], sat, account.pk)[0].index == 1
    submit(table.pk, Actor(host.pk), Request("table.forfeit", {"seat": 1, "sitter": None}, new_command_id()))
    play_out(table)
    assert ResultLine.objects.get(result__table=table, seat=1).player == account


@pytest.mark.parametrize("way", ["seats", "results"])
def test_two_who_sat_at_one_table_are_two_people(start_table, way):
    table, guest = played(start_table)
    other = table.seats.get(index=0).player
    if way == "results":
        table.seats.all().delete()
    with pytest.raises(Illegal, match="same_table"):
        merging.merge(guest, other)
    assert Player.objects.get(pk=guest.pk).merged_into is None


def test_two_accounts_and_who_is_gone_are_not_joined(account, make_player, django_user_model):
    other = make_player("Uli")
    with pytest.raises(Illegal, match="same_player"):
        merging.merge(other, other)
    merging.merge(other, account)
    with pytest.raises(Illegal, match="gone_player"):
        merging.merge(other, account)
    second = make_player("Ole")
    second.user = django_user_model.objects.create_user("ole")
    second.save()
    with pytest.raises(Illegal, match="two_accounts"):
        merging.merge(second, account)


def test_an_admin_may_join_an_account_to_a_guest_which_then_has_it(account, make_player):
    guest = make_player("Kari too")
    merging.merge(account, guest)
    guest.refresh_from_db()
    assert guest.user.username == "kari"


def test_what_was_forbidden_to_one_is_forbidden_to_the_whole(night, host, account, staff):
    kicked, banned = players.new_guest("Uli"), players.new_guest("Ole")
    membership.join(night, account)
    membership.join(night, kicked)
    membership.remove(night, host, kicked.pk)
    merging.merge(kicked, account)
    assert Membership.objects.get(night=night, player=account).status == "kicked"
    bans.ban(banned, staff)
    merging.merge(Player.objects.get(pk=banned.pk), Player.objects.get(pk=account.pk))
    assert Player.objects.get(pk=account.pk).banned_at is not None


@pytest.mark.parametrize("is_target", [False, True])
def test_a_ban_that_comes_by_joining_ends_the_part_in_open_nights(
    night, host, start_table, make_player, staff, is_target
):
    banned, table = make_player("Ole"), start_table()
    guest = table.seats.get(index=1).player
    bans.ban(banned, staff)
    banned.refresh_from_db()
    merging.merge(*((guest, banned) if is_target else (banned, guest)), staff)
    assert not night.memberships.filter(status="in").exclude(player=host).exists()
    assert table.seats.get(index=1).player is None


def test_the_night_of_a_host_who_is_banned_by_joining_gets_another_host(night, host, make_player, staff):
    banned, heir = make_player("Ole"), make_player("Kari")
    membership.join(night, heir)
    bans.ban(banned, staff)
    banned.refresh_from_db()
    merging.merge(banned, host, staff)
    night.refresh_from_db()
    assert night.host == heir


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_host_who_showed_their_own_other_phone_the_door_stays_in(night, host, make_player, is_kept):
    other = make_player("Hanna too")
    membership.join(night, other)
    membership.remove(night, host, other.pk)
    merging.merge(*((other, host) if is_kept else (host, other)))
    night.refresh_from_db()
    assert night.host == (host if is_kept else other)
    assert Membership.objects.get(night=night).status == "in"


@pytest.mark.parametrize("removed", ["source", "target"])
def test_who_was_removed_from_a_night_sits_at_no_table_there_after_joining(
    night, host, account, start_table, make_player, removed
):
    table = start_table()
    sitter = table.seats.get(index=1).player
    membership.join(night, account)
    membership.remove(night, host, account.pk)
    merging.merge(*((account, sitter) if removed == "source" else (sitter, account)))
    assert table.seats.get(index=1).player is None
    deletion.delete(Player.objects.get(pk=(sitter if removed == "source" else account).pk))


def test_two_guests_of_one_name_stay_two(night, account, django_user_model):
    one, other = players.new_guest("Kari"), players.new_guest("Kari")
    for guest in (one, other):
        membership.join(night, guest)
    accounts.claim(account.user, one)
    other.refresh_from_db()
    assert other.is_guest
    assert players.current_player(other.pk) == other


def test_an_account_without_a_player_takes_the_guest_as_it_is(make_player, django_user_model):
    guest = make_player("Uli")
    user = django_user_model.objects.create_user("uli")
    assert accounts.claim(user, guest) == guest
    assert players.account_player(user) == guest
    with pytest.raises(Illegal, match="not_a_guest"):
        accounts.claim(django_user_model.objects.create_user("somebody"), guest)


@pytest.fixture
def claim(night, account):
    """An account that came to a night says of a guest there: that was me."""
    guest = players.new_guest("Uli")
    membership.join(night, guest)
    membership.join(night, account)
    return claims.create(night, account, guest.pk)


def test_the_host_confirms_once_and_all_can_read_it(night, host, claim, account):
    claims.decide(night, host, claim.pk, True)
    assert players.current_player(claim.guest_id) == account
    told = NightEvent.objects.filter(night=night, type__startswith="claim").values_list("type")
    assert sorted(told) == [("claim_asked",), ("claim_confirmed",)]
    with pytest.raises(Illegal, match="claim_gone"):
        claims.decide(night, host, claim.pk, True)


def test_a_refused_claim_joins_nothing(night, host, claim):
    claims.decide(night, host, claim.pk, False)
    assert players.current_player(claim.guest_id) == claim.guest
    assert claims.waiting(night) == []


def test_only_the_host_decides_and_never_about_themselves(night, host, claim, account):
    with pytest.raises(Illegal, match="not_host"):
        claims.decide(night, account, claim.pk, True)
    membership.give_host(night, host, account.pk)
    night.refresh_from_db()
    with pytest.raises(Illegal, match="own_claim"):
        claims.decide(night, account, claim.pk, True)
    with pytest.raises(Illegal, match="own_claim"):
        claims.create(night, account, claim.guest_id)


def test_a_claim_of_another_night_is_none_of_this_hosts(claim, make_player):
    other_host = make_player("Otto")
    other = membership.host_night(other_host, "Elsewhere")
    with pytest.raises(Illegal, match="claim_gone"):
        claims.decide(other, other_host, claim.pk, True)


def test_only_guests_of_the_night_can_be_claimed_and_only_by_accounts(night, host, account):
    stranger, guest = players.new_guest("Uli"), players.new_guest("Ole")
    membership.join(night, account)
    membership.join(night, guest)
    for player_id in (stranger.pk, host.pk, account.pk, 10**9):
        with pytest.raises(Illegal, match="no_such_player"):
            claims.create(night, account, player_id)
    with pytest.raises(Illegal, match="no_account"):
        claims.create(night, guest, account.pk)


def test_who_sat_at_a_table_with_the_account_cannot_be_claimed(start_table, account, night, host):
    table = start_table(seats=2)
    guest = table.seats.get(index=1).player
    membership.join(night, account)
    submit(
        table.pk,
        Actor(host.pk),
        Request("table.kick", named(table, "table.kick", {"seat": 0}), new_command_id()),
    )
    submit(
        table.pk,
        Actor(host.pk),
        Request("table.substitute", {"seat": 0, "sitter": None, "player": account.pk}, new_command_id()),
    )
    with pytest.raises(Illegal, match="same_table"):
        claims.create(night, account, guest.pk)
