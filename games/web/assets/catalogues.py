"""JavaScript's texts: gettext and the catalogue of one language, at an address that browsers may keep for ever.

The address of a page's texts names their language and digest (`?v=de.1f3a2b4c`), so a browser loads each version once.
At any other address the texts come in the reader's own language and are not kept. A table on a phone or a laptop
(`?v=de.1f3a2b4c.table`) gets the texts of the modules that show its board; those of the modules that it fetches later
follow (`?v=de.1f3a2b4c.later`, whose address the first know as `django.later`), and those of big screens, study and
other pages do not come at all. What choices and events say comes with them, as `django.sentences`
(games.services.logs.event_texts): with the board only what a view tells.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from typing import Any, cast

from csp.decorators import csp_exempt
from django.apps import apps
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from games import plugin
from games.packing import packed, short_script
from games.services.logs import event_texts
from games.web.assets.joined_modules import modules_of, shows_board, source_of

FOR_EVER = "public, max-age=31536000, immutable"
KIND = 'text/javascript; charset="utf-8"'
ALL, TABLE, LATER = "all", "table", "later"
"""The parts of a catalogue: every text of a game and the house; only a table's page; only what it shows later."""
_ELSEWHERE = re.compile(
    r"^\w+/(pages|dice|replay|study|wood|kit/played)/|^games/kit/actions\.js$"
    r"|/(counting|headlines|evening|entering|seat_strip|stammtisch_table|\w+_wood|wood_\w+)\.js$"
)
"""Modules that a table of a game with an element does not load on a phone or a laptop."""
_SEPARATOR = "\x04"
_UNUSED = re.compile(
    r"^ *django\.(?:interpolate|get_format|npgettext) = function.*?^    };\n"
    r"|^ *globals\.(?:interpolate|get_format|npgettext) = .*?\n",
    re.MULTILINE | re.DOTALL,
)
"""Functions of Django that no module of a table's page calls."""


@csp_exempt()
@require_safe
def jsi18n(request: HttpRequest, game_id: str = "") -> HttpResponse:
    """Return gettext and the house's texts for the browser; with a game, its texts before them."""
    if game_id and game_id not in plugin.all_games():
        raise Http404
    language, mark, part, *_ = [*request.GET.get("v", "").split("."), "", ""]
    part = part if part in (TABLE, LATER) else ALL
    is_kept = language in dict(settings.LANGUAGES) and mark == digest(language, game_id, part)
    found = texts(language if is_kept else translation.get_language(), game_id, part)
    answer = HttpResponse(content_type=KIND)
    answer["Cache-Control"] = FOR_EVER if is_kept else "private, max-age=0"
    # What is kept for ever varies with the encoding alone (games/ops/requests/admin_door.py).
    answer["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        answer["Content-Encoding"] = "gzip"
        found = _packed(found)
    answer.content = found
    return answer


def address(game_id: str = "", part: str = ALL, language: str = "") -> str:
    """Return the address of the house's texts, or of a game's and the house's, in a language, "" for the active one."""
    language = language or translation.get_language()
    args = [game_id] if game_id else []
    of_part = "" if part == ALL else f".{part}"
    return f"{reverse('jsi18n', args=args)}?v={language}.{digest(language, game_id, part)}{of_part}"


def texts(language: str, game_id: str, part: str = ALL) -> bytes:
    """Return the script with a language's texts; made anew each time only with settings.DEBUG."""
    return (_made if settings.DEBUG else _made_once)(language, game_id, part)


class _Texts(JavaScriptCatalog):
    """The texts that differ from their English, without the formats of dates and numbers (`Intl` has them)."""

    sources: str | None = None
    """The modules whose texts are included; None for all texts."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found = super().get_context_data(**kwargs)
        own = {key: text for key, text in found["catalog"].items() if key != text and self._is_wanted(key)}
        return {**found, "catalog": own, "formats": {}}

    def _is_wanted(self, key: str) -> bool:
        """Tell whether the modules contain a text; a text with a context has both in its key, separated."""
        if self.sources is None:
            return True
        return all(json.dumps(part, ensure_ascii=False) in self.sources for part in key.split(_SEPARATOR))


def _made(language: str, game_id: str, part: str) -> bytes:
    labels = [label for label in ("games", game_id) if label]
    names = [apps.get_app_config(label).name for label in labels]
    sources = None if part == ALL else _sources(labels, is_later=part == LATER)
    with translation.override(language):
        page = cast(HttpResponse, _Texts.as_view(packages=names, sources=sources)(_REQUEST))
        sentences = _sentences(game_id, part)
    text = page.content.decode()
    small = short_script(text if part == ALL else _UNUSED.sub("", text))
    rest = f"django.later={json.dumps(address(game_id, LATER, language))};" if part == TABLE else ""
    return f"{small}\n{sentences}{rest}".encode()


def _sentences(game_id: str, part: str) -> str:
    """Return the statement that keeps a part's sentences in the active language."""
    first, later = event_texts.first_and_later(game_id)
    of_part = {ALL: event_texts.sentences_of(game_id), TABLE: first, LATER: later["events"]}[part]
    text = json.dumps(of_part, ensure_ascii=False, separators=(",", ":"))
    return f"Object.assign(django.sentences.events,{text});" if part == LATER else f"django.sentences={text};"


def _sources(labels: list[str], *, is_later: bool) -> str:
    """Return the source of the modules that a table fetches later, or of those that show its board, as one text."""
    every = [name for label in labels for name in modules_of(label)]
    names = [name for name in every if shows_board(name) != is_later]
    return "\n".join(source_of(name) for name in names if not _ELSEWHERE.search(name))


_made_once = cache(_made)
_REQUEST = HttpRequest()
_REQUEST.method = "GET"


def digest(language: str, game_id: str, part: str = ALL) -> str:
    """Return a short digest of a language's texts."""
    return hashlib.sha256(texts(language, game_id, part)).hexdigest()[:8]


@cache
def _packed(content: bytes) -> bytes:
    """Return the compressed texts, which hold no secret."""
    return packed(content)
