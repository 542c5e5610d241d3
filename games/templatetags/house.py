"""Template tags of the house: modules and style sheets, icons, beer mats with people's initials."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime
from functools import cache
from typing import Any

import regex
from django import template
from django.conf import settings
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.templatetags.static import static
from django.utils import timezone, translation
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from games.kernel.contract import TAKEN_BACK
from games.models import STRUCK, Seat
from games.services import form_ids
from games.services.acts import ALL
from games.services.regions import region, written
from games.web import labels
from games.web.assets import catalogues
from games.web.assets.import_map import files_of, has_joins, import_map, style_sheets
from games.web.assets.joined_modules import big_screen_sheets, source_of
from games.web.fragments import CommonContext

register = template.Library()

SEAT_COLOURS = 12
MOST_STROKES = 25
_SYMBOL = re.compile(r'<symbol id="([^"]+)"([^>]*)>(.*?)</symbol>')
WORDS = ("label", "question", "yes")
"""The words that every act may have, on its page and its buttons."""


class KeptNode(template.Node):
    """A part of a page that is the same for everybody, made once in a process, a language and a region."""

    def __init__(self, parts: NodeList, key: FilterExpression) -> None:
        self.parts, self.key = parts, key
        # By key, language and region. Templates, with their nodes, are kept in a process by Django's loader.
        self.made: dict[tuple[str, str | None, str], SafeString] = {}

    def render(self, context: Context) -> SafeString:
        """Return the part as it was made first; made anew each time only with settings.DEBUG."""
        where = str(self.key.resolve(context)), translation.get_language(), region.tag()
        if settings.DEBUG or where not in self.made:
            self.made[where] = self.parts.render(context)
        return self.made[where]


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    """Keep what is between `{% kept game.game_id %}` and `{% endkept %}` as it was made for the first reader.

    It must depend on the key, the language and its region alone: not on the reader, the request or the database.
    """
    _name, key = token.split_contents()
    parts = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(parts, parser.compile_filter(key))


@register.simple_tag(takes_context=True)
def common(context: Context, template: str) -> SafeString:
    """Return a part of a page that is made once for all readers of its `common` context (games/web/fragments.py)."""
    found: CommonContext = context["common"]
    return found.part(template, oob=bool(context.get("oob")))


@register.simple_tag(takes_context=True)
def importmap(context: Context, game_id: str = "") -> SafeString:
    """Return the import map's script element, with the page's nonce: of the house and a game, or of every game.

    Only during development: served modules do without.
    """
    if has_joins():
        return SafeString("")
    # "</" would end the element early: JSON may escape the slash.
    text = json.dumps(import_map(game_id), separators=(",", ":")).replace("</", "<\\/")
    nonce = context["request"].csp_nonce
    return format_html(
        '<script type="importmap" nonce="{}">{}</script>',
        nonce,
        mark_safe(text),  # noqa: S308 (file names of installed apps)
    )


@register.simple_tag
def new_form_id() -> str:
    """Return an id for a form (templates/parts/form_id.html)."""
    return form_ids.new()


@register.simple_tag
def act(thing: str, code: str, word: str, **names: Any) -> SafeString:
    """Return the "label", "question" or "yes" of an act, or one of its `words`, with names filled in.

    `thing` is what the act is about, as in games/services/acts.py.
    """
    found: Any = ALL[thing][code]
    text = getattr(found, word) if word in WORDS else found.words[word]
    # A number stays one: a plural goes by it.
    safe = {key: each if isinstance(each, int) else conditional_escape(each) for key, each in names.items()}
    filled = text % safe if names else text
    return mark_safe(str(filled))  # noqa: S308 (the catalog's own text; names are escaped)


@register.simple_tag
def catalogue(game_id: str = "", part: str = catalogues.ALL) -> str:
    """Return the address of JavaScript's texts in the page's language: all texts, or the part of a "table"."""
    return catalogues.address(game_id, part)


@register.simple_tag
def preloads(*entries: str) -> SafeString:
    """Return links that load all modules that these need at once, not one after another."""
    addresses = [(static(name),) for name in files_of(*entries)]
    return format_html_join("\n", '<link rel="modulepreload" href="{}">', addresses)


@register.simple_tag
def prefetches(game_id: str, *entries: str) -> SafeString:
    """Return links that load in idle time the files that the table will need when the game starts."""
    names = [*files_of(*entries), *style_sheets(game_id)]
    addresses = [*((static(name),) for name in names), (catalogues.address(game_id, catalogues.TABLE),)]
    return format_html_join("\n", '<link rel="prefetch" href="{}">', addresses)


@register.simple_tag
def stylesheets(label: str, is_tv: bool = False) -> SafeString:
    """Return links to the style sheets of a game's tables, on a big screen with what it has for that, or the house's.

    They load in parallel, as @import would not.
    """
    more = big_screen_sheets(label) if is_tv else ()
    addresses = [(static(name),) for name in (*style_sheets(label), *more)]
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', addresses)


@register.filter
def breaks_at_signs(address: str) -> SafeString:
    """Return an address that goes on in a new line before a colon or behind a slash, never within a number or name."""
    parts = re.split(r"(?=:)|(?<=[^/]/)(?=[^/])", address)
    return format_html_join(mark_safe("<wbr>"), "{}", ((part,) for part in parts))


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of the sprite, hidden from screen readers."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("games/icons.svg"),
        name,
    )


@register.simple_tag
def drawn_icon(name: str) -> SafeString:
    """Return an icon of the sprite drawn in the page itself, for a table: it does not wait for the sprite."""
    attrs, shape = _shapes()[name]
    return format_html('<svg class="icon" aria-hidden="true" focusable="false"{}>{}</svg>', attrs, shape)


@cache
def _shapes() -> dict[str, tuple[SafeString, SafeString]]:
    """Return name → attributes and content of each icon of the sprite."""
    found = _SYMBOL.findall(source_of("games/icons.svg"))
    return {name: (mark_safe(attrs), mark_safe(shape)) for name, attrs, shape in found}  # noqa: S308 (our own file)


@register.inclusion_tag("parts/mat.html")
def mat(name: str, number: int, is_bot: bool = False) -> dict[str, Any]:
    """Return the context of a beer mat: a name's initial, in the colour of its number."""
    return {"initial": initial(name), "colour": number % SEAT_COLOURS, "is_bot": is_bot}


