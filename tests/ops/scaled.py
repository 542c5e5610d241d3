"""What is tested again on PostgreSQL and Redis: what a database or a message layer can change, each once."""

from __future__ import annotations

import re

from tests.seeds import share_of_day

# What databases do in ways of their own: locks, transactions, constraints, SQL by hand; and the layer.
OWN_WAYS = re.compile(
    r"\b(select_for_update|atomic|on_commit|IntegrityError|OperationalError|RawSQL|vendor|ignore_conflicts"
    r"|get_or_create|update_or_create|bulk_create|annotate|aggregate|get_channel_layer)\b|\.(raw|cursor)\("
)

COVERED: dict[str, tuple[str, ...]] = {
    "services/tables/commit.py": (
        "tables/commit/test_commit.py",
        "tables/commit/test_commit_faults.py",
        "tables/commit/test_commands.py",
    ),
    "services/tables/log.py": ("tables/test_log.py", "tables/test_log_faults.py", "tables/test_evenings.py"),
    "services/tables/sql.py": ("tables/commit/test_commands.py", "tables/seats/test_joining.py"),
    "services/tables/setup.py": (
        "tables/test_setup.py",
        "tables/test_played_on.py",
        "nights/test_closing_beside_acts.py",
    ),
    "services/hosting/kept_seats.py": ("tables/seats/test_kept_seats.py",),
    "services/logs/log_views.py": ("live/protocol/test_socket_resume.py",),
    "services/chat/chat.py": ("tables/test_chat.py",),
    "services/publication.py": ("live/protocol/test_socket_order.py", "live/protocol/test_socket_resume.py"),
    "services/storage/log_files.py": ("tables/test_log_files.py",),
    "services/logs/data_folders.py": ("ops/test_data_folders.py",),
    "services/logs/archive.py": ("admin/test_evenings.py",),
    "services/clock/clock.py": ("tables/test_clock.py",),
    "services/clock/bots.py": ("tables/test_bots.py",),
    "services/tasks.py": ("ops/test_background_tasks.py",),
    "services/staff/table_acts.py": ("admin/test_stuck_tables.py",),
    "services/processes.py": ("ops/test_clock_processes.py",),
    "services/rolls/dice_figures.py": ("history/test_dice_figures.py",),
    "services/history/tallies.py": ("history/test_corrections.py", "history/test_player_page.py"),
    "services/history/past_games.py": ("history/test_past_games.py", "history/test_past_nights.py"),
    "services/history/consent.py": ("history/test_consent.py",),
    "services/nights/without_phone.py": ("history/test_consent.py",),
    "services/history/results.py": ("history/test_results.py",),
    "services/history/score_sheets.py": ("history/test_results.py",),
    "services/history/figures.py": ("history/test_figures.py",),
    "services/history/corrections.py": ("history/test_corrections.py",),
    "services/history/player_history.py": ("history/test_player_page.py", "api/test_api_lists.py"),
    "services/house_rules/files.py": ("house_rules/test_files.py",),
    "services/house_rules/sets.py": ("house_rules/test_sets.py",),
    "services/history/night_tallies.py": ("seasons/test_seasons.py", "draws/test_drawn_rounds.py"),
    "services/grades/deeper_grading.py": ("grades/test_passes.py",),
    "services/grades/jobs.py": ("grades/test_jobs.py", "grades/test_passes.py"),
    "services/grades/brought.py": ("grades/test_brought.py",),
    "services/grades/position.py": ("grades/test_position.py",),
    "services/grades/quiz.py": ("grades/test_quiz.py",),
    "services/grades/questions.py": ("grades/test_questions.py",),
    "services/house.py": ("house/test_house.py",),
    "services/calendar/all_series.py": ("calendar/test_series.py",),
    "services/calendar/expected.py": ("calendar/test_from_a_night.py",),
    "services/calendar/answers.py": ("calendar/test_series.py",),
    "services/calendar/dates.py": ("calendar/test_series.py",),
    "services/webhooks/outbox.py": ("webhooks/test_webhooks.py",),
    "services/webhooks/webhooks.py": ("webhooks/test_webhooks.py",),
    "services/mails/outbox.py": ("mails/test_mails.py",),
    "services/mails/wishes.py": ("mails/test_mails.py",),
    "services/history/matches.py": ("history/test_told_results.py", "seasons/test_matches.py"),
    "services/seasons/requests.py": ("seasons/test_matches.py",),
    "services/seasons/season_matches.py": ("seasons/test_matches.py",),
    "services/sharing/links.py": ("sharing/test_sharing.py",),
    "services/seasons/sheet_names.py": ("sheets/test_sheets.py",),
    "services/sheets/sheets.py": ("sheets/test_sheets.py", "sheets/test_carried.py"),
    "services/tournaments/acts.py": ("tournaments/test_tournaments.py",),
    "services/tournaments/automatic.py": ("tournaments/test_tournaments.py", "tournaments/test_against_the_kernel.py"),
    "services/tournaments/log.py": ("tournaments/test_tournaments.py", "tournaments/test_against_the_kernel.py"),
    "services/tournaments/participants.py": ("tournaments/test_tournaments.py", "tournaments/test_here.py"),
    "services/tournaments/entering.py": ("tournaments/test_tournaments.py",),
    "services/tournaments/tournaments.py": ("tournaments/test_tournaments.py",),
    "services/tables/seating/leaving.py": ("tables/test_here.py",),
    "services/draws/regrouping.py": ("draws/test_regrouping.py",),
    "services/draws/drawn_rounds.py": ("draws/test_drawn_rounds.py",),
    "services/draws/waiting_list.py": ("draws/test_waiting_list.py",),
    "services/draws/strengths.py": ("draws/test_drawn_tables.py",),
    "services/draws/drawn_tables.py": ("draws/test_drawn_tables.py",),
    "services/seasons/entrants.py": ("seasons/test_seasons.py",),
    "services/seasons/proposals.py": ("seasons/test_proposals.py",),
    "services/seasons/season_nights.py": ("seasons/test_seasons.py",),
    "services/seasons/seasons.py": ("seasons/test_seasons.py",),
    "services/payments/ticks.py": ("payments/test_ticks.py",),
    "services/payments/settlings.py": ("payments/test_settlings.py",),
    "services/payments/naming.py": ("payments/test_accounts.py",),
    "services/payments/bank_details.py": ("payments/test_bank_details.py",),
    "services/row_locks.py": ("collisions/test_collisions.py",),
    "services/hosting/demo.py": ("nights/test_demo.py",),
    "services/hosting/device_transfer.py": ("nights/test_join.py",),
    "services/nights/membership.py": ("nights/test_membership.py",),
    "services/nights/phone_address.py": ("nights/test_phone_address.py",),
    "services/hosting/practice.py": ("nights/test_practice.py",),
    "services/hosting/take_over.py": ("nights/test_take_over.py",),
    "services/hosting/abandoned_nights.py": ("nights/test_unused.py",),
    "services/nights/venues.py": ("nights/test_venues.py",),
    "services/people/accounts.py": ("people/test_merging.py",),
    "services/people/bans.py": ("people/test_sockets.py",),
    "services/hosting/claims.py": ("people/test_merging.py",),
    "services/people/deletion.py": ("people/test_deletion.py", "ops/test_housekeeping.py"),
    "services/people/lost_answers.py": ("security/people/test_lost_answers.py",),
    "services/people/merging.py": ("people/test_merging.py",),
    "services/people/players.py": ("people/test_nicknames.py",),
    "services/people/tokens.py": ("people/test_tokens.py",),
    "services/people/two_factor.py": ("security/people/test_two_factor.py",),
    "services/form_ids.py": ("history/test_form_ids.py",),
    "services/rate_limit.py": ("security/people/test_lockouts.py", "live/servers/test_socket_limits.py"),
    "live/rooms/subscriptions.py": ("live/servers/test_socket_layer.py",),
    "live/rooms/relay.py": ("live/test_relay.py", "live/servers/test_socket_layer.py"),
}
"""Module of the house → the test files, below tests/, that show it on PostgreSQL and Redis."""

WHOLE_WAYS = (
    "live/protocol/test_socket_joining.py",
    "live/protocol/test_socket_play.py",
    "live/protocol/test_socket_seats.py",
    "tables/commit/test_threads.py",
)
"""Files that go through many modules at once."""

# Of these files: cases of what is decided before the database is asked, or of finished logs read back.
SAME_ANYWHERE = ("in_memory", "check_logs_finds", "a_bad_correction_is_refused", "only_the_host_may")


def test_files() -> list[str]:
    """Return the files of the scaled set, below tests/."""
    return sorted({*WHOLE_WAYS, *(name for names in COVERED.values() for name in names)})


def files_of_day() -> list[str]:
    """Return the day's eighth of the set, and the files that go through many modules at once."""
    return sorted({*WHOLE_WAYS, *share_of_day(test_files(), 8)})
