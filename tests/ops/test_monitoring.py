"""The dashboard and the alert rules name figures and labels that there are; the page on operations has them all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client import Counter, Gauge, Histogram

from games.ops import metrics
from tests.server import ROOT

FOLDER = ROOT / "deploy" / "monitoring"
DASHBOARD, ALERTS = FOLDER / "grafana-dashboard.json", FOLDER / "prometheus-alerts.yml"
NAME = re.compile(r"\bstammtisch_\w+")
OF_PROMETHEUS = {"instance", "job", "le", "pid"}
FUNCTIONS = {"sum", "max", "rate", "increase", "abs", "histogram_quantile", "label_values", "by", "and", "offset", "up"}
ENDS = {Counter: ("_total",), Histogram: ("_bucket", "_sum", "_count"), Gauge: ("",)}


def figures() -> dict[str, set[str]]:
    """Return each series that /metrics can have, with its labels."""
    found: dict[str, set[str]] = {}
    for each in vars(metrics).values():
        if isinstance(each, Counter | Histogram | Gauge):
            for end in ENDS[type(each)]:
                found[each._name + end] = set(each._labelnames)
    return found


def expressions() -> Iterator[tuple[str, str]]:
    """Yield where and what each question to Prometheus is."""
    dashboard = json.loads(DASHBOARD.read_text())
    for panel in dashboard["panels"]:
        yield from ((panel["title"], target["expr"]) for target in panel["targets"])
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]["query"]
    for group in yaml.safe_load(ALERTS.read_text())["groups"]:
        yield from ((rule["alert"], rule["expr"]) for rule in group["rules"])


def faults(expression: str) -> list[str]:
    """Return what an expression names that there is not: figures, labels, functions; or brackets that do not fit."""
    known = figures()
    names = set(NAME.findall(expression))
    labels = OF_PROMETHEUS | {label for name in names for label in known.get(name, ())}
    used = {label for group in re.findall(r"\bby \(([^)]*)\)", expression) for label in re.split(r",\s*", group)}
    used |= {label for group in re.findall(r"\{([^}]*)\}", expression) for label in re.findall(r"(\w+)=~?\"", group)}
    plain = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)|, instance\)", " ", expression)
    words = set(re.findall(r"\b[a-z]\w*", plain)) - names
    lonely = [] if all(expression.count(a) == expression.count(b) for a, b in ("()", "[]", "{}")) else ["brackets"]
    return [*sorted(names - known.keys()), *sorted(used - labels), *sorted(words - FUNCTIONS - {"m"}), *lonely]


def test_each_figure_and_label_of_the_dashboard_and_the_alerts_is_there() -> None:
    found = list(expressions())
    assert len(found) > 30
    assert [(where, fault) for where, text in found for fault in faults(text)] == []


@pytest.mark.parametrize(
    "planted",
    [
        "sum(stammtisch_socket)",
        "sum by (cod) (stammtisch_commands_refused_total)",
        'sum(stammtisch_http_requests_total{stats="5xx"})',
        "summe(stammtisch_sockets)",
        "sum(stammtisch_batch_seconds)",
        "sum(stammtisch_sockets",
    ],
)
def test_a_planted_misspelling_is_found(planted: str) -> None:
    assert faults(planted) != []


def test_each_figure_is_on_the_page_on_operations() -> None:
    page = (ROOT / "docs" / "operations.md").read_text().split("## What to watch")[1].split("\n## ")[0]
    told = set(re.findall(r"`(\w+)(?:\{[\w,]*\})?`", page))
    for name, labels in figures().items():
        plain = name.removeprefix("stammtisch_")
        bare = re.sub(r"_(bucket|sum|count)$", "", plain)
        assert {plain, bare} & told, f"docs/operations.md does not name {plain}"
        for label in labels:
            assert re.search(rf"`{plain}\{{[\w,]*{label}", page), f"docs/operations.md does not name {label} of {plain}"


def test_each_alert_says_what_is_and_what_to_do() -> None:
    rules = [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) > 10
    for rule in rules:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"] and rule["annotations"]["description"]


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert place["x"] + place["w"] <= 24 and not cells & taken, panel["title"]
        taken |= cells


def test_the_files_are_where_the_page_says() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    assert all(f"deploy/monitoring/{path.name}" in page for path in (DASHBOARD, ALERTS) if Path(path).is_file())
