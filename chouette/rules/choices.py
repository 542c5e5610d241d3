"""The open decisions of a table, with every legal set of arguments.

Three choices accept more than they can list: `say` any text of 1 to 200 characters that can
be shown, `propose` any whole points, `correct` any payee, points and reason (the house's any
points that add up to 0). Their listed options are examples, each of them legal.
"""

from __future__ import annotations

from chouette.rules import play, takeback
from chouette.rules.cube import answers, beavers, obligations, resignation, settlement, window
from chouette.rules.cube.cubes import decided_by, decision_cubes, members_in, roller, settled_by
from chouette.rules.seating import captaincy, coming_and_going, line, ordering, passing_on, sitting_out
from chouette.rules.session import (
    clock_agreement,
    consultation,
    game_clock,
    house_commands,
    match,
    opening,
    pause,
    score_sheet,
)
from chouette.rules.session.opening import question, still_to_roll
from chouette.rules.state import (
    ANSWERS,
    AUTOMATIC,
    IN,
    LEFT,
    MOVE,
    NO_GAME,
    OFFER,
    OPENING,
    PLAYING,
    QUIET,
    REPLIES,
    RESULT,
    ROLL,
    WINDOW,
    WOOD,
    Game,
    State,
    is_over,
    is_wood,
    lineup,
    playing,
)
from chouette.rules.wood import wood_choices
from games.kernel.contract import (
    CLOCK,
    CLOSE_AFTER,
    CORRECT,
    JOIN,
    LEAVE,
    LEAVE_AFTER,
    PLACE,
    TIMEOUT,
    Choice,
    JsonObject,
    Seat,
)
from games.kernel.dice import typed
from games.kernel.house_choices import house_choices
from games.kernel.records import TABLES, kept, kept_by, record
from games.kernel.sets import Sets

Options = tuple[JsonObject, ...]


def choices(state: State, seat: Seat | None) -> tuple[Choice, ...]:
    """Return the open choices of a seat, or of the house for None."""
    if is_over(state):
        return wood_choices.of_corrections(state, state.opened) if seat is None else ()
    if seat is None:
        return _of_house(state)
    if not 0 <= seat < len(state.players) or state.players[seat].status == LEFT:
        return ()
    return (*_of_course(state, seat), *aside(state, seat))


def choices_named(state: State, seat: Seat | None, name: str) -> tuple[Choice, ...]:
    """Return open choices of a seat, with the one called `name` among them if it is open.

    The optional choices are left out if the course of play has a choice of this name.
    """
    if seat is not None and not is_over(state) and 0 <= seat < len(state.players):
        found = _of_course(state, seat) if state.players[seat].status != LEFT else ()
        if any(choice.name == name for choice in found):
            return found
    return choices(state, seat)


