"""The scripts' pure modules, tested one by one in the browser: tests/browser/unit/*_modules.js."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, FilePayload, Page, Route, expect

from games.kernel import dice
from games.kernel.dice import chains, dice_check
from games.services.logs import event_texts
from games.web.assets.import_map import import_map
from tests.browser.people import close_context

pytestmark = pytest.mark.browser

UNIT = Path(__file__).parents[1] / "unit"
SITE = "http://unit.test"
ROLLS = int(os.environ.get("CHAIN_ROLLS", "500"))
"""Throws that Python and the browser compare; `CHAIN_ROLLS=10000` for many."""
DEVICE_LINKS = 8192
PAGE = """<!doctype html><html lang="en"><script type="importmap">%s</script><script>
  window.gettext = (text) => text;
  window.pgettext = (context, text) => text;
  window.ngettext = (one, many, count) => (count === 1 ? one : many);
  window.django = { pluralidx: (count) => (count === 1 ? 0 : 1), sentences: { events: {}, phrases: {}, choices: {} } };
</script>"""
RUN = """async (module) => {
  const faults = [], tests = Object.entries(await import(module)).filter(([name]) => name.startsWith("test"));
  for (const [name, test] of tests) {
    try { await test(); } catch (error) { faults.push(`${name}: ${error.stack}`); }
  }
  return [tests.length, faults];
}"""


def answer(route: Route) -> None:
    """Serve the page, the static files and the tests themselves, without a server."""
    path = route.request.url.removeprefix(SITE)
    if path == "/":
        route.fulfill(content_type="text/html", body=PAGE % json.dumps(import_map()))
        return
    file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else UNIT / Path(path).name
    assert file, path
    route.fulfill(content_type="text/javascript", body=Path(str(file)).read_text(encoding="utf-8"))


@pytest.fixture
def page(chrome: Browser) -> Iterator[Page]:
    """A page of its own that can import every module."""
    context = chrome.new_context(reduced_motion="reduce")
    context.route("**/*", answer)
    page = context.new_page()
    page.goto(f"{SITE}/")
    yield page
    close_context(context)


@pytest.mark.parametrize("name", sorted(path.name for path in UNIT.glob("*_modules.js")))
def test_the_modules_do_what_they_promise(page: Page, name: str) -> None:
    sentences = event_texts.sentences_of(name.removesuffix("_modules.js"))
    page.evaluate("(sentences) => Object.assign(django, { sentences })", sentences)
    count, faults = page.evaluate(RUN, f"/unit/{name}")
    assert count > 4
    assert faults == []


def roll_file(rolls: int) -> list[str]:
    """Return the lines of a roll file of a finished table, with throws of one to three dice."""
    seed, numbers = dice.new_seed(), ["Ada's", "=1,2", ""]
    fair = dice.FairDice(seed, dice.salt_of(numbers))
    sealed = ".".join(number.encode().hex() for number in numbers)
    proof = f"commitment={dice.commitment(seed)} salt={dice.salt_of(numbers)} numbers={sealed} seed={seed}"
    lines = ["time,table,roller,kind,level,faces,proof", f"now,t,house,seal,sealed,,{proof}"]
    for number in range(rolls):
        first, faces = fair.drawn, fair.roll(1 + number % 3)
        lines.append(f'now,t,"Ada, ""B""",roll,sealed,{" ".join(map(str, faces))},first={first}')
    return lines


def test_python_and_the_browser_find_the_same_in_ten_thousand_rolls(page: Page) -> None:
    honest = roll_file(10_000)
    at = next(i for i, line in enumerate(honest) if ",sealed,6," in line)
    changed = [*honest[:at], honest[at].replace(",sealed,6,", ",sealed,5,"), *honest[at + 1 :]]
    other_seed = [honest[0], honest[1].replace("seed=", "seed=00"), *honest[2:40]]
    for lines, is_right in ((honest, True), (changed, False), (other_seed, False)):
        text = "\n".join(lines) + "\n"
        found = dice_check.check(csv.DictReader(io.StringIO(text)))["t"]
        told = page.evaluate("async (text) => (await import('games/dice/roll_file.js')).check(text).get('t')", text)
        assert (told["rolls"], len(told["faults"])) == (found.rolls, len(found.faults))
        assert (found.rolls, found.faults == []) == (len(lines) - 2, is_right)


