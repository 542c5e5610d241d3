"""Throwing inputs at targets, each by its share, and saying which one broke what."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fuzz.targets import TARGETS, Target


class Broken(AssertionError):
    """An input that made a target fail; the cause is what was raised."""


@dataclass(frozen=True)
class Tally:
    """How many inputs a target had, in how many seconds."""

    target: str
    inputs: int
    seconds: float


def throw(count: int, seed: int = 0) -> Iterator[Tally]:
    """Throw about `count` inputs in all; raises Broken with the first that does harm."""
    whole = sum(target.share for target in TARGETS)
    for target in TARGETS:
        began = time.perf_counter()
        inputs = max(1, count * target.share // whole)
        _throw_at(target, inputs, seed)
        yield Tally(target.name, inputs, time.perf_counter() - began)


def _throw_at(target: Target, inputs: int, seed: int) -> None:
    rng = random.Random(f"{target.name} {seed}")
    for number in range(inputs):
        case = target.make(rng)
        try:
            target.feed(case)
        except Exception as error:
            raise Broken(f"{target.name}, input {number} of seed {seed}: {case!a}") from error
