"""Dice: the source of chance for the rules, and the means to check it afterwards.

`FairDice` is a commit-and-reveal scheme. Before play the table publishes the SHA-256 of a
secret seed. When play starts, `salt` fixes the players' contribution (each accepted the rules
card with a random number from their own browser). Die number i is a function of seed, salt
and i alone, so after the table has ended, and the seed is revealed, every throw in the log
can be computed again. The house could not choose the seed to suit the players' numbers, nor
could the players choose their numbers to suit the seed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator
from typing import Protocol

SIDES = 6
# The largest multiple of six in one byte: higher byte values are skipped, so that every face is
# equally likely.
FAIR_BYTES = 252


class Dice(Protocol):
    """A source of dice."""

    def roll(self, count: int) -> tuple[int, ...]:
        """Return `count` values of 1..6."""


class SystemDice:
    """Dice from the operating system's randomness."""

    def roll(self, count: int) -> tuple[int, ...]:
        """Return `count` values of 1..6."""
        return tuple(secrets.randbelow(SIDES) + 1 for _ in range(count))


class ScriptedDice:
    """Dice with given values, for tests and replays. Raises IndexError when they are used up."""

    def __init__(self, values: Iterable[int]) -> None:
        self._values: Iterator[int] = iter(values)

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the next `count` scripted values."""
        out = []
        for _ in range(count):
            value = next(self._values, None)
            if value is None:
                raise IndexError("the scripted dice are used up")
            out.append(value)
        return tuple(out)


def new_seed() -> str:
    """Return a secret seed: 256 bits as 64 hex digits."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """Return the published commitment to a seed: its SHA-256 in hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def salt_of(nonces: Iterable[str]) -> str:
    """Return the salt made from the players' numbers in seat order."""
    return hashlib.sha256("\n".join(nonces).encode()).hexdigest()


def fair_die(seed: str, salt: str, index: int) -> int:
    """Return die number `index` (from 0) of a table: 1..6, every face equally likely."""
    block = 0
    while True:
        message = f"{salt}:{index}:{block}".encode()
        for byte in hmac.digest(bytes.fromhex(seed), message, "sha256"):
            if byte < FAIR_BYTES:
                return byte % SIDES + 1
        block += 1


class FairDice:
    """The dice of one table; `drawn` is the number of dice thrown so far and grows with each roll."""

    throw = None
    """These dice have no throw of chains (games/kernel/dice/chains.py)."""

    def __init__(self, seed: str, salt: str, drawn: int = 0) -> None:
        self._seed, self._salt = seed, salt
        self.drawn = drawn
        self.thrown: list[int] = []

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the next `count` dice, and keep them in `thrown` for the log."""
        out = tuple(fair_die(self._seed, self._salt, self.drawn + i) for i in range(count))
        self.drawn += count
        self.thrown.extend(out)
        return out


def first_difference(seed: str, salt: str, thrown: Iterable[int]) -> int | None:
    """Return the index of the first die that differs from the one given by seed and salt, or None."""
    for index, value in enumerate(thrown):
        if fair_die(seed, salt, index) != value:
            return index
    return None