def awaited(state: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for; it never waits for optional choices."""
    if is_over(state):
        return ()
    seats = range(len(state.players))
    return tuple(s for s in seats if any(c.required for c in _of_course(state, s)))


def _of_course(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choices by which a seat brings the table on; in a game a resignation comes before all others."""
    if state.phase != PLAYING:
        return _between(state, seat)
    game = playing(state)
    if game.resignation is not None:
        return _answer_resignation(state, game, seat)
    return _STAGES[game.stage](state, game, seat)


def _between(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choices before the next game: the Box's questions, then the opening roll."""
    seconds = state.options["turn_seconds"] or None
    if seat in pause.to_go_on(state):
        return (_next(state, seat),)
    if throwing := ordering.to_throw(state):
        die = Choice("order_die", seat, state.opened, typed.listed(1), seconds=seconds)
        return (die,) if seat in throwing else ()
    topic = question(state)
    if topic and seat == lineup(state)[0]:
        key = "agree" if topic == "carry" else "take"
        both: Options = ({key: True}, {key: False})
        name = "automatic" if topic == "carry" else "partner"
        return (Choice(name, seat, state.opened, both, seconds=seconds),)
    if is_wood(state):
        return wood_choices.between(state, seat)
    if seat in still_to_roll(state):
        name = "start_study" if opening.is_study(state) else "opening_roll"
        ways = ({},) if opening.is_study(state) else opening.ways(state)
        return (Choice(name, seat, state.opened, ways, seconds=seconds),)
    return ()


def _next(state: State, seat: Seat) -> Choice:
    """Return the choice to go on; bots leave others the whole pause, unless another seat has gone on already."""
    seconds = pause.seconds(state)
    early = 0 if state.ready else seconds
    return Choice("next", seat, state.paused or 0, seconds=seconds, not_before=early)


def _of_house(state: State) -> tuple[Choice, ...]:
    opened = state.game.opened if state.game and state.phase == PLAYING else state.opened
    left = coming_and_going.gone(state)
    here = [seat for seat in range(len(state.players)) if seat not in left]
    seats = {
        TIMEOUT: awaited(state),
        LEAVE: here,
        LEAVE_AFTER: coming_and_going.to_let_go(state),
        JOIN: coming_and_going.joinable(state),
    }
    found = house_choices(opened, seats, can_close=house_commands.can_close(state))
    found = (*found, *_optional_of_house(CLOSE_AFTER, opened, house_commands.may_announce_closing(state)))
    for timer in game_clock.timers(state):
        found = (*found, Choice(timer.name, None, opened, (timer.args,), required=False))
    found = (*found, *_optional_of_house(CLOCK, opened, clock_agreement.of_host(state)))
    found = (*found, *_optional_of_house(PLACE, opened, line.places(state)))
    found = (*found, *wood_choices.of_host(state, opened), *wood_choices.of_corrections(state, opened))
    if not may_be_corrected(state):
        return found
    example = {"seat": None, "points": {"0": -1, "1": 1}, "reason": score_sheet.EXAMPLE_REASON}
    return (*found, Choice(CORRECT, None, opened, (example,), required=False))


def _optional_of_house(name: str, opened: int, options: Options) -> tuple[Choice, ...]:
    return (Choice(name, None, opened, options, required=False),) if options else ()


YES_OR_NO = (True, False)
SEEN_SECONDS = 2
"""Seconds for which a roll that can't be played is shown before it confirms itself (§3)."""


def _required(state: State, game: Game, seat: Seat, name: str, options: Options | Sets = ({},)) -> Choice:
    """Return a choice that the game waits for; a time-out may have reopened it."""
    opened = dict(game.reopened).get(seat, game.opened)
    return Choice(name, seat, opened, options, seconds=state.options["turn_seconds"] or None)


def _answer_resignation(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if game.resignation is None or not resignation.to_answer(game, seat):
        return ()
    both: Options = tuple({"accept": accept} for accept in YES_OR_NO)
    seconds = state.options["turn_seconds"] or None
    opened = game.resignation.opened
    return (Choice("answer_resignation", seat, opened, both, seconds=seconds),)


def _opening(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if seat not in still_to_roll(state):
        return ()
    return (_required(state, game, seat, "opening_roll", opening.ways(state)),)


def _automatic(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    both: Options = tuple({"agree": agree} for agree in YES_OR_NO)
    return (_required(state, game, seat, "automatic", both),) if seat == game.box else ()


def _window(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    words = window.words(state, seat)
    if game.ring is not None:
        return _ring(state, game, seat, words)
    if seat != roller(game):
        return _optional("cube", seat, game.opened, words)
    cube = (_required(state, game, seat, "cube", words),) if words else ()
    return (*cube, _required(state, game, seat, "roll"))


def _ring(state: State, game: Game, seat: Seat, words: Options) -> tuple[Choice, ...]:
    """Return the choices while others may double after the Captain's roll.

    The game no longer waits for a seat that has spoken, but the seat keeps the choice and its clock, which
    are public. Their basis is that of the window, so that a double sent before the ring opened still counts.
    """
    if seat not in window.speech(state).awaited:
        return _optional("cube", seat, game.opened, words)
    own = window.wait_of(game, seat)
    is_whole = own is not None and not own.is_late
    seconds = state.options["turn_seconds"] or None if is_whole else int(state.options["grace_seconds"])
    opened = game.opened if own is None else own.opened
    is_silent = window.has_word_left(state, seat)
    choice = Choice("cube", seat, opened, words, required=is_silent, seconds=seconds)
    return (choice, *_optional("wait", seat, game.opened, window.may_wait(state, seat)))


def _offer(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    has_deputy = roller(game) != game.box
    if seat != game.box:
        return (_required(state, game, seat, "roll"),) if seat == roller(game) else ()
    batch = obligations.batch_of(game, decision_cubes(game, obligations.offerable(state, game)))
    offers = obligations.offers(state.options, batch)
    if has_deputy:
        return (Choice("offer", seat, game.opened, offers, required=False),) if offers else ()
    found = [_required(state, game, seat, "offer", offers)] if offers else []
    return (*found, _required(state, game, seat, "roll"))


def _answers(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    cubes = answers.to_answer(game, seat)
    beside = wood_choices.of_batch(state, game, seat) if is_wood(state) else ()
    if not cubes:
        return beside
    if answers.is_answered_by_box(game, seat):
        takes = obligations.answers(state.options, obligations.batch_of(game, decision_cubes(game, game.batch)))
        return (_required(state, game, seat, "answer_batch", takes), *beside)
    return (_required(state, game, seat, "answer", answers.listed(state, game, seat)), *beside)


def _replies(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    asks = [ask for ask in beavers.waiting(game) if ask.seat == seat]
    options: Options = tuple({"cube": ask.cube, "reply": way} for ask in asks for way in beavers.ways(state, game, ask))
    if not options:
        return ()
    opened = max([*(ask.opened for ask in asks), dict(game.reopened).get(seat, 0)])
    seconds = state.options["turn_seconds"] or None
    return (Choice("reply", seat, opened, options, seconds=seconds),)


def _roll(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if seat != roller(game):
        return ()
    if typed.is_on(state.options):
        return (_required(state, game, seat, "type_dice", typed.listed(2)),)
    return (_required(state, game, seat, "roll"),)


def _move(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if seat != roller(game):
        return ()
    if not play.is_possible(game):
        seconds = SEEN_SECONDS
        return (Choice("move", seat, game.opened, play.listed(game), seconds=seconds, not_before=seconds),)
    return (_required(state, game, seat, "move", play.listed(game)),)


_STAGES = {
    OPENING: _opening,
    AUTOMATIC: _automatic,
    WINDOW: _window,
    OFFER: _offer,
    ANSWERS: _answers,
    REPLIES: _replies,
    ROLL: _roll,
    MOVE: _move,
    WOOD: wood_choices.of_board,
    RESULT: wood_choices.of_result,
}


_PHRASES: Options = tuple({"text": text} for text in consultation.PHRASES)


@record(frozen=True, slots=True)
class _Open:
    """The optional acts of a seat, for given roles and cubes.

    `own` are complete choices; the others are options of choices whose basis changes with each entry.
    """

    resign: Options
    propose: Options
    own: tuple[Choice, ...]
    talks: bool
    ask: Options


def aside(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the optional choices of a seat."""
    if state.phase in NO_GAME:
        out = _optional("sit_out", seat, state.opened, sitting_out.ways(state, seat))
        passing: Options = ({},) if passing_on.may_pass(state, seat) else ()
        clocks = _optional(CLOCK, seat, state.opened, clock_agreement.wishes(state, seat))
        return (*out, *_optional("pass_box", seat, state.opened, passing), *clocks, *_corrections(state, seat))
    if state.phase != PLAYING:
        return ()
    game, found = playing(state), _open_by_seat(state)[seat]
    drawn = play.listed(game) if found.talks and consultation.is_beside_roller(game, seat) else ()
    talk = (
        *(_optional("suggest", seat, game.opened, drawn) if drawn else ()),
        *(_optional("ask_advice", seat, game.opened, found.ask) if found.ask else ()),
        *(wood_choices.aside(state, seat) if state.acts else ()),
    )
    if game.resignation is not None:
        return (*found.own, *talk)
    return (
        *_optional("resign", seat, game.opened, found.resign),
        *(_optional("propose", seat, game.opened, found.propose) if found.propose else ()),
        *(_answering(game, seat) if game.proposals else ()),
        *(_taking_back(state, game, seat) if game.last is not None else ()),
        *found.own,
        *talk,
    )


def _parts(state: State) -> tuple[object, ...]:
    """Return the parts of a state that the optional acts of `_Open` depend on: rolls and plays change none of them."""
    game = playing(state)
    return (
        *(state.options, state.players, state.opened),
        *(game.cubes, game.line, game.captain, game.partner, game.proxies, game.refused, game.asked),
        *(game.stage in QUIET, game.resignation is None, captaincy.is_time_to_depute(state, game), game.deputies),
    )


@kept
@kept_by(_parts, 2 * TABLES)
def _open_by_seat(state: State) -> tuple[_Open, ...]:
    """Return the optional acts by seat; kept, since a game has few of them: while nobody is asked, and while one is."""
    game = playing(state)
    return tuple(_open(state, game, seat) for seat in range(len(state.players)))


def _open(state: State, game: Game, seat: Seat) -> _Open:
    cubes = decided_by(game, seat)
    proposed: Options = ()
    if settlement.is_open(state, game):
        proposed = tuple(offer for i in settled_by(state, game, seat) for offer in settlement.listed(game, i))
    deputies = tuple({"seat": s} for s in captaincy.may_depute(state, game, seat))
    phrases = _PHRASES if consultation.audience(state, game, seat) else ()
    return _Open(
        resign=tuple({"level": n} for n in resignation.levels(state, game, seat, cubes)),
        propose=proposed,
        own=(
            *_settings(state, game, seat),
            *_optional("name_deputy", seat, state.opened, deputies),
            *_optional(LEAVE_AFTER, seat, state.opened, coming_and_going.may_announce(state, seat)),
            *_optional("say", seat, state.opened, phrases),
        ),
        talks=bool(phrases),
        ask=tuple({"seat": s} for s in consultation.may_ask(state, game, seat)),
    )


def _optional(name: str, seat: Seat, opened: int, options: Options) -> tuple[Choice, ...]:
    return (Choice(name, seat, opened, options, required=False),) if options else ()


def _corrections(state: State, seat: Seat) -> tuple[Choice, ...]:
    if not may_be_corrected(state) or state.players[seat].status != IN or not score_sheet.largest(state):
        return ()
    others = (s for s in range(len(state.players)) if s != seat)
    options: Options = tuple(
        {"payer": seat, "payee": s, "points": 1, "reason": score_sheet.EXAMPLE_REASON} for s in others
    )
    return _optional("correct", seat, state.opened, options)


def may_be_corrected(state: State) -> bool:
    """Tell whether the table has a score sheet that takes corrections: no match, and no session that is won."""
    is_decided = match.is_match(state) or (match.is_session(state) and is_over(state))
    return bool(state.sheet) and not is_decided


def _answering(game: Game, seat: Seat) -> tuple[Choice, ...]:
    proposed = settlement.to_answer(game, seat)
    both: Options = tuple({"cube": p.cube, "accept": a} for p in proposed for a in (True, False))
    opened = max((p.opened for p in proposed), default=game.opened)
    return _optional("answer_proposal", seat, opened, both)


def _taking_back(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if takeback.may_ask(game, seat):
        return _optional("take_back", seat, game.opened, ({},))
    if game.last is None or game.last.asked is None or seat not in takeback.to_answer(state, game):
        return ()
    return _optional("answer_take_back", seat, game.last.asked, ({"accept": True}, {"accept": False}))


def _settings(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    """Return the settings of a seat, auto no double and the proxy; none for a seat that is out."""
    members = members_in(state, game)
    if seat not in members:
        return ()
    proxies: Options = tuple({"seat": s} for s in coming_and_going.may_name(state, seat, members))
    # The Captain of a single cube speaks for all, and silence is no double; at a real board and in a match to 1
    # the members are not asked at all.
    is_unasked = game.is_single or is_wood(state) or match.is_to_one(state)
    switch: Options = () if is_unasked else ({"on": not state.players[seat].auto},)
    return (
        *_optional("auto", seat, state.opened, switch),
        *_optional("name_proxy", seat, state.opened, proxies),
    )
