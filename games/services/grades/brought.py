"""Match files that players bring in: private to their owner, graded after the games of the house."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.kernel.figures.skill import Depth
from games.models import BroughtMatch, Player
from games.models.brought import LONGEST_NAME
from games.ops.logs import log_event
from games.services import tasks
from games.services.grades import jobs

logger = logging.getLogger(__name__)

MOST_FILES = 20
"""So many files of a player are kept: each may have a megabyte, and its report some more."""
MOST_BYTES = 1_000_000
ASKED = "bad_file"
"""The fault of a file that cannot be read to its end and whose owner has not said that the rest of it is graded."""


def games() -> dict[str, plugin.MatchFiles]:
    """Return the modules of match files of the installed games, by id."""
    every = {game_id: config.match_files for game_id, config in plugin.all_games().items()}
    return {game_id: module for game_id, module in every.items() if module is not None}


def of(owner: Player) -> QuerySet[BroughtMatch]:
    """Return the files of a player without their content and reports, the newest first."""
    return BroughtMatch.objects.filter(owner=owner).defer("content", "report").order_by("-brought_at", "-pk")


def find(owner: Player, public_id: str) -> BroughtMatch:
    """Return a file of a player; raises Illegal `no_such_match_file`, for those of others too."""
    found = BroughtMatch.objects.filter(owner=owner, public_id=public_id).defer("content").first()
    if found is None:
        raise Illegal("no_such_match_file")
    return found


def bring(owner: Player, game_id: str, name: str, content: bytes, *, partly: bool = False) -> BroughtMatch:
    """Keep a file of a player to be graded; one that is there already stays as it is.

    If `partly`, the games before one that cannot be read are graded. Raises Illegal `bad_file`, `too_long`,
    `no_engine`, `too_many_matches`.
    """
    module, grading = games().get(game_id), jobs.graded_games().get(game_id)
    if module is None or grading is None or len(content) > MOST_BYTES:
        raise Illegal("bad_file")
    digest = hashlib.sha256(content).hexdigest()
    known = BroughtMatch.objects.filter(owner=owner, digest=digest).first()
    if known is not None and (partly or known.fault != ASKED):
        return _again(known)
    about = _about(module, content, partly=partly)
    if not grading.has_engine():
        raise Illegal("no_engine")
    return _kept(owner, digest, game_id=game_id, name=_plain(name), content=content, about=about)


def _about(module: plugin.MatchFiles, content: bytes, *, partly: bool) -> JsonObject:
    """Return what a file says of itself; of one of which a part is read, `unread` is why that is not the whole.

    Raises Illegal as `look` of the module.
    """
    try:
        return module.look(content)
    except Illegal as refusal:
        if not partly or not refusal.params.get("games"):
            raise
        return {**module.look(content, partly=True), "unread": refusal.params}


def _kept(owner: Player, digest: str, **made: Any) -> BroughtMatch:
    """Keep a new file, or return the one that is there; raises Illegal `too_many_matches`."""
    if BroughtMatch.objects.filter(owner=owner).count() >= MOST_FILES:
        raise Illegal("too_many_matches", most=MOST_FILES)
    try:
        with transaction.atomic():
            return BroughtMatch.objects.create(owner=owner, digest=digest, brought_at=datetime.now(UTC), **made)
    except IntegrityError:
        return BroughtMatch.objects.get(owner=owner, digest=digest)


def ask(owner: Player, game_id: str, name: str, content: bytes, refusal: Illegal) -> BroughtMatch | None:
    """Keep a file of which only some games can be read until its owner says that these are graded (`grade_partly`).

    It takes the place of another one that waits for this. `refusal` is that of `bring`; None where nothing is asked.
    """
    module, grading = games().get(game_id), jobs.graded_games().get(game_id)
    is_known = module is not None and grading is not None and grading.has_engine()
    if refusal.code != ASKED or not refusal.params.get("games") or module is None or not is_known:
        return None
    digest = hashlib.sha256(content).hexdigest()
    BroughtMatch.objects.filter(owner=owner, fault=ASKED).exclude(digest=digest).delete()
    about = _about(module, content, partly=True)
    try:
        return _kept(owner, digest, game_id=game_id, name=_plain(name), content=content, about=about, fault=ASKED)
    except Illegal:
        return BroughtMatch.objects.filter(owner=owner, digest=digest).first()


def grade_partly(owner: Player, public_id: str) -> BroughtMatch:
    """Have the games graded that can be read of a file; raises Illegal `no_such_match_file`."""
    return _again(find(owner, public_id))


def _again(known: BroughtMatch) -> BroughtMatch:
    """Let a file that the engine failed on be tried once more, or one that can be read in part be graded."""
    BroughtMatch.objects.filter(pk=known.pk).exclude(fault="").update(fault="", tries=0, claimed_at=None)
    known.refresh_from_db()
    return known


def _plain(name: str) -> str:
    """Return the name of a file without folders and control characters; never empty."""
    last = PurePath(name.replace("\\", "/")).name
    return "".join(each for each in last if each.isprintable()).strip()[:LONGEST_NAME] or "match"


def delete(owner: Player, public_id: str) -> None:
    """Delete a file with its report; raises Illegal `no_such_match_file`."""
    find(owner, public_id).delete()


def free_claims() -> None:
    """Free what was claimed and not graded: for an analyser that starts and is the only one."""
    BroughtMatch.objects.exclude(claimed_at=None).update(claimed_at=None)


def again() -> None:
    """Let every file be graded once more, with the engine of today; old reports stand until new ones are there."""
    BroughtMatch.objects.exclude(fault=ASKED).update(graded_at=None, claimed_at=None, tries=0, fault="")


def grade_one(engines: Mapping[str, plugin.GradingEngine], go_on: Callable[[], object]) -> bool:
    """Grade the file that was brought in first, of those that wait; tell whether there was one.

    `go_on` is called after each choice, and raises TaskEnded where the process ends: the claim is then given back.
    """
    now = datetime.now(UTC)
    is_free = Q(claimed_at=None) | Q(claimed_at__lt=now - jobs.OLD)
    waiting = BroughtMatch.objects.filter(is_free, graded_at=None, fault="", game_id__in=engines)
    found = waiting.order_by("brought_at", "pk").first()
    if found is None:
        return False
    mine = BroughtMatch.objects.filter(pk=found.pk)
    if found.tries >= jobs.MOST_TRIES:
        mine.update(fault="engine_failed", claimed_at=None)
    elif mine.filter(claimed_at=found.claimed_at, graded_at=None).update(claimed_at=now, tries=F("tries") + 1):
        _grade(found, mine.filter(claimed_at=now), engines[found.game_id], go_on)
    return True


def _grade(
    found: BroughtMatch, mine: QuerySet[BroughtMatch], engine: plugin.GradingEngine, go_on: Callable[[], object]
) -> None:
    try:
        report = games()[found.game_id].report(bytes(found.content), engine.at(Depth.DEEP), go_on)
    except tasks.TaskEnded:
        mine.update(claimed_at=None, tries=F("tries") - 1)
        raise
    except Illegal as refusal:
        mine.update(fault=refusal.code, claimed_at=None)
        return
    mine.update(report=report, graded_at=datetime.now(UTC), claimed_at=None, tries=0)
    log_event(logger, logging.INFO, jobs.TASK, "graded_file", text=f"{len(report['decisions'])} choices")
