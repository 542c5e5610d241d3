"""Pages of house rules in tests: addresses, and what their form sends."""

from django.urls import reverse

from tests.house_rules.test_form import posted

GAME = "dummygame"


def at(name, rules, *args):
    return reverse(name, args=[rules.public_id, *args])


def html(answer):
    return answer.content.decode()


def filled(name="Pub", preset="quick", version=0, hosts_may="change", **changes):
    """Return what the form of a set sends."""
    heads = {"name": name, "version": version, "hosts_may": hosts_may}
    return posted(GAME, preset, **changes) | heads
