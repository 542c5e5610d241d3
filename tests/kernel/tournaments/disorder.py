"""Disorder in a night: results, corrections, withdrawals, late entries and breaks in any order."""

from __future__ import annotations

from typing import Any

from tests.kernel.tournaments.nights import Night, check

Json = dict[str, Any]
WEIGHTS = {
    "confirm": 8, "some": 4, "result": 10, "wait": 4, "correct": 2, "void": 1, "stand": 1,
    "withdraw": 2, "return": 2, "enter": 1, "break": 1, "table_out": 1, "table_in": 1, "finish": 1, "reopen": 1,
}  # fmt: skip


class Disorder:
    """A night in which anything may happen at any time; what is refused leaves the log as it was."""

    def __init__(self, night: Night) -> None:
        self.night = night
        self.chance = night.chance
        self.codes: set[str] = set()

    def run(self, steps: int) -> None:
        """Take some steps, check each answer, then play to the end."""
        self.night.add("start")
        for _ in range(steps):
            found = self.night.ask()
            check(found, self.night.format)
            kind = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            code = getattr(self, kind if kind not in ("return", "break") else f"{kind}_")(found)
            self.codes |= {code} if isinstance(code, str) else set()
        if self.night.ask()["state"]["status"] == "finished":
            self.night.add("reopen")
        self.night.play()

    def one_of(self, items: list[Any]) -> Any:
        return self.chance.choice(items) if items else None

    def confirm(self, found: Json) -> None:
        self.night.confirm(found["proposals"])

    def some(self, found: Json) -> None:
        self.night.confirm([each for each in found["proposals"] if self.chance.random() < 0.5])

    def result(self, found: Json) -> str | None:
        match = self.one_of(self.night.running(found["state"]) or found["state"]["matches"])
        return match and self.night.try_("result", match=match["id"], winner=self.chance.choice(match["players"]))

    def wait(self, found: Json) -> None:
        self.night.now += self.chance.randrange(8)

    def correct(self, found: Json) -> str | None:
        match = self.one_of(found["state"]["matches"])
        return match and self.night.try_("correct", match=match["id"], winner=self.chance.choice(match["players"]))

    def void(self, found: Json) -> str | None:
        match = self.one_of(found["state"]["matches"])
        return match and self.night.try_("void", match=match["id"])

    def stand(self, found: Json) -> str | None:
        warning = self.one_of(found["state"]["warnings"])
        return warning and self.night.try_("stand", match=warning["match"])

    def withdraw(self, found: Json) -> str | None:
        player = self.chance.choice(found["state"]["players"])["player"]
        return self.night.try_("withdraw", player=player, when=self.chance.choice(["now", "after", "one"]))

    def return_(self, found: Json) -> str | None:
        gone = [each["player"] for each in found["state"]["players"] if each["status"] in ("withdrawn", "pausing")]
        return self.night.try_("return", player=self.chance.choice(gone or ["p0"]))

    def enter(self, found: Json) -> str | None:
        return self.night.try_("enter", player=f"p{self.chance.randrange(40)}")

    def break_(self, found: Json) -> str | None:
        start = self.night.now + self.chance.randrange(10)
        return self.night.try_("break", **{"from": start, "to": start + self.chance.randrange(12)})

    def table_out(self, found: Json) -> str | None:
        return self.night.try_("table_out", table=self.chance.randrange(4))

    def table_in(self, found: Json) -> str | None:
        return self.night.try_("table_in", table=self.chance.randrange(4))

    def finish(self, found: Json) -> str | None:
        return self.night.try_("finish") if self.chance.random() < 0.2 else None

    def reopen(self, found: Json) -> str | None:
        return self.night.try_("reopen")
