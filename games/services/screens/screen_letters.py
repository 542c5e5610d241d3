"""Letters of screens: a browser opens one, it shows four letters, and who enters them takes it in.

Whoever opens the page of screens gets a row, which is bounded for each address and for all: where there is no room, an
old one of the same address, or of the address with the most, gives way. So a stranger's ten thousand screens leave
room for a real one. Letters are good for ten minutes and once. Wrong ones are counted as wrong room codes are.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils.crypto import salted_hmac

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.models import Screen
from games.services import rate_limit, server_time
from games.services.nights import tv_screens

ALPHABET = "CDFGHJKMNPQRTWXY"
"""Letters of room codes: no vowels, no look-alikes."""
LENGTH = 4
STAND = timedelta(minutes=10)
"""The time for which letters are good."""
RENEWED = timedelta(minutes=7)
"""Their age from which the screen shows others, so that nobody types the last of them."""
MOST_OF_ADDRESS, MOST = 20, 400
"""Screens that wait to be taken in: of one address, and of all."""
KEPT_UNTAKEN = timedelta(hours=1)
KEPT_UNSEEN = timedelta(days=400)
"""A screen's cookie lasts as long."""
TRIES = 20
AGAIN_SECONDS = 30


def find(digest: str) -> Screen | None:
    """Return the screen of a secret's digest; None without one."""
    return Screen.objects.filter(secret_hash=digest).select_related("taken_by").first() if digest else None


def open_or_renew(secret: str, address: str) -> tuple[Screen, str]:
    """Return a browser's screen, a new one where it has none, and its secret; its letters are good for minutes yet."""
    screen = find(tv_screens.digest_of(secret)) if secret else None
    if screen is None:
        screen, secret = _open(address)
    now = server_time.now()
    Screen.objects.filter(pk=screen.pk).update(seen_at=now)
    age = now - screen.lettered_at if screen.lettered_at is not None else None
    # A clock that was set back makes them younger than nothing.
    if screen.letters is None or age is None or not timedelta() <= age <= RENEWED:
        _give_letters(screen, now)
    return screen, secret


def shown(screen: Screen) -> str:
    """Return the letters of a screen that are good now; "" for none."""
    return screen.letters or "" if screen in _good(Screen.objects.filter(pk=screen.pk)) else ""


def _open(address: str) -> tuple[Screen, str]:
    """Make a screen that waits to be taken in, opened from an address."""
    secret = secrets.token_urlsafe(24)
    origin = salted_hmac("games.screen.origin", network_of(address), algorithm="sha256").hexdigest()[:32]
    with transaction.atomic():
        _make_room(origin)
        now = server_time.now()
        about = {"origin": origin, "opened_at": now, "seen_at": now}
        return Screen.objects.create(secret_hash=tv_screens.digest_of(secret), **about), secret


def _make_room(origin: str) -> None:
    """Delete those that waited longest: of the same address, then of the one with the most, until there is room."""
    waiting = Screen.objects.filter(taken_at=None)
    own = waiting.filter(origin=origin)
    _delete_oldest(own, own.count() - MOST_OF_ADDRESS + 1)
    if (over := waiting.count() - MOST + 1) > 0:
        crowds = waiting.values("origin").annotate(n=Count("pk")).order_by("-n", "origin")
        _delete_oldest(waiting.filter(origin=crowds[0]["origin"]), over)


def _delete_oldest(rows: QuerySet[Screen], count: int) -> None:
    if count > 0:
        oldest = rows.order_by("opened_at", "pk").values_list("pk", flat=True)[:count]
        Screen.objects.filter(pk__in=list(oldest)).delete()


def _give_letters(screen: Screen, now: datetime) -> None:
    """Give a screen letters that no other one has; none where chance finds none."""
    for _try in range(TRIES):
        letters = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        is_over = ~Q(lettered_at__gt=now - STAND, lettered_at__lte=now)
        Screen.objects.filter(is_over, letters=letters).update(letters=None)
        try:
            with transaction.atomic():
                Screen.objects.filter(pk=screen.pk).update(letters=letters, lettered_at=now)
        except IntegrityError:
            continue
        screen.letters, screen.lettered_at = letters, now
        return


def _good(rows: QuerySet[Screen]) -> QuerySet[Screen]:
    """Keep the screens with letters that are good now."""
    now = server_time.now()
    return rows.filter(letters__isnull=False, lettered_at__gt=now - STAND, lettered_at__lte=now)


def clean(typed: str) -> str:
    """Return letters as they are shown, from what somebody typed."""
    return "".join(typed.split()).upper()


def used(typed: str, by: str) -> Screen:
    """Return the screen that shows some letters, held; they are used up.

    `by` is the key by which who enters them is counted. Who sends the same form twice at once gets the screen twice.
    Raises Illegal `wrong_letters`, and `too_many_tries` (with `seconds`) after too many wrong ones.
    """
    letters = clean(typed)
    counts = {"screen_letters": f"screen-{by}", "screen_letters_house": "all"}
    for name, key in counts.items():
        rate_limit.check(name, key)
    screen = _shows(letters, by) if len(letters) == LENGTH and set(letters) <= set(ALPHABET) else None
    if screen is None:
        for name, key in counts.items():
            rate_limit.note(name, key)
        raise Illegal("wrong_letters")
    screen.letters = screen.lettered_at = None
    screen.save(update_fields=["letters", "lettered_at"])
    return screen


def _shows(letters: str, by: str) -> Screen | None:
    """Return the screen with these letters, held: that shows them, or showed them to the same person just now."""
    again = f"screen-letters:{letters}:{by}"
    wanted = Q(pk=cache.get(again) or 0) | Q(pk__in=_good(Screen.objects.filter(letters=letters)))
    screen = Screen.objects.select_for_update(no_key=True, of=("self",)).filter(wanted).first()
    if screen is not None:
        cache.set(again, screen.pk, AGAIN_SECONDS)
    return screen


def forget_old(now: datetime) -> int:
    """Delete the screens that nobody took in, and those that were not seen for longer than their cookie lasts."""
    untaken = Q(taken_at=None, seen_at__lt=now - KEPT_UNTAKEN)
    return Screen.objects.filter(untaken | Q(seen_at__lt=now - KEPT_UNSEEN)).delete()[1].get("games.Screen", 0)
