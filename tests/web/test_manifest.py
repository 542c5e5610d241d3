"""The house on a home screen: the manifest names icons that are there, in the guest's language."""

import json
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.languages import EVERY

pytestmark = pytest.mark.django_db


def test_the_manifest_is_linked_from_every_page_and_its_icons_have_the_sizes_that_it_says():
    page = Client().get("/").content.decode()
    assert 'rel="manifest" href="/manifest.webmanifest"' in page
    answer = Client().get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    told = json.loads(answer.content)
    assert told["display"] == "standalone" and told["start_url"] == told["scope"] == "/"
    for icon in told["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert struct.unpack(">II", Path(path).read_bytes()[16:24]) == tuple(map(int, icon["sizes"].split("x")))
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}


def test_the_manifest_speaks_the_language_of_its_guest():
    told = [
        json.loads(Client(headers={"accept-language": code}).get("/manifest.webmanifest").content) for code in EVERY
    ]
    assert [each["lang"] for each in told] == list(EVERY)
    assert len({each["description"] for each in told}) == len(EVERY)