def chain_file(rolls: int) -> list[str]:
    """Return the lines of a roll file of a table with chains: throws of every level, of one to three dice."""
    seed, secrets = bytes(range(32)), {0: b"a" * 32, 1: b"b" * 32}
    indexes = dict.fromkeys(secrets, 0)
    tips = [f"now,t,Ada,tip,pnd1,,seat={seat} tip={seat_link(one, 0)}" for seat, one in secrets.items()]
    lines = ["time,table,roller,kind,level,faces,proof", *seals(rolls), *tips]
    for k in range(1, rolls + 1):
        level, seats = (("A", (0, 1)), ("B", (1,)), ("B2", (0,)), ("C", ()))[k % 4]
        links = {}
        for seat in seats:
            indexes[seat] += 1
            links[str(seat)] = seat_link(secrets[seat], indexes[seat])
        throw = chains.Throw(k, level, 1 + k % 3, "0a" * 32, chains.server_link(seed, k).hex(), links)
        faces = " ".join(map(str, islice(throw.faces("t"), throw.n)))
        given = ".".join(f"{seat}:{link}" for seat, link in links.items())
        proof = f"k={k} n={throw.n} at=0 seat=1 ctx={throw.ctx} server={throw.server}" + (
            f" links={given}" if given else ""
        )
        lines.append(f"now,t,Ada,roll,{level},{faces},{proof}")
    return lines


def seals(rolls: int) -> list[str]:
    """Return the rows that commit the house's chains."""
    begun = {chains.FIRST_CHAIN.at(k) for k in range(1, rolls + 1)}
    told = [
        (chains.commitment(bytes(range(32)), each.number).hex(), each.first)
        for each in sorted(begun, key=lambda chain: chain.number)
    ]
    return [f"now,t,house,seal,pnd1,,commitment={tip} first={first} length=4096" for tip, first in told]


def seat_link(secret: bytes, index: int) -> str:
    return chains.link_of(chains.SEAT, secret, DEVICE_LINKS, index).hex()


def test_python_and_the_browser_find_the_same_in_rolls_of_every_level(page: Page) -> None:
    honest = chain_file(ROLLS)
    at = next(i for i, line in enumerate(honest) if ",A,6" in line)
    changed = [*honest[:at], honest[at].replace(",A,6", ",A,5"), *honest[at + 1 :]]
    other_house = [line.replace("server=", "server=00", 1) if i == at else line for i, line in enumerate(honest)]
    claimed = [line.replace(",B,", ",A,", 1) for line in honest]
    for lines, is_right in ((honest, True), (changed, False), (other_house, False), (claimed, False)):
        text = "\n".join(lines) + "\n"
        found = dice_check.check(csv.DictReader(io.StringIO(text)))["t"]
        told = page.evaluate("async (text) => (await import('games/dice/roll_file.js')).check(text).get('t')", text)
        assert told["rolls"] == found.rolls == ROLLS
        assert (found.faults == []) == (told["faults"] == []) == is_right, (found.faults[:3], told["faults"][:3])


LOGS = sorted(Path("tests").glob("ch*/logs/*.json"))
TOLD = """async (all) => {
  const { facesIn } = await import("games/dice/record.js");
  return all.map((events) => facesIn(events));
}"""


def test_a_device_reads_every_die_that_a_game_tells_of(page: Page) -> None:
    entries = [entry for path in LOGS for kept in json.loads(path.read_bytes()) for entry in kept["entries"]]
    told = page.evaluate(TOLD, [entry["events"] for entry in entries])
    typed = [any(event["data"].get("typed") for event in entry["events"]) for entry in entries]
    assert sum(map(len, told)) > 1000
    for entry, faces, is_typed in zip(entries, told, typed, strict=True):
        assert is_typed or sorted(faces) == sorted(entry["dice"]), entry["events"]


CHECK_FORM = """<input type="file" id="roll-file"><div id="roll-verdict" data-none="none" data-wrong="wrong:"
  data-same="same %(rolls)s" data-sealed="sealed %(tables)s" data-typed="typed %(rolls)s"></div>"""


def test_a_roll_file_is_checked_on_the_page_without_the_network(page: Page) -> None:
    lines = [*roll_file(3), "now,t,Ada,roll,typed,6 6,", "now,u,Ada,roll,sealed,6 6,"]
    page.evaluate("(html) => { document.body.innerHTML = html; }", CHECK_FORM)
    page.evaluate("() => import('/static/games/pages/roll_check.js')")
    page.context.set_offline(True)
    for text, told in (("\n".join(lines), "same 3sealed 1typed 1"), ("Hello.", "none")):
        file = {"name": "rolls.csv", "mimeType": "text/csv", "buffer": text.encode()}
        page.set_input_files("#roll-file", [FilePayload(**file)])
        expect(page.locator("#roll-verdict")).to_have_text(told)


def test_a_failing_claim_is_told(page: Page) -> None:
    module = "data:text/javascript,export function testWrong() { throw new Error('no') }"
    count, faults = page.evaluate(RUN, module)
    assert count == 1
    assert "testWrong: Error: no" in faults[0]
