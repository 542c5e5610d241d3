"""The acts of a host, each declared once: its right, arguments, words and lines.

Only data. `hosting/hosting.py` carries out the acts of a night, `tables/host_commands.py` the acts of a table;
pages, the API, the admin, a night's news and the audit take their words from here. The words of a table's own
news (`table.kicked`, …) and of its host's menu are in the browser (static/games: house.js, host.js).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext_lazy as _


class Right(StrEnum):
    """The right needed for an act."""

    HOST = "host"
    MEMBER = "member"
    """Any member that is in at the night, within the limits of the act's service."""
    SEAT = "seat"
    """The player of a seat, for that seat."""


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces of an act: `event` in the night's news, in words, and an entry in the audit.

    `audit` is the entry's name, "" for no entry; `code` its code if that is not `night_<event>`.
    """

    event: str
    news: Any
    audit: Any = ""
    code: str = ""

    @property
    def audit_code(self) -> str:
        """Return the code of the entry in the audit."""
        return self.code or night_code(self.event)


@dataclass(frozen=True, slots=True)
class NightAct:
    """An act at a night: POST night/<id>/do/<name>/.

    `label` is on its button; if `question` is set, it is asked first, with `yes` on the button that confirms.
    `done` is the message to the sender afterwards, "" for none.
    """

    args: tuple[str, ...]
    lines: tuple[Traces, ...]
    label: Any
    question: Any = ""
    yes: Any = ""
    done: Any = ""
    right: Right = Right.HOST


@dataclass(frozen=True, slots=True)
class TableAct:
    """A command `table.…` (docs/protocol.md §6); `audit` as in `Traces`, `may` are optional arguments.

    `settles`: it ends a table, or makes or takes back a result; a host who has just taken over may not.
    """

    args: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    audit: Any = ""
    right: Right = Right.HOST
    settles: bool = False


def night_code(event: str) -> str:
    """Return the audit code of a night's event."""
    return f"night_{event}"


def table_code(name: str) -> str:
    """Return the audit code of a table's command."""
    return name.replace(".", "_")


_HANDED_OVER = Traces("host_changed", _("%(name)s is the host now."), _("handed the night over"))

NIGHT: Mapping[str, NightAct] = {
    "lock": NightAct(
        (),
        (Traces("locked", _("The night was locked: nobody new comes in."), _("locked the night")),),
        label=_("Lock the night"),
        done=_("The night is locked."),
    ),
    "unlock": NightAct(
        (),
        (Traces("unlocked", _("The night is open again."), _("opened the night again")),),
        label=_("Unlock"),
        done=_("The night is open again."),
    ),
    "rotate": NightAct(
        (),
        (
            Traces(
                "code_rotated",
                _("There is a new room code; the old one opens nothing any more."),
                _("made a new room code"),
            ),
        ),
        label=_("New room code"),
        done=_("There is a new room code. Old links and codes open nothing any more."),
    ),
    "admission": NightAct(
        ("by_hand", "cap"),
        (Traces("admission_changed", _("The host changed who may come in."), _("changed who may come in")),),
        label=_("Who may come in"),
        yes=_("Save"),
        done=_("Saved."),
    ),
    "wifi": NightAct(
        ("wifi_name", "wifi_password"),
        (Traces("wifi_changed", _("The host said which Wi-Fi phones can use.")),),
        label=_("Wi-Fi for guests"),
        yes=_("Save"),
        done=_("Saved."),
    ),
    "phone_address": NightAct(
        ("phone_address",),
        (Traces("phone_address_changed", _("The host said to which address phones go.")),),
        label=_("Address for phones"),
        yes=_("Save"),
        done=_("Saved."),
    ),
    "admit": NightAct(("player",), (Traces("joined", _("%(name)s joined.")),), label=_("Let in")),
    "remove": NightAct(
        ("player",),
        (Traces("kicked", _("%(name)s was shown the door."), _("showed somebody the door")),),
        label=_("Show the door"),
        question=_("%(name)s leaves the night and every seat, and can't come in again unless you let them."),
        yes=_("Yes, show the door"),
    ),
    "readmit": NightAct(
        ("player",),
        (
            Traces(
                "readmitted",
                _("%(name)s was let in again."),
                _("let somebody in again who had been shown the door"),
            ),
        ),
        label=_("Let in again"),
    ),
    "mute": NightAct(
        ("player",),
        (Traces("muted", _("%(name)s was muted in the chat."), _("muted somebody in the chat")),),
        label=_("Mute in the chat"),
    ),
    "unmute": NightAct(
        ("player",),
        (Traces("unmuted", _("%(name)s may chat again."), _("let somebody chat again")),),
        label=_("Let them chat again"),
    ),
    "remove_newcomers": NightAct(
        ("since",),
        (
            Traces(
                "newcomers_removed",
                _("People without a seat were shown the door: %(count)s."),
                _("showed newcomers without a seat the door"),
            ),
        ),
        label=_("Show newcomers the door"),
        question=_(
            "Everybody without a seat who came since then leaves the night, and can't come in again tonight; who waits "
            "at the door, too. Make a new room code as well if strangers have the old one."
        ),
        yes=_("Yes, show them the door"),
        done=_("They are gone."),
    ),
    "give_host": NightAct(
        ("player",),
        (_HANDED_OVER,),
        label=_("Make host"),
        question=_("%(name)s hosts the night from then on, and only %(name)s can hand it back."),
        yes=_("Yes, make host"),
        done=_("You have handed the night over."),
    ),
    "approve_move": NightAct(
        ("player", "number"),
        (
            Traces(
                "move_approved",
                _("The host approved it: %(name)s goes on, on another phone."),
                _("let a guest go on, on another phone"),
            ),
            Traces(
                "move_agreed",
                _("A host approved another phone of %(name)s; hosts of other nights are asked, too."),
                _("approved a guest's other phone, with other hosts to be asked"),
            ),
        ),
        label=_("Approve for %(name)s"),
    ),
    "refuse_move": NightAct(
        ("player",),
        (Traces("move_refused", _("%(name)s does not go on, on another phone: that was refused.")),),
        label=_("No"),
        done=_("Refused: nobody else goes on under this name."),
    ),
    "claim_confirm": NightAct(
        ("claim",),
        (
            Traces(
                "claim_confirmed",
                _("The host confirmed it: %(name)s and %(by)s are one person."),
                _("confirmed a history"),
                "claim_confirmed",
            ),
            Traces(
                "claim_agreed",
                _("A host confirmed that %(by)s was %(name)s; hosts of other nights are asked, too."),
                _("confirmed a history, with other hosts to be asked"),
                "claim_agreed",
            ),
        ),
        label=_("Yes, I saw it"),
    ),
    "claim_refuse": NightAct(
        ("claim",),
        (
            Traces(
                "claim_refused",
                _("The host did not confirm that %(by)s was %(name)s."),
                _("refused a history"),
                "claim_refused",
            ),
        ),
        label=_("No"),
        done=_("Refused: nothing was joined."),
    ),
    "take_over": NightAct(
        (),
        (_HANDED_OVER,),
        label=_("Take over as host"),
        done=_("You are the host now."),
        right=Right.MEMBER,
    ),
    "reclaim": NightAct(
        (),
        (Traces("host_reclaimed", _("%(name)s is the host again."), _("took the night back as its host")),),
        label=_("Take the night back"),
        done=_("You are the host again."),
        right=Right.MEMBER,
    ),
    "share": NightAct(
        (),
        (
            Traces(
                "shared",
                _("The results are open to outsiders, by a link."),
                _("opened the results of a night to outsiders"),
            ),
        ),
        label=_("Open a link"),
        done=_("Whoever has the link reads the results."),
    ),
    "unshare": NightAct(
        (),
        (
            Traces(
                "unshared",
                _("The results are not open to outsiders any more."),
                _("closed the results of a night to outsiders"),
            ),
        ),
        label=_("Close the link"),
        done=_("The link is closed: it shows nothing any more."),
    ),
    "renew_share": NightAct(
        (),
        (
            Traces(
                "share_renewed",
                _("The link of the results for outsiders was renewed."),
                _("renewed the link of a night's results for outsiders"),
            ),
        ),
        label=_("Give it another address"),
        done=_("The link is a new one; the old one shows nothing any more."),
    ),
    "close": NightAct(
        (),
        (Traces("closed", _("The night was closed."), _("closed the night")),),
        label=_("Close the night"),
        question=_(
            "The code opens nothing any more, and a game that is still being played is broken off without a "
            "result. This can't be undone."
        ),
        yes=_("Yes, close the night"),
        done=_("The night is closed. Good night!"),
    ),
}

