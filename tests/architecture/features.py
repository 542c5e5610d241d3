"""The product by feature: which files belong to each, how many lines it had in 1.0.0, and how many it may have.

A feature that needs more lines gets them here, in the change that needs them, whose message says why. The first
feature that has a pattern of a file has the file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatch

from tests.architecture import figures
from tests.architecture.sources import text_of


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature, its lines of Python in 1.0.0 and the most that it may have, and patterns of its files' paths."""

    name: str
    released: int
    budget: int
    patterns: tuple[str, ...]


FEATURES: tuple[Feature, ...] = (
    Feature(
        "steps of the database",
        1_932,
        2_887,
        (
            "*/migrations/*",
            "games/ops/create_models.py",
            "games/ops/column_defaults.py",
            "games/ops/schema_version.py",
            "games/management/commands/migrate.py",
        ),
    ),
    Feature("Chicago", 4_923, 7_091, ("chicago/*",)),
    Feature("backgammon: bots", 1_459, 2_369, ("chouette/bot/*",)),
    Feature(
        "backgammon: grades",
        1_701,
        5_074,
        (
            "chouette/analysis/*",
            "games/services/grades/*",
            "games/*grades*",
            "games/models/quiz*",
            "games/models/brought*",
        ),
    ),
    Feature(
        "backgammon: files and positions",
        2_351,
        3_200,
        ("chouette/export/*", "chouette/match_files/*", "chouette/board/*"),
    ),
    Feature("chouette", 7_718, 12_345, ("chouette/*",)),
    Feature("tournaments", 3_029, 10_055, ("games/*/tournaments/*", "games/models/tournament*")),
    Feature(
        "draws", 474, 2_049, ("games/*/draws/*", "games/models/drawn*", "games/models/regrouping*", "games/*drawing*")
    ),
    Feature("seasons", 2_838, 5_692, ("games/*/seasons/*", "games/models/season*")),
    Feature("sheets", 0, 1_491, ("games/*/sheets/*", "games/models/sheet*")),
    Feature("series and dates", 0, 3_709, ("games/*/calendar/*", "games/models/series*")),
    Feature(
        "owed",
        0,
        2_198,
        ("games/*/payments/*", "games/*/point_values/*", "games/models/payment*"),
    ),
    Feature("sharing", 0, 830, ("games/*/sharing/*", "games/models/share*")),
    Feature("screens", 0, 1_076, ("games/*/screens/*", "games/admin/screens*", "games/models/screen*")),
    Feature(
        "mails",
        0,
        1_130,
        (
            "games/*/mails*",
            "games/models/mail*",
            "games/ops/mail_settings*",
            "games/*/account_mails*",
            "games/services/deliveries*",
            "games/models/delivery*",
        ),
    ),
    Feature("webhooks", 0, 1_097, ("games/*/webhooks/*", "games/models/webhook*")),
    Feature(
        "history",
        4_888,
        7_000,
        ("games/*/history/*", "games/models/result*", "games/models/match*", "games/services/rolls/*"),
    ),
    Feature(
        "house rules", 2_865, 3_095, ("games/*/house_rules/*", "games/models/house_rules*", "games/kernel/options/*")
    ),
    Feature("people", 3_007, 4_106, ("games/*/people/*", "games/models/player*", "games/models/token*")),
    Feature("nights", 3_807, 5_104, ("games/*/nights/*", "games/*/hosting/*", "games/*/chat/*", "games/models/night*")),
    Feature("dice", 1_653, 1_094, ("games/*/dice/*", "games/kernel/dice*")),
    Feature(
        "tables",
        7_726,
        10_300,
        ("games/*/tables/*", "games/*/seats/*", "games/*/clock/*", "games/*/logs/*", "games/models/*"),
    ),
    Feature("sockets", 3_537, 4_244, ("games/live/*",)),
    Feature("the contract", 1_677, 4_139, ("games/kernel/*",)),
    Feature("backups and moving", 557, 1_975, ("games/management/backups/*", "games/management/commands/*back*")),
    Feature("commands and server", 2_264, 5_143, ("games/management/*", "games/server/*")),
    Feature("operation", 2_213, 4_203, ("games/ops/*", "games/*/staff/*")),
    Feature("admin", 2_471, 3_616, ("games/admin/*",)),
    Feature("API", 1_111, 1_724, ("games/api/*",)),
    Feature("pages", 1_361, 2_950, ("games/web/*", "games/templatetags/*")),
    Feature("services for all", 1_072, 2_847, ("games/services/*",)),
    Feature("the project", 2_323, 3_169, ("games/*",)),
)


def feature_of(path: str) -> Feature | None:
    """Return the feature that has a file."""
    return next((each for each in FEATURES if any(fnmatch(path, pattern) for pattern in each.patterns)), None)


def lines() -> Counter[str]:
    """Return the lines of Python of each feature; those of files that no feature has are under ""."""
    found: Counter[str] = Counter()
    for path in figures.product(migrations=True):
        feature = feature_of(path.as_posix())
        found[feature.name if feature else ""] += len(text_of(path).splitlines())
    return found


def over_budget(found: Counter[str]) -> list[str]:
    """Return the features that have more lines than they may, each with both numbers."""
    budgets = {each.name: each.budget for each in FEATURES}
    grown = {name: count for name, count in found.items() if count > budgets.get(name, 0)}
    return [f"{name}: {count} lines, {budgets.get(name, 0)} are its budget" for name, count in sorted(grown.items())]
