"""Reading pages in tests: browsers of players, and what their HTML holds."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.test import Client
from django.urls import reverse

from games.models import Night, Player, Table

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "path", "rect", "circle", "use"}


def browser_of(player: Player | None = None, **kwargs: object) -> Client:
    """Return a browser, of a player if one is given."""
    client = Client(**kwargs)
    if player is not None:
        session = client.session
        session["player_id"] = player.pk
        session.save()
    return client


@dataclass
class Tag:
    """A start tag with its attributes and the text inside up to the next tag."""

    name: str
    attrs: dict[str, str]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """All tags of a page in order."""

    tags: list[Tag] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag."""
        self.tags.append(Tag(tag, {k: v or "" for k, v in attrs}))

    def handle_data(self, data: str) -> None:
        """Keep the text after the last tag."""
        if self.tags:
            self.tags[-1].text += data

    def all(self, name: str, /, **attrs: str) -> list[Tag]:
        """Return the tags of a name with these attributes (class_ for class)."""
        wanted = {k.rstrip("_").replace("_", "-"): v for k, v in attrs.items()}
        return [t for t in self.tags if t.name == name and all(t.attrs.get(k) == v for k, v in wanted.items())]

    def by_id(self, element_id: str) -> Tag | None:
        """Return the tag with an id."""
        return next((t for t in self.tags if t.attrs.get("id") == element_id), None)


def read(html: str) -> Page:
    """Parse a page."""
    page = Page()
    page.feed(html)
    return page


def join_link(night: Night) -> str:
    """Return the path of a night's join link."""
    return reverse("join_link", args=[night.public_id, night.token("join")])


def night_do(night: Night, act: str) -> str:
    """Return the path of an act at a night."""
    return reverse("night_act", args=[night.public_id, act])


def table_do(table: Table, act: str) -> str:
    """Return the path of an act at a table."""
    return reverse("table_act", args=[table.public_id, act])


def page_of(table: Table) -> str:
    """Return the path of a table's page."""
    return reverse("table", args=[table.public_id])


def night_page(night: Night) -> str:
    """Return the path of a night's page."""
    return reverse("night", args=[night.public_id])
