"""Metrics for operators, in Prometheus' format.

They contain no names and no addresses. Counting costs about a microsecond, so events of every move are counted once per
batch. With several workers (`serve`) the metrics are in files that all of them read: `/metrics` of any worker answers
for all.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

_FAST = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 20)

_accepted = Counter("stammtisch_commands_accepted", "Commands that were committed.")
_refused = Counter("stammtisch_commands_refused", "Commands that were refused.", ["code"])
_failed = Counter("stammtisch_commands_failed", "Commands that met a fault of ours.")
_batch_size = Histogram(
    "stammtisch_batch_commands",
    "Commands in one commit.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128),
)
_batch_seconds = Histogram("stammtisch_batch_seconds", "Time of one commit.", buckets=_FAST)
_bot_seconds = Histogram("stammtisch_bot_seconds", "Time of one bot's thought.", buckets=_FAST)
_bot_faults = Counter(
    "stammtisch_bot_faults",
    "Bots that failed or stalled (a random answer took their place), or are stuck (the clock played).",
    ["event"],
)
_clock_failed = Counter("stammtisch_clock_failures", "Tables at which the clock met a fault of ours.")
_http = Counter("stammtisch_http_requests", "HTTP requests by class of status.", ["status"])
_attacks = Counter(
    "stammtisch_attacks",
    "Requests that look like an attack: forms of other sites, made-up requests, too many passwords or codes.",
    ["kind"],
)
_closes = Counter("stammtisch_socket_closes", "WebSockets closed, by code.", ["by", "code"])

_sockets = Gauge("stammtisch_sockets", "Open WebSockets.", multiprocess_mode="livesum")
_rooms = Gauge("stammtisch_rooms", "Tables with somebody connected.", multiprocess_mode="livesum")
_clock_held = Gauge("stammtisch_clock_held", "Processes that run the clock.", multiprocess_mode="livesum")
_clock_lag = Gauge(
    "stammtisch_clock_lag_seconds",
    "How long the most overdue table has been waiting for the clock.",
    multiprocess_mode="mostrecent",
)
_clock_jump = Gauge(
    "stammtisch_clock_jump_seconds",
    "How far the computer's clock has gone away from the house's time.",
    multiprocess_mode="mostrecent",
)
_longest_wait = Gauge(
    "stammtisch_longest_wait_seconds",
    "How long ago the last entry was of the playing table with people where nothing has happened for longest.",
    multiprocess_mode="mostrecent",
)
_task_good = Gauge(
    "stammtisch_task_ok",
    "Whether the last run of a background task has succeeded (1) or failed (0).",
    ["task"],
    multiprocess_mode="mostrecent",
)
_task_age = Gauge(
    "stammtisch_task_age_seconds",
    "How long ago a background task succeeded last; the backup's is its age.",
    ["task"],
    multiprocess_mode="mostrecent",
)
_memory = Gauge("stammtisch_worker_memory_bytes", "Resident memory.", multiprocess_mode="liveall")
_cpu = Gauge("stammtisch_worker_cpu_seconds", "Processor time since the start.", multiprocess_mode="liveall")


def committed(count: int, seconds: float) -> None:
    """Count a batch: the number of its commands, and its duration."""
    _batch_size.observe(count)
    _batch_seconds.observe(seconds)


def accepted() -> None:
    """Count a command that was committed."""
    _accepted.inc()


def refused(code: str) -> None:
    """Count a command that the rules or the house refused."""
    _refused.labels(code).inc()


def failed() -> None:
    """Count a command that failed because of an error of ours."""
    _failed.inc()


def thought(seconds: float) -> None:
    """Note the seconds that a bot thought."""
    _bot_seconds.observe(seconds)


def bot_fault(event: str) -> None:
    """Count a fault of a bot: `failed`, `stalled` or `stuck`."""
    _bot_faults.labels(event).inc()


def clock_failed() -> None:
    """Count a table at which the clock failed."""
    _clock_failed.inc()


def answered(status: int) -> None:
    """Count an HTTP answer."""
    _http.labels(f"{status // 100}xx").inc()


def attacked(kind: str) -> None:
    """Count a request that looks like an attack, by its kind."""
    _attacks.labels(kind).inc()


def closed(by: str, code: int) -> None:
    """Count a WebSocket that the "house" or the "browser" closed."""
    _closes.labels(by, str(code)).inc()


def note_process(sockets: int, rooms: int, is_clock: bool, memory: int, cpu: float) -> None:
    """Set the current figures of this process; memory in bytes, processor time in seconds."""
    _sockets.set(sockets)
    _rooms.set(rooms)
    _clock_held.set(is_clock)
    _memory.set(memory)
    _cpu.set(cpu)


def note_clock_lag(seconds: float) -> None:
    """Note the clock's delay."""
    _clock_lag.set(seconds)


def note_clock_jump(seconds: float) -> None:
    """Note the difference between the computer's clock and the house's time."""
    _clock_jump.set(seconds)


def note_task(name: str, is_good: bool, age: float | None) -> None:
    """Note how the last run of a background task ended, and its age in seconds; None if it never succeeded."""
    _task_good.labels(name).set(is_good)
    if age is not None:
        _task_age.labels(name).set(age)


def note_longest_wait(seconds: float) -> None:
    """Note how long the table has waited that waits longest."""
    _longest_wait.set(seconds)
