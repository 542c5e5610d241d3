"""A spreadsheet by tapping, on a phone, in German: forty rows with two unknown names, and undone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.calendar.test_every_week import check_page
from tests.browser.pages.test_accounts import PASSWORD, send
from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
