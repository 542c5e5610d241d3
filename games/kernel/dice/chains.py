"""The dice of PND-1: hash chains of the server and of the seats' devices; each throw uses one link of each.

A chain begins with a secret. Each link is the hash of the next one, and link 0 is published first: the
server's as its commitment, a device's as its tip. The other links are given one by one, and hashing shows
that each belongs to the published chain. The dice of throw `k` follow from the server's link for `k` and the
devices' links for it, so they cannot be foreseen without all of these. See docs/fair-dice.md.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count, islice

from games.kernel.codec import codec
from games.kernel.data.records import record
from games.kernel.dice import FAIR_BYTES, SIDES
from games.kernel.options.kinds import BoolOption, Needs
from games.kernel.text import gettext_noop as _

SERVER, SEAT, ENTRY = "server", "seat", "entry"
"""Tags of hashes: a link of the server, a link of a seat's device, an entry of the log."""
SERVER_LENGTH = 4096
"""The number of links in a chain of the server, without link 0."""
SEAT_LENGTH = 1024
"""The number of links in a chain of a device, without link 0."""
_BLOCK = 64
WAITS = "dice_wait"
"""The id of the house rule by which throws wait for the devices that have a part."""


def wait_option(group: str, needs: Needs | None = None) -> BoolOption:
    """Return the house rule `WAITS` for a game's declaration."""
    return BoolOption(
        id=WAITS,
        label=_("Throws wait for the phones"),
        default=False,
        group=group,
        needs=needs,
        help=_("Otherwise a throw goes on without a phone that is silent, and says so."),
        on=_("A throw waits for the phones that have a part in it; the host may let it go on without them."),
    )


def tagged(tag: str, content: bytes) -> bytes:
    """Return the hash H of the protocol: 32 bytes."""
    return hashlib.sha256(b"pnd1/" + tag.encode() + b"\0" + content).digest()


def back(tag: str, link: bytes, steps: int) -> bytes:
    """Return the link `steps` steps before another one."""
    for _step in range(steps):
        link = tagged(tag, link)
    return link