TABLE: Mapping[str, TableAct] = {
    "table.join": TableAct(may=("adult", "bot", "player"), right=Right.MEMBER),
    "table.scorekeeper": TableAct(("player",), audit=_("named a scorekeeper")),
    "table.accept": TableAct(may=("adult",), right=Right.SEAT),
    "table.dice_tip": TableAct(("tip",), right=Right.SEAT),
    "table.leave": TableAct(right=Right.SEAT),
    "table.pause": TableAct(may=("host_away",)),
    "table.resume": TableAct(),
    "table.kick": TableAct(("seat", "sitter"), audit=_("took somebody off a seat")),
    "table.move": TableAct(("seat", "sitter"), audit=_("sent somebody to another table")),
    "table.substitute": TableAct(
        ("seat", "sitter"), ("adult", "bot", "player"), audit=_("gave a seat to somebody else")
    ),
    "table.forfeit": TableAct(("seat", "sitter"), audit=_("took a seat out of the game"), settles=True),
    "table.play_on": TableAct(("seat", "sitter")),
    "table.close": TableAct(audit=_("ended a table with its result"), settles=True),
    "table.close_after": TableAct(("on",), settles=True),
    "table.place": TableAct(("seat", "sitter", "to")),
    "table.take_back": TableAct(("seat", "sitter"), audit=_("took back what was told of a real table"), settles=True),
    "table.state_result": TableAct(("result",), audit=_("stated a result alone"), settles=True),
    "table.end": TableAct(audit=_("broke a table off"), settles=True),
    "table.nudge": TableAct(("seat", "sitter")),
    "table.go_on": TableAct(("k",)),
}
"""In `table.join`, `bot` and `player` are for the host, `player` also for the scorekeeper; others join themselves.

`sitter` is the player that the sender sees on the `seat`, None for a bot and for nobody.
"""


def news() -> dict[str, Any]:
    """Return the sentence of each event that acts write to a night's news."""
    return {line.event: line.news for act in NIGHT.values() for line in act.lines}


def audited() -> dict[str, Any]:
    """Return the name of each act in the audit, by its code."""
    night = {line.audit_code: line.audit for act in NIGHT.values() for line in act.lines if line.audit}
    return night | {table_code(name): act.audit for name, act in TABLE.items() if act.audit}
