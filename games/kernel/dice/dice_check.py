"""Throws the dice of a roll file again: python dice_check.py FILE. Needs only Python.

Dice of chains (levels A, B, B2, C; PND-1): the house, and the phone of each seat, hold a chain of secret
numbers, each of which is the hash H of the next one. A row of kind "seal" holds link 0 of the house's chain
("commitment"), written before its first throw; a row of kind "tip" holds link 0 of a phone's chain. Each throw k
uses the house's link k and the next link of each phone that has a part; they stand in its row. Hashing these links
shows that they belong to the chains published before. The dice are the bytes below 252 of
HMAC-SHA-256(house's link, table, k, number of dice, ctx, phones' links, counter), each modulo 6, plus 1.

Dice of a sealed number (level sealed): a row of kind "seal" holds the fingerprint of a secret number
("commitment"), the players' numbers and the common number made of them ("salt"), and after the end of the table
also the secret number ("seed"). Every die follows from it: die number i is the first byte below 252 of
HMAC-SHA-256(seed, "salt:i:0"), else of "salt:i:1" and so on, modulo 6, plus 1.

Dice that were typed in at the table can't be checked.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


def die(seed: str, salt: str, index: int) -> int:
    """Return die number `index` (from 0): 1..6."""
    block = 0
    while True:
        for byte in hmac.digest(bytes.fromhex(seed), f"{salt}:{index}:{block}".encode(), "sha256"):
            if byte < 252:
                return byte % 6 + 1
        block += 1


@dataclass
class CheckedTable:
    """The findings on one table: the rolls, throws and dice that were checked, and the faults."""

    proof: dict[str, str] = field(default_factory=dict)
    rolls: int = 0
    typed: int = 0
    levels: dict[str, int] = field(default_factory=dict)
    house: list[tuple[int, int, bytes]] = field(default_factory=list)
    """For each chain of the house: its first throw, and the last known throw and link."""
    phones: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)
    """For each seat, the chains of its phone, newest first: the last known throw and link."""
    throws: set[int] = field(default_factory=set)
    dice: set[int] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    @property
    def missing(self) -> int:
        """The number of dice up to the last one that are in no row of the file, as in the file of one player."""
        return max(self.dice, default=-1) + 1 - len(self.dice)

    def verdict(self) -> str:
        """Return the finding as a sentence."""
        if self.faults:
            return "WRONG: " + "; ".join(self.faults)
        if self.house:
            return f"{self.rolls} rolls thrown again, all the same" + self.by_level() + self.by_hand()
        if "seed" not in self.proof:
            return f"{self.rolls} rolls, sealed until the table has ended"
        missing = f", {self.missing} dice are not in this file" if self.missing else ""
        return f"{self.rolls} rolls thrown again, all the same" + missing + self.by_hand()

    def by_level(self) -> str:
        """Return the number of rolls of each level, and of throws up to the last one that are in no row, as text."""
        missing = max(self.throws, default=0) - len(self.throws)
        levels = ", ".join(f"{self.levels[level]} of level {level}" for level in sorted(self.levels))
        return (f" ({levels})" if levels else "") + (f", {missing} throws are not in this file" if missing else "")

    def by_hand(self) -> str:
        """Return the number of typed rolls as text; "" if there are none."""
        return f", {self.typed} typed in and not checked" if self.typed else ""


def h(tag: str, link: bytes, times: int = 1) -> bytes:
    """Return the link `times` steps before another one in a chain of the house ("server") or of a phone ("seat")."""
    for _ in range(times):
        link = hashlib.sha256(b"pnd1/" + tag.encode() + b"\0" + link).digest()
    return link


def with_length(content: bytes) -> bytes:
    """Return bytes with their length in front."""
    return len(content).to_bytes(2, "big") + content


def chain_dice(name: str, proof: dict[str, str], links: dict[str, bytes], count: int) -> list[int]:
    """Return `count` dice of a throw, starting with number `at` of the proof."""
    message = b"pnd1/roll\0" + with_length(name.encode()) + int(proof["k"]).to_bytes(4, "big")
    message += int(proof["n"]).to_bytes(1, "big") + with_length(bytes.fromhex(proof["ctx"]))
    for seat in sorted(links, key=int):
        message += int(seat).to_bytes(1, "big") + with_length(links[seat])
    dice: list[int] = []
    counter, end = 0, int(proof["at"]) + count
    while len(dice) < end:
        block = hmac.digest(bytes.fromhex(proof["server"]), message + counter.to_bytes(4, "big"), "sha256")
        dice += [byte % 6 + 1 for byte in block if byte < 252]
        counter += 1
    return dice[int(proof["at"]) : end]


def proof_of(text: str) -> dict[str, str]:
    """Return the parts of a proof: "a=1 b=2" has a and b."""
    return dict(part.split("=", 1) for part in text.split())


def chain_roll(table: CheckedTable, line: int, row: Mapping[str, str], proof: dict[str, str]) -> None:
    """Check the links of a roll and throw it again."""
    faces = [int(face) for face in row["faces"].split()]
    links = dict(part.split(":") for part in proof["links"].split(".")) if proof.get("links") else {}
    phone_links = {seat: bytes.fromhex(link) for seat, link in links.items()}
    k = int(proof["k"])
    table.rolls += 1
    table.levels[row["level"]] = table.levels.get(row["level"], 0) + 1
    if row["level"] not in LEVELS[len(phone_links)]:
        table.faults.append(f"line {line}: level {row['level']} with the links of {len(phone_links)} phones")
    if k not in table.throws:
        check_links(table, line, k, bytes.fromhex(proof["server"]), phone_links)
    table.throws.add(k)
    again = chain_dice(row["table"], proof, phone_links, len(faces))
    if again != faces:
        table.faults.append(f"line {line}: {faces} in place of {again}")


LEVELS = {0: ("C",), 1: ("B", "B2"), 2: ("A",)}
"""The levels of a roll, by the number of phones that have a part."""


def check_links(table: CheckedTable, line: int, k: int, server: bytes, phone_links: Mapping[str, bytes]) -> None:
    """Check that the links of throw `k` belong to the published chains, and lie after the links already known."""
    at = max(i for i, (first, _, _) in enumerate(table.house) if first <= k)
    first, last_k, last = table.house[at]
    if k <= last_k or h("server", server, k - last_k) != last:
        table.faults.append(f"line {line}: the house's link is not the one that was sealed")
    table.house[at] = (first, k, server)
    for seat, link in phone_links.items():
        known = table.phones[seat]
        at = next((i for i, each in enumerate(known) if is_next(table, k, link, *each)), -1)
        if at < 0:
            table.faults.append(f"line {line}: the link of seat {seat} is not the next one of its phone's chain")
        # A throw under way continues with the chain that it began with; tips told meanwhile count after it.
        table.phones[seat] = known[:at] if at > 0 else [(k, link)]


def tell_tip(table: CheckedTable, seat: str, tip: bytes) -> None:
    """Take a phone's new chain; of those before, keep the ones with which a throw under way may have begun."""
    last, known = max(table.throws, default=0), table.phones.get(seat, [])
    older = next((i for i, (k, _) in enumerate(known) if k < last), len(known))
    table.phones[seat] = [(last, tip), *known[: older + 1]]