def link_of(tag: str, secret: bytes, length: int, index: int) -> bytes:
    """Return link `index` (0 to `length`) of the chain that ends with `secret`; raises ValueError for another index."""
    if not 0 <= index <= length:
        raise ValueError(f"a chain of {length} links has none with number {index}")
    to_end = length - index
    return _block(tag, secret, length, to_end // _BLOCK)[to_end % _BLOCK]


@lru_cache(maxsize=256)
def _block(tag: str, secret: bytes, length: int, number: int) -> tuple[bytes, ...]:
    """Return the links from one checkpoint to the next; cached because consecutive throws use consecutive links."""
    found = [_checkpoints(tag, secret, length)[number]]
    for _step in range(_BLOCK - 1):
        found.append(tagged(tag, found[-1]))
    return tuple(found)


@lru_cache(maxsize=1024)
def _checkpoints(tag: str, secret: bytes, length: int) -> tuple[bytes, ...]:
    """Return every 64th link, counted from the end."""
    found = [secret]
    for _step in range(length // _BLOCK):
        found.append(back(tag, found[-1], _BLOCK))
    return tuple(found)


def is_next(tag: str, link: bytes, last: bytes) -> bool:
    """Tell whether a link follows `last` in a chain."""
    return tagged(tag, link) == last


@record(frozen=True, slots=True)
class ServerChain:
    """The server's chain number `number` (from 0) of a table, whose first link is for throw `first`.

    The next chain follows at its end, or earlier, where the links that are left must not be shown.
    """

    number: int = 0
    first: int = 1

    def at(self, k: int) -> ServerChain:
        """Return the chain for throw `k`: this one, or one that follows at its end."""
        further = (k - self.first) // SERVER_LENGTH
        return ServerChain(self.number + further, self.first + further * SERVER_LENGTH)

    def next_from(self, first: int) -> ServerChain:
        """Return the next chain, if it begins with throw `first`."""
        return ServerChain(self.number + 1, first)


FIRST_CHAIN = ServerChain()


def server_link(seed: bytes, k: int, begun: ServerChain = FIRST_CHAIN) -> bytes:
    """Return the server's link for throw `k` (from 1) of the table with a secret seed; `begun` as `ServerChain.at`."""
    chain = begun.at(k)
    return link_of(SERVER, _server_secret(seed, chain.number), SERVER_LENGTH, k - chain.first + 1)


@lru_cache(maxsize=4096)
def commitment(seed: bytes, number: int) -> bytes:
    """Return link 0 of the server's chain `number`."""
    return link_of(SERVER, _server_secret(seed, number), SERVER_LENGTH, 0)


def _server_secret(seed: bytes, number: int) -> bytes:
    """Return the last link of a chain; the links of earlier chains reveal neither it nor the seed."""
    return hmac.digest(seed, b"pnd1/chain\0" + number.to_bytes(4), "sha256")


def _prefixed(content: bytes) -> bytes:
    """Return bytes with their length in front."""
    return len(content).to_bytes(2) + content


def message(table: str, k: int, n: int, ctx: bytes, links: Mapping[int, bytes]) -> bytes:
    """Return the message of a throw, which is signed with the server's link, without the counter."""
    parts = b"".join(seat.to_bytes(1) + _prefixed(links[seat]) for seat in sorted(links))
    about = b"pnd1/roll\0" + _prefixed(table.encode()) + k.to_bytes(4) + n.to_bytes(1)
    return about + _prefixed(ctx) + parts


def faces(server: bytes, signed: bytes) -> Iterator[int]:
    """Yield the dice of a throw, 1 to 6, from the server's link and the `message`; endless."""
    for counter in count():
        for byte in hmac.digest(server, signed + counter.to_bytes(4), "sha256"):
            if byte < FAIR_BYTES:
                yield byte % SIDES + 1


WITH_BOTH, WITH_ROLLER, WITH_OPPONENT, BY_SERVER = "A", "B", "B2", "C"
"""Levels of a throw: the sources of its dice besides the server's link (docs/hosts/fair-dice.md)."""


@record(frozen=True, slots=True)
class Throw:
    """The origin of the dice that one command drew, as the log stores it; hashes in hex, `links` by seat.

    `n` is the number of dice in the first request; further dice of the command come from the same bytes.
    """

    k: int
    level: str
    n: int
    ctx: str
    server: str
    links: Mapping[str, str]

    def faces(self, table: str) -> Iterator[int]:
        """Yield the dice of this throw at a table, given the table's public id."""
        links = {int(seat): bytes.fromhex(link) for seat, link in self.links.items()}
        return faces(bytes.fromhex(self.server), message(table, self.k, self.n, bytes.fromhex(self.ctx), links))


dump_throw, load_throw = codec(Throw)


class DiceWanted(Exception):
    """A command asks for dice that have not been thrown yet; `count` is the number in its first request."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


class NoDiceYet:
    """Dice that show whether a command throws: the first request raises DiceWanted."""

    throw = None

    def __init__(self) -> None:
        self.thrown: list[int] = []

    def roll(self, count: int) -> tuple[int, ...]:
        """Raise DiceWanted."""
        raise DiceWanted(count)


class ThrowDice:
    """The dice of throw `k` of a table; `throw` is None until dice are requested."""

    def __init__(self, table: str, seed: str, k: int, ctx: str, begun: ServerChain = FIRST_CHAIN) -> None:
        self._table, self._seed, self._k, self._ctx, self._begun = table, seed, k, ctx, begun
        self.level: str = BY_SERVER
        self.links: Mapping[str, str] = {}
        self.throw: Throw | None = None
        self.thrown: list[int] = []
        self._faces: Iterator[int] = iter(())

    def with_links(self, level: str, links: Mapping[int, str]) -> ThrowDice:
        """Set the level and the links that devices gave; return these dice."""
        self.level, self.links = level, {str(seat): links[seat] for seat in sorted(links)}
        return self

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the next `count` dice, and keep them in `thrown` for the log."""
        if self.throw is None:
            server = server_link(bytes.fromhex(self._seed), self._k, self._begun).hex()
            self.throw = Throw(self._k, self.level, count, self._ctx, server, self.links)
            self._faces = self.throw.faces(self._table)
        out = tuple(islice(self._faces, count))
        self.thrown.extend(out)
        return out
