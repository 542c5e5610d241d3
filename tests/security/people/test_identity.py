"""A host's word reaches as far as their night: nobody becomes a guest by hosting one night."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import DeviceMove, HistoryClaim, Night
from games.services import publication
from games.services.hosting import claims, device_transfer
from games.services.nights import agreement, attendance, membership
from games.services.people import accounts, players
from tests.web.pages import browser_of, night_do, night_page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()


@pytest.fixture
def kari(night):
    """A guest who has been at this night alone."""
    player = players.new_guest("Kari")
    membership.join(night, player)
    return player


@pytest.fixture
def elsewhere(kari, make_player):
    """A night of another host, where the guest has been, too."""
    other = membership.host_night(make_player("Otto"), "Friday")
    membership.join(other, kari)
    return other


@pytest.fixture
def account(night, make_player, django_user_model):
    """An account that came to the night."""
    player = accounts.own_player(django_user_model.objects.create_user("uli"), "Uli")
    membership.join(night, player)
    return player


def refused(code):
    return pytest.raises(Illegal, match=code)


def test_the_host_of_one_night_becomes_no_guest_who_has_been_at_others(night, host, kari, elsewhere):
    move, secret = device_transfer.request_move(night, kari.pk)
    assert device_transfer.approve_move(night, host, kari.pk, move.number) is False
    assert device_transfer.use_move(secret) is None
    assert device_transfer.missing_count(secret) == 1


def test_a_guest_with_a_dead_phone_goes_on_once_the_hosts_of_all_their_nights_agree(night, host, kari, elsewhere):
    move, secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    assert device_transfer.waiting(elsewhere) == [kari]
    page = browser_of(elsewhere.host).get(night_page(elsewhere)).content.decode()
    assert "Approve for Kari" in page
    assert device_transfer.approve_move(elsewhere, elsewhere.host, kari.pk, move.number) is True
    assert device_transfer.use_move(secret) == kari


def test_hosts_of_other_nights_are_told_at_the_front_door_while_their_word_is_needed(night, host, kari, elsewhere):
    needed = "Your word is needed"
    membership.close(elsewhere, elsewhere.host)
    browser = browser_of(elsewhere.host)
    assert needed not in browser.get(reverse("home")).content.decode()
    move, _ = device_transfer.request_move(night, kari.pk)
    page = browser.get(reverse("home")).content.decode()
    assert needed in page
    assert night_page(elsewhere) in page
    assert needed not in browser_of(kari).get(reverse("home")).content.decode()
    device_transfer.approve_move(elsewhere, elsewhere.host, kari.pk, move.number)
    assert needed not in browser.get(reverse("home")).content.decode()


def test_what_waits_for_other_hosts_holds_for_a_day(night, host, kari, elsewhere):
    move, _ = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    move.refresh_from_db()
    assert move.expires_at > datetime.now(UTC) + timedelta(hours=23)


def test_one_host_of_all_nights_agrees_once(night, host, kari):
    membership.join(membership.host_night(host, "Next week"), kari)
    move, secret = device_transfer.request_move(night, kari.pk)
    assert device_transfer.approve_move(night, host, kari.pk, move.number) is True
    assert device_transfer.use_move(secret) == kari


def test_the_old_device_agrees_without_any_host_and_stays(night, kari, elsewhere):
    old, phone = browser_of(kari), browser_of()
    args = [night.public_id, night.token("join")]
    phone.post(reverse("move_ask", args=args), {"player": kari.pk})
    assert phone.session["move_number"] not in old.get(reverse("my_moves")).content.decode()
    old.post(reverse("my_moves"), {"answer": "yes", "number": phone.session["move_number"]})
    phone.post(reverse("move_use", args=args))
    assert phone.session["player_id"] == kari.pk
    assert old.get(night_page(night)).status_code == 200


def test_the_old_device_refuses_and_that_is_the_end_of_it(night, host, kari):
    move, secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    browser_of(kari).post(reverse("my_moves"), {"answer": "no"})
    with refused("move_gone"):
        device_transfer.use_move(secret)
    assert night.events.first().type == "move_refused"


def test_the_old_device_has_a_minute_to_refuse_before_hosts_decide(night, host, kari, account, settings):
    settings.VETO_SECONDS = 60
    move, secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    assert device_transfer.use_move(secret) is None
    DeviceMove.objects.update(asked_at=datetime.now(UTC) - timedelta(seconds=61))
    assert device_transfer.use_move(secret) == kari
    claim = claims.create(night, account, kari.pk)
    with refused("too_soon"):
        claims.decide(night, host, claim.pk, True)
    HistoryClaim.objects.update(created_at=datetime.now(UTC) - timedelta(seconds=61))
    assert claims.decide(night, host, claim.pk, True).is_done


def test_the_old_device_is_told_live(night, kari, account, monkeypatch):
    told = []
    monkeypatch.setattr(publication, "_listeners", [told.append])
    old = browser_of(kari)
    assert "Another device asks to go on" in old.get(night_page(night)).content.decode()
    shown = 'id="own-moves" hidden'
    assert shown in old.get(night_page(night)).content.decode()
    device_transfer.request_move(night, kari.pk)
    assert publication.PlayerAsked(kari.pk) in told
    assert shown not in old.get(night_page(night)).content.decode()
    told.clear()
    device_transfer.refuse_myself(kari)
    claims.create(night, account, kari.pk)
    assert publication.PlayerAsked(kari.pk) in told
    assert shown not in old.get(reverse("me")).content.decode()


def test_a_name_that_moved_by_a_hosts_word_is_on_no_older_device(night, host, kari):
    old = browser_of(kari)
    move, secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    assert old.get(night_page(night)).status_code == 200
    new = browser_of(device_transfer.use_move(secret))
    session = new.session
    session[players.DEVICES_KEY] = 1
    session.save()
    assert new.get(night_page(night)).status_code == 200
    assert old.get(night_page(night)).status_code == 403
    keys = [browser.session.session_key for browser in (old, new)]
    found = attendance.browsers_rights([attendance.sessions(keys)[key] for key in keys], [{}, {}])
    assert [player_id for player_id, _ in found] == [None, kari.pk]


def test_a_host_who_went_on_as_a_guest_is_not_that_guest_at_later_nights(night, host, kari, make_player):
    """The thief's phone has the name, the guest comes again under a new one: nothing is shared."""
    move, secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    stolen = device_transfer.use_move(secret)
    later = membership.host_night(make_player("Otto"), "Friday")
    old = browser_of()
    old.post(reverse("join_link", args=[later.public_id, later.token("join")]), {"nickname": "Kari"})
    assert old.session["player_id"] != stolen.pk