def is_next(table: CheckedTable, k: int, link: bytes, last_k: int, last: bytes) -> bool:
    """Tell whether a link follows another in a chain; for each throw that is in no row, one more may lie between."""
    most = 1 + sum(each not in table.throws for each in range(last_k + 1, k))
    return any(h("seat", link, steps) == last for steps in range(1, most + 1))


def seal(table: CheckedTable, proof: dict[str, str]) -> None:
    """Check the seed and the players' numbers against the sealed values."""
    table.proof = proof
    numbers = [bytes.fromhex(number) for number in proof["numbers"].split(".")]
    if hashlib.sha256(b"\n".join(numbers)).hexdigest() != proof["salt"]:
        table.faults.append("the players' numbers do not make the common number")
    if "seed" in proof and hashlib.sha256(bytes.fromhex(proof["seed"])).hexdigest() != proof["commitment"]:
        table.faults.append("the secret number is not the one that was sealed")


def roll(table: CheckedTable, line: int, faces: list[int], proof: dict[str, str]) -> None:
    """Throw a roll again if the secret number is known."""
    table.rolls += 1
    if "seed" not in table.proof:
        return
    first = int(proof["first"])
    table.dice.update(range(first, first + len(faces)))
    again = [die(table.proof["seed"], table.proof["salt"], first + i) for i in range(len(faces))]
    if again != faces:
        table.faults.append(f"line {line}: {faces} in place of {again}")


def check_row(table: CheckedTable, line: int, row: Mapping[str, str]) -> None:
    """Check one row of a table; raises KeyError or ValueError for an unreadable row."""
    proof = proof_of(row["proof"])
    if row["kind"] == "tip":
        tell_tip(table, proof["seat"], bytes.fromhex(proof["tip"]))
    elif row["kind"] == "seal" and row["level"] == "pnd1":
        first = int(proof["first"])
        table.house.append((first, first - 1, bytes.fromhex(proof["commitment"])))
    elif row["kind"] == "seal":
        seal(table, proof)
    elif row["level"] in ("A", "B", "B2", "C"):
        chain_roll(table, line, row, proof)
    elif row["level"] == "sealed":
        roll(table, line, [int(face) for face in row["faces"].split()], proof)
    else:
        table.typed += 1


def check(rows: Iterable[Mapping[str, str]]) -> dict[str, CheckedTable]:
    """Return the findings on each table in the rows of a roll file, by the table's name."""
    tables: dict[str, CheckedTable] = {}
    for line, row in enumerate(rows, 2):
        table = tables.setdefault(row["table"], CheckedTable())
        try:
            check_row(table, line, row)
        except (KeyError, ValueError) as error:
            table.faults.append(f"line {line} can't be read ({error!r})")
    return tables


def main(path: str) -> int:
    """Print the finding on each table; return 1 if anything is wrong or there is no table, else 0."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        tables = check(csv.DictReader(file))
    for name, table in tables.items():
        print(f"{name}: {table.verdict()}")
    wrong = sum(bool(table.faults) for table in tables.values())
    print(f"{len(tables)} tables, {wrong} wrong")
    return 1 if wrong or not tables else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python dice_check.py FILE")
    sys.exit(main(sys.argv[1]))
