"""The refusals of the house: code → sentence, HTTP status, answer of the site and of a socket.

`Illegal(code, **params)` is raised anywhere; pages, the API, sockets, the admin and the commands read this table.
Refusals of a single game are in its `GameConfig.messages` and always a 400.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.utils.translation import gettext_lazy as _

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import JsonObject
from games.kernel.options import OptionSet

Params: TypeAlias = Mapping[str, Any]

FORBIDDEN, NOT_FOUND = 4403, 4404
"""Socket closes after which a browser does not connect again."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The meaning of a code.

    `text` has `%(name)s` for the params of `Illegal`; if it addresses the person, `about` is the sentence about them
    for the staff. `status` is of HTTP. `page`: the site shows a page with the status; without it, a message beside the
    form (400). `close` is the WebSocket close code if the refusal ends a connection; `bye` precedes a 4403 or 4404,
    `error` any other.
    """

    text: Any
    status: int = 400
    page: bool = False
    close: int | None = None
    about: Any = ""


REFUSALS: Mapping[str, Refusal] = {
    # Rights.
    "not_inside": Refusal(_("You are not at this night. Join it first."), 403, page=True, close=FORBIDDEN),
    "own_password_first": Refusal(
        _("First a password of your own: the printed one opens nothing else."), 403, page=True
    ),
    "guests_only": Refusal(_("This is for guests of the house: join a night first, or log in."), 403, page=True),
    "removed": Refusal(_("The host has shown you the door of this night."), 403, page=True, close=FORBIDDEN),
    "not_host": Refusal(_("Only the host can do that."), 403, page=True),
    "not_seated": Refusal(_("You have no seat at this table: you can watch."), 403, page=True),
    "not_keeper": Refusal(_("You do not act for this seat, or not in this."), 403, page=True),
    "own_gain": Refusal(_("You would get these points: somebody else has to agree for %(name)s."), 403),
    "no_phone": Refusal(_("This person has no phone, and so can't enter what others do.")),
    "not_your_turn": Refusal(_("It is not your turn.")),
    "host_is_here": Refusal(_("The host is here.")),
    "host_stays": Refusal(_("The host can't be shown the door."), 403),
    "former_host_stays": Refusal(
        _("The night was theirs before it was taken over: tonight nobody shows them the door."), 403
    ),
    "others_first": Refusal(_("Others may take over first. It is your turn in %(seconds)s seconds."), 409),
    "came_later": Refusal(_("You came when the host had gone: somebody who was here before takes over."), 403),
    "not_former_host": Refusal(_("Nobody has taken this night over from you tonight."), 403, page=True),
    "taken_over_lately": Refusal(
        _(
            "This night was taken over a short while ago: its host can end nothing and change no result for another "
            "%(minutes)s minutes."
        ),
        409,
    ),
    # Nights, room codes, links, names.
    "night_closed": Refusal(_("This night is over."), 409),
    "night_locked": Refusal(_("This night is locked: ask the host to let you in."), 409),
    "too_many_by_code": Refusal(
        _(
            "Already %(most)s people who typed the code have no seat yet. Scan the QR code, or wait until some of them "
            "play."
        ),
        409,
    ),
    "too_many_at_door": Refusal(_("Already %(most)s people wait for the host. Try again a little later."), 409),
    "bad_moment": Refusal(_("A day and a time are needed.")),
    "bad_time": Refusal(_("A time is needed, such as 21:40.")),
    "night_full": Refusal(_("This night is full: %(cap)s people are in."), 409),
    "practice_night": Refusal(_("This is your own practice: nobody else comes in.")),
    "too_many_practice": Refusal(
        _("Too many people play against the computer just now. Try again in a few minutes."), 429, page=True
    ),
    "night_name": Refusal(_("Give the night a name of at most 80 characters.")),
    "phone_address": Refusal(_("This computer does not have that address any more: choose one of the list.")),
    "wifi_name": Refusal(_("The name of a Wi-Fi has at most 32 characters.")),
    "wifi_password": Refusal(_("A Wi-Fi's password has 8 to 63 plain characters; an open Wi-Fi has none.")),
    "house_name": Refusal(_("The name has at most %(longest)s characters.")),
    "house_price": Refusal(_("Say it in at most %(longest)s characters.")),
    "house_text": Refusal(_("Say it in at most %(longest)s characters.")),
    "no_such_country": Refusal(_("Choose a country of the list.")),
    "no_such_time_zone": Refusal(_("Choose a time zone of the list.")),
    "no_such_language": Refusal(_("Choose a language of the list.")),
    "no_such_worth": Refusal(_("Choose what points may be worth.")),
    "bad_amount": Refusal(_("This is an amount such as 0.50, or nothing for no limit.")),
    "logo_kind": Refusal(_("A logo is a still picture in the format PNG, JPEG or WebP.")),
    "logo_size": Refusal(_("A logo has at most %(kilobytes)s kB, and %(pixels)s pixels on a side.")),
    "no_such_venue": Refusal(_("The house has no such venue any more. Choose another one."), 404),
    "venue_name": Refusal(_("Give the venue a name of at most %(longest)s characters.")),
    "venue_taken": Refusal(_("Another venue has this name.")),
    "wrong_letters": Refusal(_("No screen shows these letters. Look at it once more."), 404),
    "no_such_screen": Refusal(_("This screen is not among those that you may use here: enter its letters."), 404),
    "no_screens_to_take": Refusal(
        _("Big screens are for hosts of an open night and for the staff: open a night or log in, then come back."),
        403,
        page=True,
    ),
    "screen_name": Refusal(_("Give the screen a name of at most %(longest)s characters.")),
    "no_such_table_here": Refusal(_("Choose a table that is being played at this night.")),
    "not_screens_keeper": Refusal(_("Only the staff, or who took this screen in, can take it away."), 403),
    "no_code": Refusal(_("No room code is free at the moment. Please try again.")),
    "wrong_code": Refusal(_("No open night has this code. Look at it once more."), 404),
    "wrong_link": Refusal(_("This link opens nothing any more. Ask for a new one."), 404, page=True, close=FORBIDDEN),
    "wrong_number": Refusal(_("No phone of this person has shown this number in the last few minutes.")),
    "move_gone": Refusal(_("This number is used up or too old. Ask for a new one.")),
    "bad_cap": Refusal(_("A night takes from 2 to 500 people.")),
    "not_offered": Refusal(_("This person sits at a table already, or has a phone by now. Look again."), 409),
    "no_such_player": Refusal(_("This player is not at the night.")),
    "too_many_tries": Refusal(_("Too many tries: wait %(seconds)s seconds."), 429, page=True),
    "nickname_empty": Refusal(_("Tell us a name that people can see."), about=_("Give a name that people can see.")),
    "nickname_of_host": Refusal(_("This name looks like that of the host, %(host)s: choose another one.")),
    "nickname_of_organiser": Refusal(
        _("This name looks like that of the organiser, %(organiser)s: choose another one.")
    ),
    "nickname_characters": Refusal(_("This name has characters that can't be shown.")),
    "nickname_long": Refusal(_("A name has at most %(longest)s characters.")),
    # People, accounts, claims.
    "banned": Refusal(_("This house lets you in no more. Talk to the people who run it."), 403, page=True),
    "already_banned": Refusal(_("This player is banned already.")),
    "no_reason_given": Refusal(_("Say why, in up to %(longest)s characters.")),
    "not_banned": Refusal(_("This player is not banned.")),
    "has_account": Refusal(_("This name belongs to an account: log in on this phone instead.")),
    "no_account": Refusal(_("This needs an account: create one or log in.")),
    "not_a_guest": Refusal(_("This history belongs to an account already.")),
    "wrong_password": Refusal(_("This is not your password."), 403, page=True),
    "not_confirmed": Refusal(_("Tick the box first.")),
    "same_player": Refusal(_("This is the same player.")),
    "gone_player": Refusal(_("This player is gone: joined to another one, or deleted.")),
    "not_met": Refusal(
        _("You have not met this player at any night: only those who have see this page."), 403, page=True
    ),
    "two_accounts": Refusal(_("Both players have an account of their own.")),
    "same_table": Refusal(_("Both sat at table %(number)s of “%(night)s”: they can't be one and the same person.")),
    "same_tournament": Refusal(
        _("Both were drawn in the tournament “%(name)s” of “%(night)s”: they can't be one and the same person.")
    ),
    "both_there": Refusal(
        _("Both were somewhere at the same time: %(where)s. Say whether they are one person all the same."), 409
    ),
    "claim_gone": Refusal(_("This question has been answered or has become too old.")),
    "too_soon": Refusal(_("Their own phone is asked first. Wait %(seconds)s seconds.")),
    "host_not_on_offer": Refusal(_("The host's own name is not given to another phone. Hand the night over first.")),
    "own_claim": Refusal(
        _("You are the host: nobody can confirm this to you. Log in on the phone that you played on.")
    ),
    "hosts_a_night": Refusal(
        _("You host “%(night)s”. Close the night or hand it over first."),
        about=_("This player hosts “%(night)s”: close that night first."),
    ),
    "staff_account": Refusal(
        _("This account belongs to the staff of the house: ask another admin."),
        about=_("This account belongs to the staff: take that away first."),
    ),
    # Tables and seats.
    "no_such_table": Refusal(_("There is no such table."), 404, page=True, close=NOT_FOUND),
    "no_such_night": Refusal(_("There is no such night."), 404, close=NOT_FOUND),
    "no_such_game": Refusal(_("This house has no such game."), 404, page=True, close=NOT_FOUND),
    "no_such_preset": Refusal(_("This game has no such variant."), 404),
    "already_started": Refusal(_("The game has started: the seats and the rules are set."), 409),
    "not_started": Refusal(_("The game has not started yet.")),
    "is_archived": Refusal(_("This table is archived already.")),
    "not_archived": Refusal(_("This table is not archived.")),
    "log_faults": Refusal(_("This does not hold together: %(faults)s.")),
    "not_finished": Refusal(_("The game is still going on."), 409),
    "finished": Refusal(_("The game is over.")),
    "paused": Refusal(_("The game is paused.")),
    "not_paused": Refusal(_("The game is not paused.")),
    "not_waiting": Refusal(_("No table waits there any more."), 409),
    "table_full": Refusal(_("All seats of this table are taken."), 409),
    "too_few_seats": Refusal(_("The game needs at least %(few)s at the table."), 409),
    "too_many_seats": Refusal(_("The game takes at most %(many)s at the table."), 409),
    "not_accepted": Refusal(_("Still to accept the house rules: %(names)s."), 409),
    "other_sitter": Refusal(_("Somebody else sits there by now: %(name)s. Nothing has changed."), 409),
    "seat_empty": Refusal(_("Nobody sits there any more.")),
    "seat_number": Refusal(_("Name the seat by its id: the numbers of seats move up when somebody leaves.")),
    "seated": Refusal(_("This player has a seat at the table already.")),
    "seat_gone": Refusal(_("This seat has left the game: nobody plays on from there.")),
    "no_newcomers": Refusal(_("Nobody new can join this game any more.")),
    "join_later": Refusal(_("Your seat is still in the game that is played: come back when it is over.")),
    "adults_only": Refusal(_("This table is for adults only: say first that you are of age.")),
    "accept_first": Refusal(_("Accept the rules card first: you were given this seat.")),
    "accepted": Refusal(_("You have accepted the rules card already.")),
    "taken_off": Refusal(_("The host has taken you off your seat: only the host can let you back.")),
    "no_bots_here": Refusal(_("No computer player can sit at this table: part of the game is not on the screen.")),
    "bad_level": Refusal(_("This game has no bot of that strength.")),
    "missing_level": Refusal(_("No bot of that strength can play here now: an engine is missing.")),
    "muted": Refusal(_("The host has muted you in the chat: you can read and play on."), 403),
    "chat_empty": Refusal(_("Write something first.")),
    "chat_long": Refusal(_("A message has at most %(longest)s characters.")),
    "chat_kept": Refusal(_("Of your messages %(most)s already wait for the game to be over.")),
    # Play.
    "not_open": Refusal(_("That can't be done now."), 409),
    "throw_under_way": Refusal(_("A throw is under way: its dice come in a moment."), 409),
    "no_link_wanted": Refusal(_("This throw does not wait for your device."), 409),
    "bad_link": Refusal(_("This number does not belong to your device's chain of numbers.")),
    "bad_tip": Refusal(_("A device's chain begins with 64 hexadecimal digits.")),
    "no_tips": Refusal(_("The dice of this table come from its sealed number alone."), 409),
    "stale": Refusal(_("The game has moved on since. Look again, then decide."), 409),
    "bad_args": Refusal(_("That is not one of the possible moves.")),
    "bad_argument": Refusal(_("This is missing, or it is not possible here: “%(name)s”.")),
    "unknown_command": Refusal(_("The house does not know this command.")),
    "no_basis": Refusal(_("The command does not say which decision it answers.")),
    "bad_command_id": Refusal(_("A command needs an id of 1 to 48 characters.")),
    "dice_count": Refusal(_("So many dice were thrown: %(count)s. Type what each of them shows.")),
    "dice_face": Refusal(_("A die shows a number from 1 to 6.")),
    "dice_order": Refusal(_("Name the highest die first.")),
    "hints_off": Refusal(_("The house rules allow no hints.")),
    "no_hints": Refusal(_("This game gives no hints.")),
    # Forms.
    "bad_form_id": Refusal(_("A form needs an id of 1 to 48 characters.")),
    "form_changed": Refusal(
        _("This form was sent before and has counted, with other contents. Send it once more if both shall count."), 409
    ),
    # What is owed.
    "values_forbidden": Refusal(_("In this house points are only counted: they are worth nothing.")),
    "rounds_only": Refusal(_("In this house a point may be worth rounds, and no money.")),
    "value_too_high": Refusal(_("In this house a point is worth at most %(most)s hundredths of a currency.")),
    "no_own_values": Refusal(_("At this table a point is worth the same to everybody, or the table is over.")),
    "bad_point_value": Refusal(_("A point is worth from 1 to %(most)s.")),
    "payment_moved": Refusal(
        _("This payment is not to be made any more: games or payments came in between. Look again."), 409
    ),
    "payment_waits": Refusal(_("An earlier payment between the two is ticked by one alone: first tick that one."), 409),
    "payment_booked": Refusal(_("Both have ticked this payment: it is booked."), 409),
    "not_your_payment": Refusal(_("This is for the people whom it concerns, or for the host."), 403, page=True),
    "nothing_owed": Refusal(_("Nothing is left to settle."), 409),
    "no_taker": Refusal(_("Nobody is there who could take this over.")),
    "settling_waits": Refusal(_("A proposal to settle this waits already."), 409),
    "no_such_settling": Refusal(_("This proposal waits no more."), 404),
    "balance_moved": Refusal(_("The balance is another by now: take the proposal back, and propose anew."), 409),
    "bad_iban": Refusal(_("This is no IBAN: look for a mistyped character.")),
    "bad_account_address": Refusal(_("The address has a town with its postcode, such as 8001 Zürich.")),
    "bad_account_name": Refusal(_("Give the name on the account, in at most %(longest)s characters.")),
    "nobody_owes_you": Refusal(_("At this night nobody owes you money."), 409),
    "night_long_over": Refusal(_("The night ended more than a day ago: bank details are not kept any more."), 409),
    "no_wifi_key": Refusal(
        _("The Wi-Fi's password can't be kept just now: the house can't write its key. Tell the staff."), 503
    ),
    "no_key": Refusal(_("Bank details can't be kept just now: the house can't write their key. Tell the staff."), 503),
    # Corrections of results.
    "is_correction": Refusal(_("A correction is not corrected itself: correct the game once more.")),
    "no_reason": Refusal(_("Say in up to 200 characters why the result is corrected.")),
    "bad_points": Refusal(_("Give somebody points, at most %(most)s either way.")),
    "no_such_seat": Refusal(_("Nobody had this seat in the game.")),
    "no_log_file": Refusal(
        _("The log of this table can't be read just now. The house's staff can tell why."), 503, page=True
    ),
    "no_replay": Refusal(_("There is no finished game here to replay."), 404),
    "too_much": Refusal(_("By more than the sheet's largest result, %(most)s, the host alone moves somebody.")),
    "bad_told": Refusal(_("Say who won and how: one of those who played, and a value of each field.")),
    "told_wanted": Refusal(_("Here the result itself is corrected: say who won and how; the points follow.")),
    "not_told": Refusal(_("Of this game only the points can be corrected.")),
    "told_meanwhile": Refusal(
        _("Results have been corrected meanwhile, and this would move other points now: refuse it, and propose anew."),
        409,
    ),
    "no_change": Refusal(_("That is the result as it stands."), 409),
    "bad_form": Refusal(_("A game that was played without the house lacks something, or can't be so: “%(field)s”.")),
    "not_ended": Refusal(_("A past game is over: say how it ended.")),
    "not_without_house": Refusal(_("This table cannot go on without the house: it waits for it.")),
    "too_many_games": Refusal(_("At most %(most)s games are handed over at a time: the rest stays on the device.")),
    "too_many_lists": Refusal(_("At this table %(most)s lists of games wait already: first the host answers them.")),
    "no_such_list": Refusal(_("This list of games waits no more."), 404),
    "cannot_take_back": Refusal(
        _("What has happened at the table since can't be taken back: keep it, or let the games come after it."), 409
    ),
    "too_many_waiting": Refusal(_("At this table %(most)s corrections wait already: first they are answered.")),
    "other_people": Refusal(
        _("Other people have played on this seat: correct their game on the page of results."), 409
    ),
    "no_such_correction": Refusal(_("This correction waits no more."), 404),
    "not_asked": Refusal(_("This correction is not yours to answer."), 403, page=True),
    "player_twice": Refusal(_("A player is named twice: everybody has one line.")),
    "no_such_medium": Refusal(_("This game is played in one of these ways: %(known)s.")),
    "bad_word": Refusal(_("Say of each player either points, or what the game's sheet asks.")),
    "past_by_staff": Refusal(
        _("This night is over: from now on only the house's staff enter games that were played at it."), 403, page=True
    ),
    "no_part": Refusal(_("You have no line in this game: it is entered by the host, or by somebody who played it.")),
    "nobody_named": Refusal(_("Say who this is: choose somebody, or type a name.")),
    "no_question": Refusal(_("Nobody asks you about this game, or no more."), 404),
    "not_venue_host": Refusal(
        _("Evenings of this place are entered by the hosts that the house has named for it."), 403
    ),
    "bad_day": Refusal(_("An evening of the past was today or on a day before.")),
    "not_in_night": Refusal(_("The game was played between the beginning and the end of the night.")),
    "not_zero": Refusal(_("What some lose others win: the points have to add up to 0.")),
    # Share links.
    "no_such_share": Refusal(_("There is no such link."), 404, page=True),
    "share_closed": Refusal(_("This link was closed, or what it showed is gone."), 410, page=True),
    # Seasons.
    "no_such_season": Refusal(_("There is no such season."), 404, page=True),
    "not_organiser": Refusal(_("Only an organiser of the season can do that."), 403, page=True),
    "no_such_entrant": Refusal(_("This person is not counted in at the season."), 404),
    "too_many_entrants": Refusal(_("This season has %(most)s people who are counted in: ask the organiser."), 409),
    "not_in_season": Refusal(
        _("You were at no night of this season: its standing is for those who were."), 403, page=True
    ),
    "no_such_series": Refusal(_("This link opens no series of evenings any more."), 404, page=True),
    "series_ended": Refusal(_("This series has ended; its nights stay."), 410, page=True),
    "too_many_evening_hosts": Refusal(_("A series has %(most)s evening hosts at most.")),
    "not_series_organiser": Refusal(_("Only an organiser of the series can do that."), 403, page=True),
    "poster_address": Refusal(_("An address is a name such as stammtisch.example.org, with nothing after it.")),
    "series_name": Refusal(_("Give the series a name of at most %(longest)s characters.")),
    "series_place": Refusal(_("The place has at most %(longest)s characters.")),
    "series_repeat": Refusal(_("Choose how often it comes again, and on which day of the week.")),
    "series_days": Refusal(_("A day from today on is needed, and the last one is not before the first.")),
    "series_time": Refusal(_("A time is needed, such as 19:30, and a length of 15 minutes to a day.")),
    "series_size": Refusal(_("A table wants up to %(most)s people; leave it empty if that does not matter.")),
    "too_many_series": Refusal(_("You have %(most)s series. End one first."), 409),
    "no_such_date": Refusal(_("This series has no such date."), 404, page=True),
    "date_over": Refusal(_("This date is over."), 409),
    "date_cancelled": Refusal(_("This date is cancelled."), 409),
    "date_twice": Refusal(_("The series has a date on this day already."), 409),
    "date_has_night": Refusal(_("A night was opened on this date already."), 409),
    "date_not_today": Refusal(_("A night is opened on its day."), 409),
    "too_many_dates": Refusal(_("The series has %(most)s dates already."), 409),
    "bad_places": Refusal(_("From 1 to %(most)s people may come; leave it empty if any number may.")),
    "bad_answer": Refusal(_("Say yes, no or maybe.")),
    "bad_extra": Refusal(_("Up to %(most)s people can come along.")),
    "long_word": Refusal(_("A word has at most %(longest)s characters that can be shown.")),
    "name_answered": Refusal(_("Somebody of this name has answered: use your own link, or add a letter."), 409),
    "accounts_only": Refusal(_("This date takes answers of people whom the house knows alone: join a night first.")),
    "no_such_answer": Refusal(_("This answer is not there any more."), 404, page=True),
    "too_many_answers": Refusal(_("This date has %(most)s answers: ask the organiser."), 409),
    "no_confirmed_address": Refusal(_("Your account has no confirmed e-mail address: add one first."), 409),
    "no_such_mail_link": Refusal(
        _("This link of a mail opens nothing any more. The page of the date takes your answer."), 404, page=True
    ),
    "mail_link_over": Refusal(_("This date is over: the link of its mail has ended with it."), 410, page=True),
    "no_such_webhook": Refusal(_("This webhook is not there any more."), 404, page=True),
    "webhook_address": Refusal(_("A webhook begins with https:// or http:// and a name, and has no user or password.")),
    "webhook_shape": Refusal(_("Choose in which form messages are sent.")),
    "too_many_webhooks": Refusal(_("There are %(most)s webhooks already: remove one first."), 409),
    "apprise_address": Refusal(_("Apprise knows no service by this address.")),
    "apprise_missing": Refusal(_("Apprise is not installed here: pip install stammtisch[apprise]."), 409),
    "apprise_staff": Refusal(_("Messages by Apprise are set up by the staff of the house."), 403),
    "apprise_failed": Refusal(_("Apprise could not deliver the message there.")),
    "webhook_refused": Refusal(
        _("Webhooks lead by name to other computers: never to a number, and never to the house itself.")
    ),
    "webhook_private": Refusal(
        _("This address is in a private network. The admin's setting WEBHOOKS_PRIVATE allows such webhooks.")
    ),
    "webhook_unreachable": Refusal(_("Nobody answers at this address.")),
    "webhook_status": Refusal(
        _("The other side did not take the message; it has to answer with 200, and no redirect.")
    ),
    "season_name": Refusal(_("Give the season a name of at most %(longest)s characters.")),
    "season_days": Refusal(_("A season ends on the day it begins or later, and takes two years at most.")),
    "season_closed": Refusal(_("This season is closed: its standing is final. An organiser can open it again."), 409),
    "season_open": Refusal(_("This season is open."), 409),
    "season_changed": Refusal(_("Somebody else has changed the rules of this season meanwhile. Look again."), 409),
    "season_absence": Refusal(
        _(
            "Fewer is better in this game: with points as played, who stays away would win. Choose points per game, "
            "give a missed night a value, or ask for as many nights as count."
        )
    ),
    "too_many_seasons": Refusal(_("You have %(most)s seasons that are open. Close one first."), 409),
    "season_matches": Refusal(_("This game is not played in matches: choose other rules.")),
    "match_page_expired": Refusal(_("This page was open for more than an hour. Send the file once more."), 409),
    "no_such_match": Refusal(_("There is no such match in this season."), 404),
    "bad_stage": Refusal(_("A stage is one word or two, of at most %(longest)s characters.")),
    "no_such_notice": Refusal(_("Choose a bye, an absence with notice, or neither.")),
    "asked_already": Refusal(_("The host of this night has been asked already."), 409),
    "too_many_requests": Refusal(_("You already wait for %(most)s answers of hosts."), 409),
    "night_of_series": Refusal(_("This night is of a series already."), 403, page=True),
    "no_proposal": Refusal(_("This was decided meanwhile, or taken back."), 404),
    "proposed_already": Refusal(_("It is proposed already that these two are one person."), 409),
    "too_many_proposals": Refusal(_("At most %(most)s proposals wait at the same time."), 409),
    "night_twice": Refusal(_("This night is in the season already."), 409),
    "bad_night_day": Refusal(_("Give the night a day of the season that is not to come.")),
    "night_not_in": Refusal(_("This night is not in the season."), 409),
    # Tournaments and draws.
    "no_such_tournament": Refusal(_("There is no such tournament."), 404, page=True),
    "not_for_them": Refusal(_("Only they themselves, who acts for them, the host or a director can say that."), 403),
    "no_round": Refusal(_("Nobody can move up or down yet: no round of this game was played tonight.")),
    "bad_limit": Refusal(_("A round has up to %(games)s games, or lasts up to %(minutes)s minutes.")),
    "bad_strength": Refusal(_("A strength is a number from %(low)s to %(high)s.")),
    "plays_still": Refusal(
        _("A game is being played at table %(number)s, where %(name)s sits. Said once more, it frees the seat."),
        409,
    ),
    "not_director": Refusal(_("Only a director of the tournament can do that."), 403, page=True),
    "tournament_moved_on": Refusal(_("Something has happened meanwhile: look at what is proposed now."), 409),
    "nothing_proposed": Refusal(_("Nothing is proposed just now."), 409),
    "tournament_name": Refusal(_("Give the tournament a name of at most %(longest)s characters.")),
    "tournament_format": Refusal(_("A tournament can't be played like that: look at the format again.")),
    "rules_too_small": Refusal(_("These house rules don't take tables of %(few)s to %(most)s people.")),
    "too_many_tournaments": Refusal(_("This night has had %(most)s tournaments. That is as many as one takes."), 409),
    "too_many_directors": Refusal(_("A tournament has %(most)s directors besides the host."), 409),
    "too_many_entered": Refusal(_("A tournament takes %(most)s people."), 409),
    "bad_match_length": Refusal(_("A match is played to a number of points from %(low)s to %(high)s.")),
    "bad_auto_seconds": Refusal(_("The house waits from 0 to %(most)s seconds.")),
    "bad_loser_points": Refusal(_("The loser of this match has from 0 to %(most)s points.")),
    "bad_points_ahead": Refusal(_("Who is ahead leads by 1 to %(most)s points.")),
    "bad_session_minutes": Refusal(_("A money session lasts from %(low)s to %(high)s minutes.")),
    "bad_rule_minutes": Refusal(_("For late results and people from 1 to %(most)s minutes are taken.")),
    "bad_seeds": Refusal(_("Seeds count from 1, and nobody shares one.")),
    "too_late_for_seeds": Refusal(_("Seeds are given before the start, where the bracket goes by them."), 409),
    "match_begun": Refusal(_("A game of this match is over already: it goes on from its score."), 409),
    "nobody_out": Refusal(_("There are not enough people for a table who have played all their matches."), 409),
    "bad_prizes": Refusal(
        _("A fee is from 0 to %(most)s, and there are at most %(prizes)s prizes from 1 to %(most)s.")
    ),
    "not_paid": Refusal(_("The start waits for the entry fee of: %(names)s."), 409),
    "no_last_round": Refusal(
        _("This format has no last round: only an open end, a Swiss system, a schedule and neighbours have one."), 409
    ),
    "no_closing": Refusal(
        _("Only an open end has a closing time. Swiss system, schedule and neighbours have a last round instead."), 409
    ),
    "cup_left": Refusal(
        _("The cup of the best %(count)s is still to come. Let the last round be played, or end it without the cup."),
        409,
    ),
    "only_directs": Refusal(_("Whoever directs only does not play: %(name)s."), 409),
    "bad_break": Refusal(_("A break begins within %(most)s minutes, and takes from 1 to %(most)s.")),
    "entered_already": Refusal(_("This person is in the tournament already."), 409),
    "not_entered": Refusal(_("This person is not in the tournament.")),
    "entry_closed": Refusal(
        _("It is too late to enter this tournament. A table is still open to everybody, or another tournament."), 409
    ),
    "too_few_entered": Refusal(_("A tournament needs at least two people."), 409),
    "no_such_pairing": Refusal(_("There is no such match in this tournament.")),
    "match_decided": Refusal(_("This match has its result already: a director can correct it."), 409),
    "match_not_running": Refusal(_("Not now: this tournament, or this match, is not under way."), 409),
    "player_busy": Refusal(_("One of them is playing a match: first that one ends."), 409),
    "log_unread": Refusal(
        _(
            "Entry %(entry)s of this tournament's log is not one that this version of the house knows. Nothing is "
            "lost: the version that wrote it reads it."
        ),
        503,
        page=True,
    ),
    "still_played": Refusal(
        _("A match or a session is being played: let it end first, or let the match not count."), 409
    ),
    "player_gone": Refusal(_("One of them has withdrawn, pauses or is out."), 409),
    "no_such_board": Refusal(_("This board is not there, is taken, or is out of order.")),
    "bad_split": Refusal(_("At least %(few)s go to the new table, and at least %(few)s stay.")),
    "bad_join": Refusal(_("Only two tables under the same house rules can be joined, with room for everybody.")),
    "bad_draw": Refusal(_("Tables can't be drawn like that: choose another size, or other captains.")),
    "no_show_early": Refusal(_("The match is lost to somebody who has not come in another %(minutes)s minutes."), 409),
    "not_your_match": Refusal(_("This match is not yours: only the two who play it say how it ended."), 403),
    "told_at_table": Refusal(_("This match has a table of the house: its result comes from there."), 409),
    # Spreadsheets of seasons.
    "no_such_sheet": Refusal(
        _("This spreadsheet is not there any more: it was taken in, undone, or waited too long."), 404
    ),
    "sheet_expired": Refusal(_("This page was open for more than an hour. Send the spreadsheet once more."), 409),
    "sheet_none": Refusal(_("Choose a file, or paste the cells of a spreadsheet.")),
    "sheet_kind": Refusal(
        _("This is no spreadsheet that can be read: save it as CSV or XLSX, without a password, and try again.")
    ),
    "sheet_empty": Refusal(_("This spreadsheet has no filled cell.")),
    "sheet_large": Refusal(
        _("A spreadsheet has %(megabytes)s MiB at most, unpacked %(unpacked)s MiB. Leave out what is no part of it."),
        413,
    ),
    "sheet_pasted": Refusal(_("Pasted cells have %(kilobytes)s KiB at most: send more as a file."), 413),
    "sheet_rows": Refusal(_("A spreadsheet has %(rows)s rows, %(columns)s columns and %(cells)s cells at most.")),
    "sheet_cell": Refusal(_("A cell of a spreadsheet has %(longest)s characters at most.")),
    "sheet_several": Refusal(
        _("Several sheets of this workbook are filled: %(names)s. Copy the cells of one of them and paste them here.")
    ),
    "sheet_formula": Refusal(
        _("The formula in cell %(cell)s has no stored value. Open it in your spreadsheet, save it, and try again.")
    ),
    "sheet_laden": Refusal(
        _("This workbook has more in it than a list of points. Copy the cells and paste them here, or save it as CSV."),
        413,
    ),
    "sheet_twice": Refusal(
        _("The season has this spreadsheet already. Undo it first if it is to be taken in anew."), 409
    ),
    "sheet_many": Refusal(_("A season takes %(most)s spreadsheets at most."), 409),
    "sheet_columns": Refusal(
        _(
            "One column has the names. Beside it are either nights, or one column of points, with a day and the games "
            "at most."
        )
    ),
    "sheet_days": Refusal(_("Each night needs a day of its own.")),
    "sheet_day": Refusal(
        _("In a row of %(name)s “%(text)s” is no day. Write it as 2026-10-01, 1.10.2026 or 1/10/2026.")
    ),
    "sheet_outside": Refusal(
        _("The night of %(day)s is not between the days of the season. Change these, or leave the night out.")
    ),
    "sheet_number": Refusal(_("In a row of %(name)s “%(text)s” is no number of points.")),
    "sheet_games": Refusal(_("In a row of %(name)s “%(text)s” is no number of games.")),
    "sheet_name": Refusal(_("A name has at most %(longest)s characters that can be shown, and not “%(name)s”.")),
    "sheet_name_twice": Refusal(
        _(
            "The name “%(name)s” stands in the spreadsheet twice for one night. Give one of them another name, or add "
            "them up there."
        )
    ),
    "sheet_names": Refusal(_("A spreadsheet has %(names)s names and %(cells)s filled cells at most.")),
    "sheet_nothing": Refusal(_("These columns give nobody any points.")),
    "sheet_matches": Refusal(_("In this season matches count: of a spreadsheet it takes totals alone, and no nights.")),
    "sheet_no_games": Refusal(_("Where points per game count, a spreadsheet needs a column with the games.")),
    "sheet_undecided": Refusal(_("Say who “%(name)s” is.")),
    "no_such_name": Refusal(_("This name of the spreadsheet is somebody's meanwhile, or gone."), 404),
    "name_claimed": Refusal(_("An organiser has to answer first who that is."), 409),
    "sheet_person_twice": Refusal(_("Two names of the spreadsheet are said to be the same person.")),
    "night_alone": Refusal(_("There is no other night of this day in the season.")),
    "night_not_between": Refusal(_("An organiser has said already where this night counts."), 409),
    "not_your_night": Refusal(_("Somebody else has opened this night: they put it in."), 403),
    "bad_weight": Refusal(_("A night counts once to nine times.")),
    "not_worths": Refusal(_("These are whole numbers from 0 to %(most)s with spaces between them.")),
    # Values of house rules.
    "bad_options": Refusal(_("Some of these house rules don't fit.")),
    "not_bool": Refusal(_("This is yes or no.")),
    "not_int": Refusal(_("This is a whole number.")),
    "out_of_range": Refusal(_("This is a number from %(low)s to %(high)s.")),
    "not_a_choice": Refusal(_("This is one of: %(choices)s.")),
    "not_text": Refusal(_("Write something that can be shown.")),
    "unknown_option": Refusal(_("The game has no such house rule.")),
    "missing": Refusal(_("This house rule is missing.")),
    # Sets of house rules, and their files.
    "no_such_rules": Refusal(_("There are no such house rules."), 404, page=True),
    "not_a_host": Refusal(_("Hosts keep house rules: open a night first."), 403, page=True),
    "not_yours": Refusal(_("This file is for the player alone."), 403, page=True),
    "not_staff": Refusal(_("Only the house can do that."), 403, page=True),
    "not_your_rules": Refusal(_("These house rules are kept by somebody else. You can copy them."), 403, page=True),
    "not_of_the_house": Refusal(_("Only rules of the house can be the default.")),
    "rules_name": Refusal(_("Give the rules a name of at most %(longest)s characters.")),
    "rules_name_taken": Refusal(_("Other rules of this game have this name already.")),
    "rules_archived": Refusal(_("These house rules are archived.")),
    "rules_moved_on": Refusal(_("These house rules have just been changed. Look at them again."), 409),
    "rules_broken": Refusal(_("The rules “%(name)s” don't fit the game as it is now: put them right first.")),
    "rules_fixed": Refusal(_("The house plays “%(name)s” as it is: nothing of it is changed at a table.")),
    "default_not_offered": Refusal(_("New tables start from these rules: hosts must be able to choose them.")),
    "sets_only": Refusal(_("The house lets this game be played by its own rules only. Choose one of them.")),
    "too_many_rules": Refusal(_("There are %(most)s sets of rules already. That is as many as one can keep.")),
    "no_file": Refusal(_("Choose a file first.")),
    "file_too_big": Refusal(_("The file is larger than %(kilobytes)s kB.")),
    "file_not_json": Refusal(_("The file is not JSON.")),
    "wrong_kind": Refusal(_("This is not a file of house rules.")),
    "wrong_format": Refusal(_("The file has another format. This house reads format %(format)s.")),
    "no_sets": Refusal(_("A file holds from 1 to %(most)s sets of house rules.")),
    # Frames and requests (docs/protocol.md §7).
    "bad_json": Refusal(_("The message is not JSON.")),
    "not_an_object": Refusal(_("The message is not a JSON object.")),
    "binary": Refusal(_("The message is not text.")),
    "too_deep": Refusal(_("The message is nested too deeply.")),
    "unknown_type": Refusal(_("The house does not know this type of message.")),
    "bad_field": Refusal(_("Something in the message is missing or of the wrong kind: %(field)s.")),
    "too_long": Refusal(_("That is too long."), 413, close=4413),
    "too_many_nights": Refusal(_("You host %(most)s nights that are not closed. Close one first."), 409),
    "too_many_tables": Refusal(_("This night has had %(most)s tables. That is as many as one takes."), 409),
    "too_many_bots": Refusal(
        _("At your tables at most %(most)s bots play at a time. End a table of bots, or play with fewer."), 409
    ),
    "too_many": Refusal(_("Too much at once. Wait a moment."), 429, page=True, close=4429),
    "too_many_bad": Refusal(_("Too many messages that the house does not understand."), close=4400),
    "too_many_sockets": Refusal(_("Too many pages are open from your network. Trying again."), close=4429),
    "too_many_pages": Refusal(
        _("You have opened newer pages: this one has stopped. Reload it to go on."), close=FORBIDDEN
    ),
    "too_slow": Refusal(_("Your line is too slow. Connecting again."), close=4430),
    "no_hello": Refusal(_("Say hello first."), close=4408),
    "busy": Refusal(_("The house is busy. Trying again."), 503, close=4450),
    "failed": Refusal(_("Something broke on our side. Nothing you played is lost.")),
    "no_csrf": Refusal(_("The page was too old. Reload it and try again."), 403),
    "not_allowed": Refusal(_("This address does not do that."), 405),
    "not_found": Refusal(_("There is nothing here."), 404),
    # A backup that is restored from the page.
    "restore_sqlite_only": Refusal(
        _("This house is on PostgreSQL: a backup is restored by the command “restore” alone."), 409
    ),
    "restore_not_empty": Refusal(
        _("This house has nights: a backup is restored here by the command “restore”, while the house is closed."), 409
    ),
    "restore_too_big": Refusal(_("A backup of more than 1 GB is restored by the command “restore”."), 413),
    "restore_too_old": Refusal(_("This page is more than an hour old. Load it again.")),
    "restore_no_room": Refusal(_("The backup can't be kept. Make room on the computer's disk."), 503),
    # A backup that is fetched from the page.
    "wrong_app_code": Refusal(_("This code is not right, or has been used."), 403),
    "seat_at_play": Refusal(
        _("You have a seat at a table at play: a backup holds what is sealed there. Come back after its end."), 403
    ),
    "passphrase_short": Refusal(_("A passphrase needs at least %(least)s characters, such as five words.")),
    "passphrases_differ": Refusal(_("The two passphrases are not the same.")),
    "backup_is_fetched": Refusal(_("Somebody fetches a backup now. Try again when that one has ended."), 409),
    "backup_too_big": Refusal(_("A backup of more than 1 GB is made by the command “backup”."), 413),
    # Background tasks.
    "no_such_task": Refusal(_("The house has no such task."), 404),
    "task_is_off": Refusal(_("This task is off: BACKUP_FOLDER says so."), 409),
    "task_is_running": Refusal(_("This task runs already."), 409),
    # The API and its tokens.
    "not_known": Refusal(_("This is for guests of the house: join a night first, or send a token."), 401),
    "bad_token": Refusal(_("This token opens nothing: it is unknown, too old or revoked."), 401),
    "token_reads": Refusal(_("This token may only read."), 403),
    "unknown_param": Refusal(_("This is not known here: %(name)s.")),
    "not_one": Refusal(_("Give this once, and with a value.")),
    "no_odds": Refusal(_("This game tells no odds."), 404),
    "no_such_unit": Refusal(_("The results of this game count in: %(units)s."), 404),
    "no_such_exercise": Refusal(_("This is no exercise of yours any more: go on with the next one."), 404, page=True),
    "no_such_grade": Refusal(_("There is no such grade, or not for you to see."), 404),
    "no_engine": Refusal(_("No engine is installed here."), 409),
    "engine_failed": Refusal(_("The engine gave no answer. Bring the file in again later."), 409),
    "bad_file": Refusal(_("This is no file that can be read.")),
    "no_such_match_file": Refusal(_("There is no such match file of yours."), 404, page=True),
    "too_many_matches": Refusal(_("You keep %(most)s match files. Delete one first."), 409),
    "position_name": Refusal(_("Give the position a name of at most %(longest)s characters.")),
    "no_such_position": Refusal(_("There is no such position of yours."), 404, page=True),
    "too_many_positions": Refusal(_("You keep %(most)s positions. Delete one first."), 409),
    "no_such_file": Refusal(_("There is no such file."), 404),
    "card_changed": Refusal(_("The rules have just changed. Please read them again."), 409),
    "token_name": Refusal(_("Give the token a name of at most %(longest)s characters.")),
    "token_over": Refusal(_("A token must be valid for some time to come.")),
    "bad_scope": Refusal(_("A token either reads or plays.")),
    "too_many_tokens": Refusal(_("There are %(most)s tokens already. Revoke one first.")),
    "no_such_token": Refusal(_("There is no such token."), 404, page=True),
}

_UNKNOWN = Refusal(_("That can't be done now."))


def refusal(code: str) -> Refusal:
    """Return the entry of a code; for a code that only a game has, a 400 with a general sentence."""
    return REFUSALS.get(code, _UNKNOWN)


def close_of(code: str) -> int:
    """Return the WebSocket close code of a refusal that ends a connection; raises LookupError for others."""
    close = refusal(code).close
    if close is None:
        raise LookupError(code)
    return close


def ends_for_good(code: str) -> bool:
    """Tell whether a refusal ends any connection whose right is checked, and the browser does not connect again."""
    return refusal(code).close in (FORBIDDEN, NOT_FOUND)


def translate(code: str, params: Params, game_id: str | None = None, *, to_staff: bool = False) -> str:
    """Return the sentence of a refusal in the active language; every code has one.

    Codes of the game `game_id` have the game's sentences. A param `why` may be such a code, too: its sentence is filled
    in.
    """
    game = plugin.all_games().get(game_id or "")
    texts = game.messages if game is not None else {}
    declared = refusal(code)
    text = str((to_staff and declared.about) or texts.get(code, declared.text))
    if isinstance(why := params.get("why"), str) and why in texts:
        params = {**params, "why": str(texts[why])}
    # A missing param must not turn a refusal into a failure.
    return text % defaultdict(lambda: "…", params) if "%(" in text else text


def translate_option(options: OptionSet, option_id: str, code: str, params: Params) -> str:
    """Return why an option's value is refused: the declaration's own reason, or the table's sentence."""
    game = plugin.game_of(options)
    for exclusion in options.exclusions:
        if (exclusion.field, exclusion.code) == (option_id, code):
            return gettext_of(game, exclusion.reason)
    return translate(code, params, game.game_id if game else None)


def error_json(code: str, params: Params, game_id: str | None = None) -> JsonObject:
    """Return an error for sockets and the API, in the active language (docs/protocol.md §3)."""
    message = translate(code, params, game_id)
    return {"type": "error", "code": code, "message": message, "params": dict(params)}
