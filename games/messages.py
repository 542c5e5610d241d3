"""Refusals in words: every code of the house, the kernel and the protocol, translated.

`Illegal` carries a code and params; the edge (pages, API, sockets) turns them into one
whole friendly sentence in the reader's language. A game's own codes come from its
`GameConfig.messages`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, TypeAlias

from django.utils.translation import gettext_lazy as _

from games import plugin
from games.api_messages import API
from games.game_texts import gettext_of
from games.kernel.contract import JsonObject
from games.kernel.options import OptionSet
from games.people_messages import PEOPLE
from games.rules_messages import RULES

Params: TypeAlias = Mapping[str, Any]

# Who may do it.
_RIGHTS: dict[str, Any] = {
    "not_inside": _("You are not at this night. Join it first."),
    "removed": _("The host has shown you the door of this night."),
    "not_host": _("Only the host can do that."),
    "not_seated": _("You have no seat at this table: you can watch."),
    "not_your_turn": _("It is not your turn."),
    "host_is_here": _("The host is here."),
    "host_stays": _("The host can't be shown the door."),
}
# Nights, codes and links.
_NIGHTS: dict[str, Any] = {
    "night_closed": _("This night is over."),
    "night_locked": _("This night is locked: ask the host to let you in."),
    "night_full": _("This night is full: %(cap)s people are in."),
    "night_name": _("Give the night a name of at most 80 characters."),
    "no_such_venue": _("The house has no such venue any more. Choose another one."),
    "venue_name": _("Give the venue a name of at most %(longest)s characters."),
    "venue_taken": _("Another venue has this name."),
    "no_code": _("No room code is free at the moment. Please try again."),
    "wrong_code": _("No open night has this code. Look at it once more."),
    "wrong_link": _("This link opens nothing any more. Ask for a new one."),
    "wrong_number": _("No phone of this person has shown this number in the last few minutes."),
    "move_gone": _("This number is used up or too old. Ask for a new one."),
    "bad_cap": _("A night takes from 2 to 500 people."),
    "no_such_player": _("This player is not at the night."),
    "too_many_tries": _("Too many tries: wait %(seconds)s seconds."),
    "nickname_empty": _("Tell us a name that people can see."),
    "nickname_characters": _("This name has characters that can't be shown."),
    "nickname_long": _("A name has at most %(longest)s characters."),
}
# Tables and seats.
_TABLES: dict[str, Any] = {
    "no_such_table": _("There is no such table."),
    "no_such_night": _("There is no such night."),
    "no_such_game": _("This house has no such game."),
    "no_such_preset": _("This game has no such variant."),
    "already_started": _("The game has started: the seats and the rules are set."),
    "not_started": _("The game has not started yet."),
    "is_archived": _("This table is archived already."),
    "not_archived": _("This table is not archived."),
    "log_faults": _("This does not hold together: %(faults)s."),
    "not_finished": _("The game is still going on."),
    "finished": _("The game is over."),
    "paused": _("The game is paused."),
    "not_paused": _("The game is not paused."),
    "table_full": _("All seats of this table are taken."),
    "too_few_seats": _("The game needs at least %(few)s at the table."),
    "too_many_seats": _("The game takes at most %(many)s at the table."),
    "not_accepted": _("Still to accept the house rules: %(names)s."),
    "seat_empty": _("Nobody sits there any more."),
    "seated": _("This player has a seat at the table already."),
    "seat_gone": _("This seat has left the game: nobody plays on from there."),
    "no_newcomers": _("Nobody new can join this game any more."),
    "join_later": _("Your seat is still in the game that is played: come back when it is over."),
    "adults_only": _("This table is for adults only: say first that you are of age."),
    "accept_first": _("Accept the rules card first: you take over somebody's seat."),
    "accepted": _("You have accepted the rules card already."),
    "taken_off": _("The host has taken you off your seat: only the host can let you back."),
    "bad_level": _("This game has no bot of that strength."),
    "chat_empty": _("Write something first."),
    "chat_long": _("A message has at most %(longest)s characters."),
    "chat_kept": _("Of your messages %(most)s already wait for the game to be over."),
}
# Playing.
_PLAY: dict[str, Any] = {
    "not_open": _("That can't be done now."),
    "stale": _("The game has moved on since. Look again, then decide."),
    "bad_args": _("That is not one of the possible moves."),
    "unknown_command": _("The house does not know this command."),
    "no_basis": _("The command does not say which decision it answers."),
    "bad_command_id": _("A command needs an id of 1 to 48 characters."),
    "hints_off": _("The house rules allow no hints."),
    "no_hints": _("This game gives no hints."),
}
# Corrections of results.
_RESULTS: dict[str, Any] = {
    "is_correction": _("A correction is not corrected itself: correct the game once more."),
    "no_reason": _("Say in up to 200 characters why the result is corrected."),
    "bad_points": _("Give somebody points, at most %(most)s either way."),
    "no_such_seat": _("Nobody had this seat in the game."),
    "no_replay": _("There is no finished game here to replay."),
    "too_much": _("By more than the sheet's largest result, %(most)s, the host alone moves somebody."),
    "too_many_waiting": _("At this table %(most)s corrections wait already: first they are answered."),
    "no_such_correction": _("This correction waits no more."),
    "not_asked": _("This correction is not yours to answer."),
    "not_zero": _("What some lose others win: the points have to add up to 0."),
}
# Values of house rules.
_OPTIONS: dict[str, Any] = {
    "bad_options": _("Some of these house rules don't fit."),
    "not_bool": _("This is yes or no."),
    "not_int": _("This is a whole number."),
    "out_of_range": _("This is a number from %(low)s to %(high)s."),
    "not_a_choice": _("This is one of: %(choices)s."),
    "not_text": _("Write something that can be shown."),
    "unknown_option": _("The game has no such house rule."),
    "missing": _("This house rule is missing."),
}
# The line itself (docs/protocol.md §7) and the API.
_PROTOCOL: dict[str, Any] = {
    "bad_json": _("The message is not JSON."),
    "not_an_object": _("The message is not a JSON object."),
    "binary": _("The message is not text."),
    "too_deep": _("The message is nested too deeply."),
    "unknown_type": _("The house does not know this type of message."),
    "bad_field": _("Something in the message is missing or of the wrong kind: %(field)s."),
    "too_long": _("That is too long."),
    "too_many_nights": _("You host %(most)s nights that are not closed. Close one first."),
    "too_many_tables": _("This night has had %(most)s tables. That is as many as one takes."),
    "too_many": _("Too much at once. Wait a moment."),
    "too_many_bad": _("Too many messages that the house does not understand."),
    "too_many_sockets": _("Too many pages are open from your network. Trying again."),
    "too_many_pages": _("You have opened newer pages: this one has stopped. Reload it to go on."),
    "too_slow": _("Your line is too slow. Connecting again."),
    "no_hello": _("Say hello first."),
    "busy": _("The house is busy. Trying again."),
    "failed": _("Something broke on our side. Nothing you played is lost."),
    "no_csrf": _("The page was too old. Reload it and try again."),
    "not_allowed": _("This address does not do that."),
    "not_found": _("There is nothing here."),
}
HOUSE: dict[str, Any] = {
    **_RIGHTS,
    **_NIGHTS,
    **PEOPLE,
    **_TABLES,
    **_PLAY,
    **_RESULTS,
    **_OPTIONS,
    **RULES,
    **_PROTOCOL,
    **API,
}
"""Every code of the house → its message id."""

_OTHERWISE = _("That can't be done now.")


def translate(code: str, params: Params, game_id: str | None = None) -> str:
    """Return what a refusal says, in the active language; a sentence for any code.

    The house's codes come first, then the messages of the game `game_id`. A param `why` may be
    a code of the game's, too: then its sentence is filled in.
    """
    text = HOUSE.get(code)
    game = plugin.all_games().get(game_id or "")
    if text is None and game is not None:
        text = game.messages.get(code)
    message = str(_OTHERWISE if text is None else text)
    if game is not None and isinstance(why := params.get("why"), str) and why in game.messages:
        params = {**params, "why": str(game.messages[why])}
    # A param that a caller forgot must not turn a refusal into a failure.
    return message % defaultdict(lambda: "…", params) if "%(" in message else message


def translate_option(options: OptionSet, option_id: str, code: str, params: Params) -> str:
    """Return why an option's value is refused: the declaration's own reason, or the house's."""
    game = plugin.game_of(options)
    for exclusion in options.exclusions:
        if (exclusion.field, exclusion.code) == (option_id, code):
            return gettext_of(game, exclusion.reason)
    return translate(code, params, game.game_id if game else None)


def error_json(code: str, params: Params, game_id: str | None = None) -> JsonObject:
    """Return an error as browsers get it, in the active language (docs/protocol.md §3)."""
    message = translate(code, params, game_id)
    return {"type": "error", "code": code, "message": message, "params": dict(params)}
