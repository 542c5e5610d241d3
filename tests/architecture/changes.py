"""The changes that docs/changing-things.md tells how to make, each planted whole: file by file, in the page's order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.architecture.sources import text_of

Edit = Callable[[str], str]
"""A file's text before ("" for a new file) → after."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change by the heading of its recipe: its files in order, each with what is written there."""

    heading: str
    edits: dict[str, Edit]


def _put(text: str, before: str, added: str) -> str:
    """Return a text with something put before its first `before`."""
    assert before in text, before
    return text.replace(before, added + before, 1)


def put(before: str, added: str) -> Edit:
    """Return the edit that puts something before a text."""
    return partial(_put, before=before, added=added)


def end(added: str) -> Edit:
    """Return the edit that writes something at the end of a file, or a new file."""
    return lambda text: text + added


def swap(old: str, new: str) -> Edit:
    """Return the edit that changes a text to another one."""

    def edit(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return edit


def all_of(*edits: Edit) -> Edit:
    """Return several edits of a file as one."""

    def edit(text: str) -> str:
        for each in edits:
            text = each(text)
        return text

    return edit


def of_german(path: str, *changed: tuple[str, str]) -> Edit:
    """Return the edit that writes a catalogue as the German one, with some texts changed."""

    def edit(_text: str) -> str:
        text = text_of(Path(path)).replace('"Language: de', '"Language: sv', 1)
        for old, new in changed:
            assert old in text, old
            text = text.replace(old, new, 1)
        return text

    return edit


ACT = Change(
    "An act",
    {
        "games/services/seasons/entrants.py": all_of(swap("import Moment, ", "import Moment, Short, "), end('''

@ACTS.act(
    "greet",
    SeasonRight.ORGANISER,
    LogLine("greeted", _("An organiser greets everybody: %(words)s")),
    done=_("Everybody is greeted."),
    label=_("Greet everybody"),
)
def greet(season: Season, by: Player, words: Short) -> None:
    """Greet everybody in the log of a season; raises Illegal `not_organiser`."""
    season_log.note(season, "greeted", by, words=words)
''')),
        "templates/seasons/parts/organiser.html": end('''
<form method="post" action="{% url 'season_act' season.public_id 'greet' %}">{% csrf_token %}<input name="words"
  aria-label="{% act "season" "greet" "label" %}"><button>{% act "season" "greet" "label" %}</button></form>
'''),
        "tests/security/roles/roles_pages.txt": end(
            "POST season_act/greet" + " " * 23 + "403       " * 5 + "302       " + "403       " * 3 + "403\n"
        ),
    },
)  # fmt: skip

RULE = Change(
    "A rule of a season",
    {
        "games/kernel/seasons/rules.py": put(
            "    ties: tuple[Tie, ...] = ()\n", "    welcome: int = 0\n"
        ),
        "games/kernel/seasons/choosing.py": swap(
            "    pick = min if rules.fewer_first", "    total += rules.welcome\n    pick = min if rules.fewer_first"
        ),
        "games/kernel/seasons/reading.py": put('    "ties": lambda', '    "welcome": _count,\n'),
        "games/kernel/seasons/options.py": all_of(
            put(
                '    ChoiceOption(\n        id="who",',
                '    IntOption(id="welcome", label=_("Points for coming at all"), default=0, low=0, high=9,'
                ' group=_NIGHTS, card=_("Whoever came has {value} points more.")),\n',
            ),
            put("        ties=_ties(values),\n", '        welcome=values["welcome"],\n'),
        ),
    },
)  # fmt: skip

COLUMN = Change(
    "A column of a standing",
    {
        "games/kernel/seasons/standing.py": all_of(
            swap("    worths: Mapping[str, Number]\n", "    worths: Mapping[str, Number]\n    games: Number\n"),
            swap(
                "for index in record.attended},\n    )",
                "for index in record.attended},\n"
                "        sum(nights[index].attended[record.player].games for index in record.attended),\n    )",
            ),
        ),
        "games/services/seasons/frozen.py": swap(
            "    struck: tuple[str, ...]\n", "    struck: tuple[str, ...]\n    games: int = 0\n"
        ),
        "games/services/seasons/standings.py": swap(
            "            place.struck,\n", "            place.struck,\n            int(place.games),\n"
        ),
        "games/services/seasons/standing_columns.py": swap(
            "COLUMNS: list[StandingColumn] = [TOTAL, NIGHTS]",
            "SHOWN = ~Shown.PLACES\n"
            'GAMES = StandingColumn("games", _("Games"), lambda row: row.games, SHOWN, "{} games".format, True)\n'
            "COLUMNS: list[StandingColumn] = [TOTAL, NIGHTS, GAMES]",
        ),
    },
)

PAGE = Change(
    "A page",
    {
        "games/web/seasons/making.py": end('''

@require_http_methods(["GET", "HEAD"])
@pages_refusals
def old(request: HttpRequest) -> HttpResponse:
    """List the closed seasons that concern the player."""
    found = seasons.seasons_of(need_player(request)).exclude(status=Season.Status.OPEN)
    return render(request, "seasons/old.html", {"seasons": found})
'''),
        "templates/seasons/old.html": end("""{% extends "base.html" %}{% load i18n %}
{% block title %}{% translate "Old seasons" %}{% endblock %}
{% block content %}<h1>{% translate "Old seasons" %}</h1><ul>{% for each in seasons %}<li>{{ each.name }}</li>
{% endfor %}</ul>{% endblock %}
"""),
        "games/urls.py": put('    path("seasons/new/"', '    path("seasons/old/", making.old, name="seasons_old"),\n'),
        "tests/security/roles/roles_pages.txt": put(
            "GET season_new ",
            "GET seasons_old" + " " * 29 + "403       " * 2 + "200       " * 6 + "403       " + "200\n",
        ),
    },
)

MAIL = Change(
    "A mail",
    {
        "games/models/mail.py": swap('PLACE = "place"\n', 'PLACE = "place"\n        OPENED = "opened"\n'),
        "games/migrations/0099_mail_of_an_opening.py": end('''from django.db import migrations, models

KINDS = [(each, each.capitalize()) for each in ("reminder", "change", "place", "opened", "season")]


class Migration(migrations.Migration):
    dependencies = [("games", "LATEST")]
    operations = [
        migrations.AlterField(model_name="mail", name="kind", field=models.CharField(choices=KINDS, max_length=8))
    ]
'''),
        "games/services/mails/outbox.py": put(
            "def forget_old(",
            '''def tell_opened(date: SeriesDate, night: Night) -> int:
    """Put the mails that tell of the open night of a date to those who said yes; return their number."""
    told = date.answers.filter(says=Answer.Says.YES, player__isnull=False)
    return put(date, Mail.Kind.OPENED, told.values_list("player", flat=True))


'''),
        "games/services/room_order.py": swap(
            "dates.OPENED.follow(", "dates.OPENED.follow(mail_outbox.tell_opened, "
        ),
        "games/services/mails/sending.py": put(
            "    if row.kind == Mail.Kind.PLACE:",
            '''    if row.kind == Mail.Kind.OPENED:
        return now < date.ends_at
'''),
        "games/services/mails/texts.py": put(
            "    if row.kind == Mail.Kind.PLACE:",
            '''    if row.kind == Mail.Kind.OPENED:
        return _("%(series)s: the night is open") % names
'''),
        "templates/mails/date.txt": put(
            '{% elif kind == "place" %}', '{% elif kind == "opened" %}{% translate "Come in." %}\n'
        ),
    },
)  # fmt: skip

HOUSE_RULE = Change(
    "A house rule",
    {
        "chicago/rules/options/declaration.py": put(
            '    BoolOption(\n        id="turn_laid_six",',
            '    BoolOption(id="hurry", label=_("In a hurry"), default=False, group=TURN,'
            ' on=_("Everybody decides within ten seconds.")),\n',
        ),
        "chicago/rules/choices.py": all_of(
            swap(
                '    seconds = state.options["turn_seconds"] or None\n',
                '    seconds = 10 if rule(state.options, "hurry") else state.options["turn_seconds"] or None\n',
            ),
            put("from chicago.rules.state import", "from chicago.rules.state import rule\n"),
        ),
        "docs/rules-chicago.md": end("\nIn a hurry everybody decides within ten seconds.\n"),
    },
)

BOT = Change(
    "A bot",
    {
        "chicago/bots.py": all_of(
            swap('MISJUDGED = {"easy"', 'MISJUDGED = {"dozing": 0.9, "easy"'),
            swap('AMONG_FORFEITS = {"easy"', 'AMONG_FORFEITS = {"dozing": 2.0, "easy"'),
            swap('MISCOUNTED = {"easy"', 'MISCOUNTED = {"dozing": 9.0, "easy"'),
        ),
        "chicago/apps.py": swap('bot_levels = {"easy"', 'bot_levels = {"dozing": _("Dozing"), "easy"'),
    },
)

LANGUAGE = Change(
    "A language",
    {
        "games/settings.py": swap('("nb", _("Norwegian")),', '("nb", _("Norwegian")), ("sv", _("Swedish")),'),
        "games/locale/sv/LC_MESSAGES/django.po": of_german(
            "games/locale/de/LC_MESSAGES/django.po",
            ('msgid "New season"\nmsgstr "', 'msgid "New season"\nmsgstr "Ny: '),
        ),
        "games/locale/sv/LC_MESSAGES/djangojs.po": of_german("games/locale/de/LC_MESSAGES/djangojs.po"),
    },
)

CHANGES = (ACT, RULE, COLUMN, PAGE, MAIL, HOUSE_RULE, BOT, LANGUAGE)
