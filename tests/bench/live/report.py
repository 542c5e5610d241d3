"""What the live benchmark has measured: figures, ratios, the machine, and results.md."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter

RECIPE, CEILING = "(a) recipe", "(b) ceiling"
CHICAGO, CHOUETTE = "(c) chicago", "(c) chouette"
NAMES = {"recipe": RECIPE, "ceiling": CEILING, "chicago": CHICAGO, "chouette": CHOUETTE}
# The one setup that aims are set for.
AIMED_AT = "daphne, SQLite, synchronous=FULL, one process"
# A load process above this share of a core, or a closed loop that leaves the servers below
# that share of one, says more about the load than about the server.
LOAD_LIMIT, SERVER_LIMIT = 0.85, 0.90
RESULTS = Path(__file__).parents[1] / "results.md"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement: `waits` in seconds from send to the last seat's receipt, sorted.

    `cpu` is the servers' processor time in seconds, `loads` each load process's share of a core.
    """

    what: str
    tables: int
    seconds: float
    waits: Sequence[float]
    cpu: float
    loads: Sequence[float]
    cores: float = 1.0
    refused: int = 0
    is_paced: bool = False

    @property
    def rate(self) -> float:
        """Moves a second."""
        return len(self.waits) / self.seconds

    def wait(self, share: float) -> float:
        """Return the quantile of the waits, in ms."""
        waits = self.waits
        return waits[min(len(waits) - 1, int(len(waits) * share))] * 1000 if waits else 0.0

    @property
    def a_core(self) -> float:
        """Moves that one whole core would do: what stays put when others use the machine."""
        return len(self.waits) / self.cpu if self.cpu else 0.0

    @property
    def cpu_a_move(self) -> float:
        """Processor time of the servers a move, in ms."""
        return self.cpu / max(1, len(self.waits)) * 1000

    def note(self) -> str:
        """Say where the figure is not the server's own limit."""
        said = []
        if max(self.loads) > LOAD_LIMIT:
            said.append("the load was the limit")
        if not self.is_paced and self.cpu / self.seconds < SERVER_LIMIT * self.cores:
            said.append("the server was not busy all the time")
        if self.refused:
            said.append(f"{self.refused} refused as busy")
        return "; ".join(said)


@dataclass(slots=True)
class Report:
    """All figures of one run; `idle` is sockets → kB of memory each."""

    setup: str
    machine: str
    figures: list[Figure] = field(default_factory=list)
    idle: dict[int, float] = field(default_factory=dict)

    def of(self, what: str, tables: int) -> Figure | None:
        """Return the figure of a closed loop, if it was measured."""
        found = (f for f in self.figures if f.what == what and f.tables == tables)
        return next((f for f in found if not f.is_paced), None)

    def ratio(self, figure: Figure, to: str) -> str:
        """Return a rate as a multiple of another one at as many tables."""
        other = self.of(to, figure.tables)
        if other is None or not other.rate or figure.is_paced:
            return ""
        return f"{figure.rate / other.rate:.2f}"

    def rows(self) -> Iterable[list[str]]:
        """Yield the lines of the table of figures."""
        yield ["what", "tables", "moves/s", "to (a)", "to (b)", "p50 ms", "p99 ms",
               "CPU ms/move", "a core does", "server CPU", "load CPU", "note"]  # fmt: skip
        for figure in self.figures:
            yield [
                figure.what + (", human pace" if figure.is_paced else ""),
                str(figure.tables),
                f"{figure.rate:.0f}",
                self.ratio(figure, RECIPE),
                self.ratio(figure, CEILING),
                f"{figure.wait(0.5):.1f}",
                f"{figure.wait(0.99):.1f}",
                f"{figure.cpu_a_move:.2f}",
                f"{figure.a_core:.0f}",
                f"{figure.cpu / figure.seconds:.0%}",
                " ".join(f"{load:.0%}" for load in figure.loads),
                figure.note(),
            ]

    def text(self) -> str:
        """Return everything as Markdown."""
        head, *body = self.rows()
        rule = ["---", *["---:"] * (len(head) - 2), "---"]
        parts = ["\n".join(aligned([head, rule, *body]))]
        if self.idle:
            lines = (f"{sockets:,} sockets: {kb:.0f} kB" for sockets, kb in self.idle.items())
            parts.append("Memory an idle socket (of tables of four): " + "; ".join(lines) + ".")
        if self.setup == AIMED_AT and (aims := list(self.aims())):
            parts.append("Aims:\n" + "\n".join(f"- {aim}" for aim in aims))
        return "\n\n".join([f"## {self.setup}", self.machine, *parts]) + "\n"

    def aims(self) -> Iterable[str]:
        """Yield what is aimed at beside what was measured."""
        for what, to, tables, aim in (
            (CHICAGO, RECIPE, 100, 3.0),
            (CHICAGO, RECIPE, 500, 5.0),
            (CHICAGO, CEILING, 100, 0.6),
            (CHICAGO, CEILING, 500, 0.6),
            (CHOUETTE, CHICAGO, 100, 0.5),
        ):
            one, other = self.of(what, tables), self.of(to, tables)
            if one and other and other.rate:
                found = one.rate / other.rate
                yield aim_line(f"{what} to {to} at {tables} tables", f"≥ {aim:g}", found, aim)
        few, many = self.of(CHICAGO, 100), self.of(CHICAGO, 500)
        if few and many and few.rate:
            yield aim_line("Chicago, 500 tables to 100", "≥ 0.7", many.rate / few.rate, 0.7)
        for figure in self.figures:
            if figure.is_paced:
                wait = figure.wait(0.99)
                yield aim_line("human pace, p99 in ms", "≤ 50", -wait, -50)
        if self.idle:
            yield aim_line("kB an idle socket", "≤ 45", -max(self.idle.values()), -45)


