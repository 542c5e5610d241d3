"""The privacy notice: every column that tells of a person stands in it, in words that nobody can change."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.db import models
from django.db.models import Field, Model
from django.test import Client, override_settings
from django.test.utils import isolate_apps
from django.urls import reverse
from django.utils import translation

from games.models import AuditEntry, House, Night, Player, Strength, house
from games.services import personal_rooms
from games.services.nights import membership
from games.services.people import deletion
from games.services.personal_rooms import Kept
from games.web.house import notice
from games.web.people import kept_sheet
from tests.admin.pages import ask_path
from tests.languages import TRANSLATED
from tests.people.browsers import log_in, make_account, sign_up
from tests.web.pages import browser_of

TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField, models.GenericIPAddressField)
OF_NOBODY = {
    "BackgroundTask": "result given_up",
    "ContentType": "app_label model",
    "DrawnRound": "game_id preset way",
    "EngineQuestion": "game_id position answer",
    "GameGrades": "engine level",
    "GamePolicy": "game_id",
    "Group": "name",
    "House": "name country time_zone language price contact imprint notice_addition logo logo_type logo_digest "
    "printed_password",
    "HouseRules": "public_id",
    "HouseRulesVersion": "preset options",
    "Night": "public_id code",
    "Permission": "name codename",
    "Regrouping": "seats",
    "Result": "game_id preset reason unit medium",
    "Screen": "public_id secret_hash letters",
    "Season": "public_id game_id unit presets media preset options entry_key",
    "SeasonStage": "stage",
    "SeasonVersion": "preset options",
    "Series": "public_id key feed_key game_id preset options",
    "ShareLink": "key",
    "StoredBackup": "sha256 fault proof_fault",
    "Table": "public_id game_id preset options house_rules_name clocks claimed_by dice_seed dice_salt chains",
    "Tournament": "public_id name game_id preset options house_rules_name medium format seed modes countdowns prizes",
    "Venue": "public_id name",
    "Webhook": "public_id secret fault",
    "WebhookMessage": "fault occasion",
}
"""Columns with text that tells of nobody, by model."""


def is_person(field: Field) -> bool:
    return bool(field.is_relation) and field.related_model in (Player, User)


def personal(model: type[Model], of_rooms: set[type[Model]]) -> set[str]:
    """Return the columns of a model that may tell of a person.

    Of rows that are somebody's, all; of others the references to people, and what text they hold.
    """
    columns = [field for field in model._meta.concrete_fields if not field.primary_key]
    is_owned = any(is_person(f) and (f.name == "player" or f.remote_field.on_delete is models.CASCADE) for f in columns)
    found = {f.name for f in columns if is_person(f) or (isinstance(f, TEXTS) and not f.choices)}
    return {f.name for f in columns} if is_owned and model in of_rooms else found


def unsaid(rooms: tuple[Kept, ...], more: tuple[type[Model], ...] = ()) -> list[str]:
    """Return the personal columns of which no room says anything."""
    said = {(model, name) for room in rooms for row in room.said for model, names in row.columns.items()
            for name in names.split()}  # fmt: skip
    of_rooms = {model for room in rooms for model in room.models} | set(more)
    every = {*apps.get_models(), *more}
    return sorted(
        f"{model.__name__}.{name}"
        for model in every
        for name in personal(model, of_rooms) - set(OF_NOBODY.get(model.__name__, "").split())
        if (model, name) not in said
    )


def test_every_column_that_tells_of_a_person_is_said() -> None:
    assert unsaid(personal_rooms.rooms()) == []


@isolate_apps("games")
def test_a_planted_column_without_words_is_found() -> None:
    class Shoe(models.Model):
        player = models.ForeignKey(Player, on_delete=models.CASCADE)
        size = models.PositiveSmallIntegerField()

        class Meta:
            app_label = "games"

        def __str__(self) -> str:
            return "shoe"

    class Cup(models.Model):
        engraved = models.TextField()

        class Meta:
            app_label = "games"

        def __str__(self) -> str:
            return "cup"

    rooms = personal_rooms.rooms()
    assert unsaid(rooms, (Shoe, Cup)) == ["Cup.engraved", "Shoe.player", "Shoe.size"]
    without = tuple(room for room in rooms if Strength not in room.models)
    assert unsaid((*without, Kept((Strength,)))) == ["Strength.host", "Strength.player", "Strength.value"]


def test_what_is_said_is_there_each_column_in_the_rows_of_one_room_and_each_key_of_the_export_once() -> None:
    keys: list[str] = []
    for row in notice.rows():
        keys += row.keys
        for model, names in row.columns.items():
            for name in names.split():
                model._meta.get_field(name)
    assert len(keys) == len(set(keys))


@pytest.mark.django_db
def test_every_key_of_the_export_stands_on_the_sheet(make_player) -> None:
    keys = {key for row in notice.rows() for key in row.keys}
    assert keys == deletion.own_data(make_player("Kari")).keys() - {"format", "made_at"}


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_notice_is_whole_in_each_language(language: str) -> None:
    def words() -> set[str]:
        parts = [(row.what, row.why, row.who, row.how_long, row.erased) for row in notice.rows()]
        return {str(text) for row in parts for text in row} | {str(why) for _names, why in notice.ON_DEVICE}

    with translation.override("en"):
        english = words()
    with translation.override(language):
        assert english & words() == set()


def test_every_cookie_that_the_house_sets_is_told() -> None:
    told = [name for names, _why in notice.ON_DEVICE for name in names]
    places = {
        path.name: text.count("set_cookie(")
        for path in Path("games/web").rglob("*.py")
        if "set_cookie(" in (text := path.read_text())
    }
    # Look; name that is typed; answer; accounts; big screens.
    assert places == {"middleware.py": 1, "home.py": 1, "acts.py": 1, "known_devices.py": 1, "tv.py": 1}
    assert {"theme", "typefaces", "nickname", "answer-", "device", "tv", "screen"} <= set(told)


@pytest.fixture
def office(db) -> Client:
    """The browser of somebody with all rights."""
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


def text(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.django_db
def test_strangers_read_the_notice_from_every_pages_foot_and_without_a_contact_it_says_so() -> None:
    assert 'href="/privacy/"' in Client().get("/").content.decode()
    page = Client().get(reverse("privacy")).content.decode()
    assert "No contact is given" in page
    assert page.count('class="card said"') == len(notice.rows())
    assert Client().get(reverse("imprint")).status_code == 404
    assert "/imprint/" not in page


@pytest.mark.django_db
def test_the_staff_add_to_the_notice_and_change_nothing_of_it(office: Client) -> None:
    before = Client().get(reverse("privacy")).content.decode()
    added = {
        "contact": "Kari\r\nkari@example.org",
        "imprint": "<b>Calf Ltd</b>",
        "notice_addition": "On Ola's computer.",
    }
    assert office.post("/house/", {"name": "Calf", **added}).status_code == 302
    after = Client().get(reverse("privacy")).content.decode()
    kept = re.compile(r'<article class="card said">.*?</article>', re.DOTALL)
    assert kept.findall(after) == kept.findall(before)
    assert "On Ola&#x27;s computer." in after
    assert "<p>Kari<br>kari@example.org</p>" in after
    assert 'href="/imprint/"' in Client().get("/").content.decode()
    assert "&lt;b&gt;Calf Ltd&lt;/b&gt;" in Client().get(reverse("imprint")).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["contact", "imprint", "notice_addition"])
def test_a_text_that_is_too_long_or_hides_signs_is_refused_and_nothing_is_lost(office: Client, name: str) -> None:
    for bad in ("x" * 4001, "left\u202eright"):
        answer = office.post("/house/", {"name": "Calf", name: bad})
        assert answer.status_code == 400
        assert f'id="{name}-error"' in answer.content.decode()
        assert bad[:20] in answer.content.decode()
    assert not House.objects.exclude(name="").exists()


@pytest.mark.django_db
def test_terms_of_the_environment_stand_in_the_notice() -> None:
    with override_settings(KEEP_CHAT_DAYS=1, KEEP_AUDIT_DAYS=0, BACKUP_FOLDER=None, KEEP_GUESTS_DAYS=33):
        page = text(Client().get(reverse("privacy")).content.decode())
    assert "How long 1 day " in page
    assert "what was kept when they were made" not in page
    assert "go after 33 days" in page


@pytest.mark.django_db
@override_settings(PUBLIC_URL="https://calf.example")
def test_mails_and_prints_lead_to_the_imprint_and_the_notice() -> None:
    House.objects.update_or_create(pk=1, defaults={"imprint": "Calf Ltd"})
    house.forget()
    sign_up(browser_of(), email="kari@example.org")
    for address in ("https://calf.example/imprint/", "https://calf.example/privacy/"):
        assert address in mail.outbox[0].body
        assert (
            f"{address}" in re.search(r'<p class="only-print.*?</p>', Client().get("/").content.decode(), re.DOTALL)[0]
        )


@pytest.mark.django_db
def test_own_data_are_read_on_paper_with_the_accounts_password_as_the_file_is() -> None:
    browser = browser_of()
    make_account()
    log_in(browser)
    sent = {"as": "sheet"}
    assert browser.post(reverse("my_data_file"), sent).status_code == 403
    page = browser.post(reverse("my_data_file"), sent | {"password": "drei-wuerfel-im-becher"}).content.decode()
    assert "What the house keeps of Kari Nord" in page
    assert "data-print" in page


@pytest.mark.django_db
def test_the_staff_print_the_sheet_of_somebody_without_a_phone_and_the_audit_says_so(
    office: Client, night: Night
) -> None:
    karl = membership.bring(night, night.host, "Opa Karl")
    page = office.post(ask_path("player", "sheet", karl)).content.decode()
    assert "What the house keeps of Opa Karl" in page
    assert night.name in page
    entry = AuditEntry.objects.order_by("pk").last()
    assert (entry.act, entry.actor_name, entry.subject) == ("player_sheet", "chief", "Opa Karl")
    for stranger in (Client(), browser_of()):
        assert stranger.post(ask_path("player", "sheet", karl)).status_code == 302


@pytest.mark.django_db
def test_a_sheet_has_no_codes_and_its_values_are_read_as_people_read_them(make_player, night: Night) -> None:
    player = make_player("Kari")
    membership.join(night, player)
    with translation.override("de"):
        (nights,) = [part for part in kept_sheet.parts(player) if "nights" in part.said.keys]
        (table,) = nights.tables
        assert table.rows[0][table.head.index("Leitung")] == "nein"
        assert re.fullmatch(r"\d{1,2}\.\d{1,2}\.\d{4},? \d{1,2}:\d{2}", table.rows[0][0])
        assert kept_sheet._text(-3) == "−3"
