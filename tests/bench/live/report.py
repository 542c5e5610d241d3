"""What the live benchmark has measured: figures, ratios, the machine, and the files of results/."""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
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
RESULTS = Path(__file__).parents[1] / "results"
# The share from which on a change is worth a line.
NOTEWORTHY = 0.05
_AIM = re.compile(r"^- (.+): ([\d.]+) \([≥≤]", re.MULTILINE)


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
            (CHICAGO, CEILING, 100, 0.9),
            (CHICAGO, CEILING, 500, 0.7),
            (CHOUETTE, CHICAGO, 100, 0.75),
            (CHOUETTE, CHICAGO, 500, 0.75),
        ):
            one, other = self.of(what, tables), self.of(to, tables)
            if one and other and other.rate:
                name = f"{what} to {to} at {tables} tables"
                yield aim_line(name, f"≥ {aim:g}", one.rate / other.rate, aim)
                if other.a_core:
                    yield aim_line(f"{name}, what a core does", f"≥ {aim:g}", one.a_core / other.a_core, aim)
        few, many = self.of(CHICAGO, 100), self.of(CHICAGO, 500)
        if few and many and few.rate:
            yield aim_line("Chicago, 500 tables to 100", "≥ 0.7", many.rate / few.rate, 0.7)
        for figure in self.figures:
            if figure.is_paced:
                name = f"human pace, p99 in ms at {figure.tables} tables"
                yield aim_line(name, "≤ 50", -figure.wait(0.99), -50)
        for sockets, most in ((100, 45), (5000, 30)):
            if sockets in self.idle:
                yield aim_line(f"kB an idle socket at {sockets:,}", f"≤ {most}", -self.idle[sockets], -most)


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


def write(new: str, day: date | None = None) -> list[str]:
    """Put a section of Markdown into the day's file, in place of the one with the same title.

    Each figure with an aim that differs by more than 5 % from that of the file before becomes a line of README.md. The
    lines are returned.
    """
    place = RESULTS / f"{day or datetime.now(UTC).date()}.md"
    old = place.read_text(encoding="utf-8") if place.exists() else ""
    sections = ["## " + part for part in ("\n" + old).split("\n## ")[1:]]
    title = new.splitlines()[0]
    index = next((i for i, each in enumerate(sections) if each.splitlines()[0] == title), None)
    if index is None:
        sections.append(new)
    else:
        sections[index] = new
    body = "\n".join(section.rstrip("\n") + "\n" for section in sections)
    place.write_text(
        f"# Results of {place.stem}\n\nHow to read them: [README.md](README.md).\n\n{body}", encoding="utf-8"
    )
    return _note_changes(place, title)


def _note_changes(place: Path, title: str) -> list[str]:
    """Write a line for each figure with an aim that has changed since the file before; return the lines."""
    earlier = [each for each in sorted(RESULTS.glob("2*.md")) if each < place]
    before = aims_found(earlier[-1].read_text(encoding="utf-8"), title) if earlier else {}
    now = aims_found(place.read_text(encoding="utf-8"), title)
    setup = title.removeprefix("## ")
    lines = [
        f"- {place.stem}, {setup}: {name} {before[name]:g} → {found:g} ({found / before[name] - 1:+.0%})"
        for name, found in now.items()
        if before.get(name) and abs(found / before[name] - 1) > NOTEWORTHY
    ]
    page = RESULTS / "README.md"
    start = f"- {place.stem}, {setup}: "
    kept = [line for line in page.read_text(encoding="utf-8").splitlines() if not line.startswith(start)]
    page.write_text("\n".join([*kept, *lines]) + "\n", encoding="utf-8")
    return lines


def aim_lines(text: str) -> list[str]:
    """Return the lines of a text that tell an aim with what was found."""
    return [line for line in text.splitlines() if _AIM.match(line)]


def aims_found(text: str, title: str) -> dict[str, float]:
    """Return the figures with an aim in a file's section: what was aimed at → what was found."""
    section = f"\n{text}".partition(f"\n{title}\n")[2].partition("\n## ")[0]
    return {name: float(found) for name, found in _AIM.findall(section)}