def aim_line(what: str, aim: str, found: float, least: float) -> str:
    """Return one aim with what was found; figures that should be small come negative."""
    return f"{what}: {abs(found):.2f} ({aim}: {'met' if found >= least else 'not met'})"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as a Markdown table that can be read as it stands."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if i in (0, len(row) - 1) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def machine(data: Path) -> str:
    """Describe this machine: cores, memory, versions, a durable write, who else works on it."""
    ram = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    packages = ", ".join(f"{name} {version(name)}" for name in ("Django", "channels", "daphne"))
    return (
        f"{os.cpu_count()} cores, {ram:.0f} GB RAM, {platform.system()}, "
        f"Python {platform.python_version()}, {packages}; fsync of 4 kB {fsync_ms(data):.2f} ms; "
        f"load average before the run {os.getloadavg()[0]:.1f}."
    )


def fsync_ms(data: Path) -> float:
    """Return the median time of a durable write of 4 kB, in ms."""
    times = []
    with tempfile.TemporaryFile(dir=data) as file:
        for _ in range(200):
            file.write(b"x" * 4096)
            file.flush()
            start = perf_counter()
            os.fsync(file.fileno())
            times.append(perf_counter() - start)
    return median(times) * 1000


HEAD = """\
# What the live benchmark found

Written by `python -m tests.bench.bench_live --write`; a section for each setup, replaced by the
next run of the same setup. Ratios within one run are what counts: absolute figures are this
machine's.

- (a) the usual recipe: a bare Channels consumer, one ORM insert a move through
  `database_sync_to_async`, `group_send` to 4 consumers.
- (b) the ceiling: a bare Channels consumer that writes to the 4 sockets of its own process; no
  database, no rules, a frame of 100 characters.
- (c) the product: rules, a durable log, each seat's own view out to 4 seats. Chicago is the
  classic game without end, chouette the German one with four players who never double.

Every table has 4 sockets. Closed loop: the seat whose turn it is sends as soon as the table's
last seat has the entry before, so the wait is about tables / rate. "A core does" is moves a
second of the servers' processor time: where others used the machine meanwhile, compare that.
Human pace: each table's
next move comes 2 to 4 s after the last one, and every socket pings as a shown page does.
Moves are accepted commands; p50 and p99 are from sending one to the last seat's receipt. The
load comes from processes of its own, on the same machine.
"""


def write(report: Report) -> None:
    """Put a report into results.md, in place of the section of the same setup."""
    old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    sections = ["## " + part for part in ("\n" + old).split("\n## ")[1:]]
    new = report.text()
    title = new.splitlines()[0]
    index = next((i for i, each in enumerate(sections) if each.splitlines()[0] == title), None)
    if index is None:
        sections.append(new)
    else:
        sections[index] = new
    body = "\n".join(section.rstrip("\n") + "\n" for section in sections)
    RESULTS.write_text(f"{HEAD}\n{body}", encoding="utf-8")