def initial(name: str) -> str:
    """Return the first character of a name in upper case (an emoji counts as one); "?" for an empty name."""
    first = regex.match(r"\X", name.strip())
    return first.group().upper() if first else "?"


@register.simple_tag
def when(moment: datetime, form: str) -> SafeString:
    """Return a moment as a "date", "time", "second" (a time with seconds) or "datetime".

    It is shown in the house's zone, a time with the zone's name; static/games/pages/base.js converts it to the
    reader's.
    """
    text = _TEXTS_OF_MOMENTS[form](timezone.localtime(moment))
    return format_html('<time datetime="{}" data-when="{}">{}</time>', moment.isoformat(), form, text)


# A page of a tournament shows a hundred moments: only the form that is asked for is written.
_TEXTS_OF_MOMENTS: dict[str, Callable[[datetime], str]] = {
    "date": written.day,
    "time": lambda local: f"{written.hour(local)} {local.tzname()}",
    "second": lambda local: f"{written.hour(local, 'medium')} {local.tzname()}",
    "datetime": lambda local: f"{written.moment(local)} {local.tzname()}",
}


@register.simple_tag
def day(found: date) -> SafeString:
    """Return a day as the region writes it."""
    return format_html('<time datetime="{}">{}</time>', found.isoformat(), written.day(found))


register.filter("as_day", written.day, expects_localtime=True)
register.filter("as_hour", written.hour, expects_localtime=True)
register.filter("in_percent", written.percent)
register.filter("labelled", written.labelled)
register.filter("names", written.names)
register.filter("rounded", written.rounded)
register.filter("short", written.short)
register.filter("minus", labels.minus)
register.filter("signed", labels.signed)
register.filter("spelled", labels.spelled)


@register.filter
def bot_free(name: str) -> str:
    """Return a name without the robot sign at its end: the page marks bots in another way."""
    return name.removesuffix(" 🤖")


@register.simple_tag
def weekday(found: date) -> SafeString:
    """Return a day with its weekday, as `day` does."""
    return format_html('<time datetime="{}">{}</time>', found.isoformat(), written.day(found, "full"))


@register.filter
def reason(text: str) -> str:
    """Return the reason of a correction; one that was struck, or that is the house's, in the reader's language."""
    return translation.gettext(text) if text in (STRUCK, TAKEN_BACK) else text


@register.filter
def sitter(seat: Seat) -> str:
    """Return the name on a seat without the robot sign; a deleted player's is a translated placeholder."""
    if seat.player is not None and seat.player.deleted_at is not None:
        return seat.player.displayed_name
    return bot_free(seat.name)


@register.inclusion_tag("history/parts/tally.html")
def tally(number: int) -> dict[str, Any]:
    """Return a number as strokes in groups of five, as on a beer mat; above 25 only as a number."""
    fives, ones = divmod(number, 5) if 0 <= number <= MOST_STROKES else (0, 0)
    return {"number": number, "fives": range(fives), "ones": range(ones)}