def test_a_move_names_the_person_and_a_number_of_somebody_else_is_none(night, host, kari):
    ola = players.new_guest("Ola")
    membership.join(night, ola)
    move, _ = device_transfer.request_move(night, kari.pk)
    page = browser_of(host).get(night_page(night)).content.decode()
    assert "Approve for Kari" in page
    with refused("wrong_number"):
        device_transfer.approve_move(night, host, ola.pk, move.number)
    sent = browser_of(host).post(night_do(night, "approve_move"), {"number": move.number}, follow=True)
    assert not DeviceMove.objects.get().agreed, sent
    assert device_transfer.approve_move(night, host, kari.pk, move.number)


def test_a_number_is_not_guessed_after_ten_wrong_ones_the_phone_asks_anew(night, host, kari):
    move, secret = device_transfer.request_move(night, kari.pk)
    for _ in range(device_transfer.MOST_WRONG):
        with refused("wrong_number"):
            device_transfer.approve_move(night, host, kari.pk, "x")
    with refused("wrong_number"):
        device_transfer.approve_move(night, host, kari.pk, move.number)
    with refused("move_gone"):
        device_transfer.use_move(secret)
    assert device_transfer.request_move(night, kari.pk)


def test_phones_that_ask_for_one_name_leave_room_for_others(night, host, kari):
    ola = players.new_guest("Ola")
    membership.join(night, ola)
    for _ in range(device_transfer.MOST_MOVES):
        device_transfer.request_move(night, kari.pk)
    with refused("too_many_tries"):
        device_transfer.request_move(night, kari.pk)
    assert device_transfer.request_move(night, ola.pk)
    device_transfer.refuse_move(night, host, kari.pk)
    assert device_transfer.request_move(night, kari.pk)


def test_a_phone_that_asks_again_withdraws_what_it_asked_before(night, kari):
    phone = browser_of()
    for _ in range(7):
        phone.post(reverse("move_ask", args=[night.public_id, night.token("join")]), {"player": kari.pk})
    assert DeviceMove.objects.count() == 1


def test_the_hosts_own_name_is_never_on_offer(night, host, kari):
    with refused("host_not_on_offer"):
        device_transfer.request_move(night, host.pk)
    with refused("host_not_on_offer"):
        device_transfer.approve_move(night, host, host.pk, "123456")
    page = browser_of().get(reverse("move_ask", args=[night.public_id, night.token("join")]))
    assert "Kari" in page.content.decode()
    assert f'value="{host.pk}"' not in page.content.decode()


