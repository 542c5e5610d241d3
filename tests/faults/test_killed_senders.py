"""kill -9 of a process that sends mails and messages to webhooks: nothing is lost, and what comes twice says so."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.conf import LazySettings

from games.services import deliveries
from tests import seeds
from tests.faults.houses.houses import House
from tests.mails import conftest as mail_conftest
from tests.webhooks import conftest as webhook_conftest

pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]
mail_server, hook_server = mail_conftest.server, webhook_conftest.server
READERS, KILLS = 4, 8
AFTER_A_LOSS = deliveries.LOST + timedelta(seconds=1)


@pytest.fixture
def house(
    mail_server: mail_conftest.Server, settings: LazySettings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """A house with a mail server, without a server process."""
    mail = {"EMAIL_URL": f"smtp://127.0.0.1:{settings.EMAIL_PORT}", "EMAIL_FROM": "pub@house.example"}
    found = House(tmp_path_factory.mktemp("house"), 1, **mail)
    found.servers[0].migrate()
    yield found
    found.close()


class Sender:
    """Sends what is due, again and again, ten minutes after each kill."""

    def __init__(self, house: House, kind: str, port: int = 0, readers: int = READERS) -> None:
        self.house, self.kind, self.port = house, kind, port
        self.now = datetime.fromisoformat(house.world("club", readers))

    def send(self, end: str = "", number: int = 0) -> bool:
        """Do the task once; tell whether its process was killed."""
        is_killed: bool = self.house.world("send", self.kind, self.now.isoformat(), self.port, end, number)
        self.now += AFTER_A_LOSS
        return is_killed

    @property
    def rows(self) -> list[list[object]]:
        """How each row ended, and how often it was lost."""
        found: list[list[object]] = self.house.world("deliveries")[self.kind]
        return found


def test_a_mail_claimed_and_not_handed_over_is_sent_once_and_no_reader_misses_one(
    house: House, mail_server: mail_conftest.Server
) -> None:
    sender = Sender(house, "mails")
    assert sender.send("before")
    assert mail_server.got == []
    assert [row for row in sender.rows if row != ["", 0]] == []
    assert not sender.send()
    assert mail_server.addressees == [f"r{number}@example.org" for number in range(READERS)]
    assert sender.rows == [["sent", 1], *[["sent", 0]] * (READERS - 1)]
    assert not sender.send()
    assert len(mail_server.got) == READERS


def test_a_mail_handed_over_and_not_noted_comes_twice_with_the_same_message_id(
    house: House, mail_server: mail_conftest.Server
) -> None:
    sender = Sender(house, "mails")
    assert sender.send("after")
    assert not sender.send()
    first, *others = mail_server.got
    again = [mail for mail in others if mail["To"] == first["To"]]
    assert [mail["Message-ID"] for mail in again] == [first["Message-ID"]]
    assert str(first["Message-ID"]).endswith("@house.example>")
    assert len({mail["Message-ID"] for mail in mail_server.got}) == READERS


def test_over_many_kills_each_mail_arrives_and_all_copies_of_one_have_its_message_id(
    house: House, mail_server: mail_conftest.Server
) -> None:
    rng = random.Random(seeds.day())
    sender = Sender(house, "mails")
    for _ in range(KILLS):
        if not sender.send(rng.choice(["before", "after"]), rng.randrange(READERS)):
            break
    while any(ended == "" for ended, _lost in sender.rows):
        sender.send()
    ids = defaultdict(set)
    for mail in mail_server.got:
        ids[mail["To"]].add(mail["Message-ID"])
    given_up = [row for row in sender.rows if row[0] == "given_up"]
    assert all(lost == deliveries.MOST_LOST for _ended, lost in given_up)
    assert len(ids) + len(given_up) >= READERS
    assert all(len(each) == 1 for each in ids.values())


def test_a_mail_that_kills_each_process_is_given_up_after_three_more_tries(
    house: House, mail_server: mail_conftest.Server
) -> None:
    sender = Sender(house, "mails", readers=1)
    assert [sender.send("before") for _ in range(6)] == [True] * (1 + deliveries.MOST_LOST) + [False] * 2
    assert sender.rows == [["given_up", deliveries.MOST_LOST]]
    assert mail_server.got == []


@pytest.mark.parametrize("end", ["before", "after"])
def test_a_message_to_a_webhook_is_sent_again_with_its_id_in_body_and_header(
    house: House, hook_server: webhook_conftest.Server, end: str
) -> None:
    sender = Sender(house, "webhooks", hook_server.port)
    assert sender.send(end)
    assert len(hook_server.got) == (end == "after")
    assert not sender.send()
    ids = {
        (head["Stammtisch-Id"], message["id"])
        for (_, head, _), message in zip(hook_server.got, hook_server.messages, strict=True)
    }
    ((in_header, in_body),) = ids
    assert in_header == in_body
    assert len(hook_server.got) == 1 + (end == "after")
    assert sender.rows == [["sent", 1]]
