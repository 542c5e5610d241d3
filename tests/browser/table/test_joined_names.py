"""Modules of one file share a scope: a name of the browser's that one declares would be another's, too."""

from __future__ import annotations

from playwright.sync_api import Browser

from games.web.assets import joined_modules
from tests.server import Server


def test_no_module_declares_a_name_that_others_know_from_the_browser(chrome: Browser, server: Server) -> None:
    owners = {name: module for join in joined_modules.all_joins() for module in join.modules
              for name in joined_modules.declared_by(module)}  # fmt: skip
    page = chrome.new_page()
    page.goto(server.url)  # a secure context, where the browser has all its names
    known = page.evaluate("names => names.filter((name) => name in window)", [*owners, "fetch", "name"])
    page.close()
    assert {name: owners.get(name) for name in known} == {"fetch": None, "name": None}