def test_who_came_to_host_a_night_meanwhile_is_not_given_away(night, host, kari):
    move, secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    membership.host_night(kari, "Of my own")
    assert device_transfer.use_move(secret) is None
    device_transfer.agree_myself(kari, move.number)
    assert device_transfer.use_move(secret) == kari


def test_who_hosts_a_night_cannot_agree_as_a_host_to_be_somebody_else_themselves(night, host, kari):
    """A guest who hosts one night is asked as the guest, on their own device."""
    own = membership.host_night(kari, "Of my own")
    move, secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    assert device_transfer.waiting(own) == []
    with refused("host_not_on_offer"):
        device_transfer.approve_move(own, kari, kari.pk, move.number)
    assert device_transfer.use_move(secret) is None


def test_a_guest_who_got_an_account_meanwhile_is_reached_by_logging_in(night, host, kari, django_user_model):
    move, secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, kari.pk, move.number)
    accounts.claim(django_user_model.objects.create_user("kari"), kari)
    with refused("move_gone"):
        device_transfer.use_move(secret)


def test_the_host_of_one_night_gives_no_history_away_that_others_saw(night, host, kari, elsewhere, account):
    claim = claims.create(night, account, kari.pk)
    assert not claims.decide(night, host, claim.pk, True).is_done
    assert players.current_player(kari.pk) == kari
    assert claims.waiting(night) == []
    assert claims.waiting(elsewhere) == [claim]
    assert claims.decide(elsewhere, elsewhere.host, claim.pk, True).is_done
    assert players.current_player(kari.pk) == account


def test_the_no_of_one_host_ends_a_claim(night, host, kari, elsewhere, account):
    claim = claims.create(night, account, kari.pk)
    claims.decide(night, host, claim.pk, True)
    claims.decide(elsewhere, elsewhere.host, claim.pk, False)
    assert not HistoryClaim.objects.exists()
    assert players.current_player(kari.pk) == kari


@pytest.mark.parametrize("is_true", [True, False])
def test_the_guests_own_device_answers_a_claim_alone(night, host, kari, elsewhere, account, is_true):
    claim = claims.create(night, account, kari.pk)
    old = browser_of(kari)
    old.post(reverse("my_moves"), {"claim": claim.pk, "answer": "yes" if is_true else "no"})
    assert players.current_player(kari.pk) == (account if is_true else kari)
    with refused("claim_gone"):
        claims.decide(night, host, claim.pk, True)


def test_nobody_answers_a_claim_on_somebody_else(night, kari, account):
    claim = claims.create(night, account, kari.pk)
    ola = players.new_guest("Ola")
    for answer in (True, False):
        with refused("claim_gone"):
            claims.answer_myself(ola, claim.pk, answer)
    assert HistoryClaim.objects.get() == claim


def test_the_account_that_claims_hosts_no_night_that_could_agree(night, host, kari, account):
    own = membership.host_night(account, "Mine")
    membership.join(own, kari)
    claim = claims.create(night, account, kari.pk)
    claims.decide(night, host, claim.pk, True)
    with refused("own_claim"):
        claims.decide(own, account, claim.pk, True)
    assert players.current_player(kari.pk) == kari


def test_the_guests_browser_is_not_the_accounts_after_a_claim_that_hosts_confirmed(night, host, kari, account):
    old = browser_of(kari)
    claim = claims.create(night, account, kari.pk)
    claims.decide(night, host, claim.pk, True)
    assert old.get(night_page(night)).status_code == 403


def test_closed_nights_count_and_their_hosts_can_still_agree(night, host, kari, elsewhere):
    membership.close(elsewhere, elsewhere.host)
    move, secret = device_transfer.request_move(night, kari.pk)
    assert device_transfer.approve_move(night, host, kari.pk, move.number) is False
    closed = Night.objects.get(pk=elsewhere.pk)
    browser_of(closed.host).post(night_do(closed, "approve_move"), {"player": kari.pk, "number": move.number})
    assert device_transfer.use_move(secret) == kari


def test_to_play_at_once_a_guest_of_two_nights_joins_anew_and_is_given_the_seat(night, host, kari, elsewhere):
    phone, args = browser_of(), [night.public_id, night.token("join")]
    phone.post(reverse("move_ask", args=args), {"player": kari.pk})
    page = phone.get(reverse("move_wait", args=args)).content.decode()
    assert "join as somebody new" in page
    assert "Friday" not in page  # where the guest has been is not told to whoever asks
    phone.post(reverse("join_link", args=args), {"nickname": "Kari again"})
    assert phone.get(night_page(night)).status_code == 200
    assert agreement.has_request(kari)
