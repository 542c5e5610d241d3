"""Words of the choices, by the choices' names (games.kernel.words); `chouette.rules.about` has the words' data."""

from __future__ import annotations

from collections.abc import Mapping

from chouette.rules.events.phrases import points_of
from games.kernel.contract import CLOCK, TAKE_BACK
from games.kernel.dice import typed
from games.kernel.sentences import (
    Node,
    among,
    each,
    equals,
    faces,
    first,
    given,
    has,
    more,
    name_of,
    names_of,
    no,
    phrase,
    pick,
    say,
    signed,
    times,
    when,
    within,
)
from games.kernel.text import gettext_noop as _
from games.kernel.words import Words


def _waiting(text: str) -> Node:
    """Return a sentence about the seats that the game waits for."""
    return say(text, name=phrase("awaited"), names=phrase("awaited"))


def _named(label: Node) -> Node:
    """Return the label of an option about a cube, with the cube's name where there are several."""
    return when("is_many", say(_("%(name)s: %(how)s"), name=phrase("cube_name"), how=label), label)


def _of_cubes(path: str, one: Node) -> Node:
    """Return a sentence about each cube of a list."""
    return each(path, within("view.game.cubes.{item}", one))


_IN_RING = given("view.game.window.ring")
_THINKS = among("seat", "view.game.window.thinking")
_IS_CARRIED = equals("view.phase", "between")
_DOUBLES_OR_ROLLS = _waiting(_("%(name)s doubles or rolls"))
_ACCEPT = when("accept", _("Accept"), _("Refuse"))
_COSTS = say(_("costs %(points)s"), points=points_of("cost"))
_OVER = _("The session is over")
_DROPS = _("When the time runs out, you get as much again once; then your cube is dropped.")
_LEAVES = _("When the time runs out, you get as much again once; then you have left the game.")
_HOUSE_ROLLS = _("When the time runs out, the house rolls for you.")
_MANY_DOUBLE = (more("view.game.batch", 1), no("view.game.single"))
_HAS_MANY = (more("view.game.cubes", 1), no("view.game.single"))

WORDS: Mapping[str, Words] = {
    "order_die": Words(
        own=_("Your turn"),
        others=when(
            equals("options.board", "wood"),
            _waiting(_("Next game: waiting for %(names)s")),
            _waiting(_("Opening roll: waiting for %(names)s")),
        ),
        question=_("One die each: the highest is Box."),
        label=typed.LABEL,
    ),
    "opening_roll": Words(
        own=_("Your turn: roll for the opening"),
        others=_waiting(_("Opening roll: waiting for %(names)s")),
        question=_("The higher die begins, with both dice."),
        label=first((given("dice"), typed.LABEL), ("server", typed.LABEL), otherwise=_("Roll one die")),
        key=first((given("dice"), None), ("server", None), otherwise="R"),
        tone=first((given("dice"), None), ("server", None), otherwise="go"),
        lapse=_HOUSE_ROLLS,
    ),
    "start_study": Words(
        own=_("Your turn: begin the game"),
        others=_waiting(_("Next game: waiting for %(name)s")),
        question=_("It begins in the position of the house rules, and you are on roll."),
        label=_("Begin the game"),
        key="R",
        tone="go",
    ),
    "begin_game": Words(
        own=_("You may begin the next game"),
        others=_waiting(_("Next game: waiting for %(names)s")),
        question=_("Set up the checkers"),
        label=_("The game begins"),
        key="R",
        tone="go",
    ),
    "automatic": Words(
        own=_("Your answer: double all cubes?"),
        others=when(
            _IS_CARRIED,
            _waiting(_("Start doubled? Waiting for %(name)s")),
            _waiting(_("Automatic double? Waiting for %(name)s")),
        ),
        question=when(
            _IS_CARRIED,
            _("A tie was carried over: does this game start doubled?"),
            _("Another tie: double all cubes once more?"),
        ),
        label=when("agree", say(_("Yes, cubes at %(value)s"), value="doubled"), _("No")),
        key=when("agree", None, "N"),
        tone=when("agree", "go"),
    ),
    "partner": Words(
        own=_("Your answer: a partner in the Box?"),
        others=_waiting(_("A partner in the Box? Waiting for %(name)s")),
        question=say(_("Take %(name)s as your partner in the Box?"), name=name_of("partner")),
        label=when("take", _("Take a partner"), _("No")),
        key=when("take", None, "N"),
        tone=when("take", "go"),
    ),
    "cube": Words(
        own=first(
            ((_IN_RING, _THINKS), _("Your cube: double or not?")),
            (_IN_RING, None),
            (has("open", "roll"), _("Your turn: double or roll")),
            otherwise=_("Your cube: double or not?"),
        ),
        others=when(
            "view.game.window.thinking",
            say(_("Double or not? Waiting for %(names)s"), names=names_of("view.game.window.thinking")),
            _("Does anybody double?"),
        ),
        question=_("Do you double?"),
        label=_named(
            first(
                ("double", say(_("Double to %(value)s"), value="doubled")),
                ("has_doubled", _("Take it back")),
                otherwise=_("No double"),
            )
        ),
        key=when("double", "D", "N"),
        tone=first(("double", None), ("has_doubled", None), otherwise="go"),
        lapse=_("When the time runs out, you do not double."),
        order=-1,
    ),
    "wait": Words(label=when("late", _("Wait: I come late"), _("Wait")), key=when("late", None, "M"), order=1),
    "next": Words(others=_("The next game begins in a moment"), label=_("Next"), key="R", tone="go"),
    "offer": Words(
        own=_("Your turn: double or roll"),
        others=_DOUBLES_OR_ROLLS,
        title=_("Double"),
        question=when(_HAS_MANY, _("Whom do you double?")),
        label=when(
            _HAS_MANY,
            say(_("Double %(names)s"), names=_of_cubes("cubes", phrase("cube_name"))),
            _of_cubes("cubes", say(_("Double to %(value)s"), value=times("value", 2))),
        ),
        key=when(_HAS_MANY, None, "D"),
        tone="",
        order=-1,
    ),
    "roll": Words(
        own=_("Your turn: roll"),
        others=_waiting(_("%(name)s rolls")),
        label=_("Roll"),
        key="R",
        tone="go",
        lapse=_HOUSE_ROLLS,
    ),
    "type_dice": Words(own=_("Your turn: throw, and tap what fell"), title=_("What the dice show"), label=typed.LABEL),
    "move": Words(
        own=say(_("Your turn: play %(dice)s"), dice=faces("view.game.dice")),
        others=say(_("%(name)s plays %(dice)s"), name=phrase("awaited"), dice=faces("view.game.dice")),
        title=_("Your play"),
        label=when("play", "%(play)s", _("No play")),
        lapse=_LEAVES,
    ),
    "answer_batch": Words(
        own=_("You are doubled: take or drop?"),
        title=_("Answer"),
        label=first(
            ((no("take"), *_MANY_DOUBLE), _("Drop all")),
            (no("take"), _("Drop")),
            (
                ("beaver", *_MANY_DOUBLE),
                say(
                    _("Take %(names)s, beaver %(beavers)s"),
                    names=_of_cubes("take", phrase("cube_name")),
                    beavers=_of_cubes("beaver", phrase("cube_name")),
                ),
            ),
            ("beaver", _("Beaver")),
            (_MANY_DOUBLE, say(_("Take %(names)s"), names=_of_cubes("take", phrase("cube_name")))),
            otherwise=_("Take"),
        ),
        key=first((no("take"), "P"), ("beaver", "E"), otherwise="T"),
        tone=first((no("take"), "stop"), ("beaver", None), otherwise="go"),
        lapse=_DROPS,
    ),
    "answer": Words(
        own=_("You are doubled: take or drop?"),
        others=_waiting(_("Take or drop? Waiting for %(names)s")),
        question=when(more("view.game.batch", 1), _("All answers are opened together.")),
        label=_named(first(("beaver", _("Beaver")), ("take", _("Take")), otherwise=_("Drop"))),
        note=first(
            ("beaver", say(_("your cube at %(value)s"), value=times("value", 4))),
            ("take", say(_("your cube at %(value)s"), value=times("value", 2))),
            otherwise=_COSTS,
        ),
        key=first(("beaver", "E"), ("take", "T"), otherwise="P"),
        tone=first(("beaver", None), ("take", "go"), otherwise="stop"),
        lapse=_DROPS,
    ),
    "reply": Words(
        own=pick(
            "kind",
            {
                "extra": _("Your answer: give an extra?"),
                "beaver": _("Your answer: beaver or not?"),
                "must_beaver": _("Your answer: beaver or drop?"),
                "beavered": _("Your answer: the beaver"),
                "raccooned": _("Your answer: the raccoon"),
            },
        ),
        others=pick(
            "view.game.asks.0.kind",
            {
                "extra": _waiting(_("An extra? Waiting for %(names)s")),
                "raccooned": _waiting(_("Raccoons: waiting for %(names)s")),
            },
            otherwise=_waiting(_("Beavers: waiting for %(names)s")),
        ),
        question=pick(
            "kind",
            {
                "extra": say(_("Give %(name)s an extra?"), name=name_of("other")),
                "beaver": _("You have taken. Beaver?"),
                "must_beaver": _("You alone have taken: beaver, or drop after all"),
                "beavered": say(_("%(name)s beavers to %(value)s"), name=name_of("other")),
                "raccooned": say(_("%(name)s raccoons to %(value)s"), name=name_of("other")),
            },
        ),
        label=_named(
            pick(
                "reply",
                {
                    "drop": _("Drop"),
                    "give": _("Give an extra"),
                    "raccoon": _("Raccoon"),
                    "beaver": _("Beaver"),
                    "keep": _("No extra"),
                    "no": _("No beaver"),
                    "accept": _("Accept"),
                },
            )
        ),
        note=first(
            (equals("reply", "drop"), _COSTS),
            (equals("reply", "give"), _COSTS),
            (equals("reply", "raccoon"), say(_("cube at %(value)s"), value=times("value", 2))),
            (equals("reply", "beaver"), say(_("cube at %(value)s"), value=times("value", 2))),
            (equals("reply", "keep"), None),
            otherwise=_("cube at %(value)s"),
        ),
        key=pick("reply", {"drop": "P", "raccoon": "E", "beaver": "E", "no": "N", "accept": "T"}, otherwise=None),
        tone=first(
            (equals("reply", "drop"), "stop"),
            ((equals("reply", "beaver"), equals("kind", "must_beaver")), "go"),
            otherwise=pick("reply", {"keep": "go", "no": "go", "accept": "go"}, otherwise=None),
        ),
        lapse=_DROPS,
    ),
    "answer_resignation": Words(
        own=_("Your answer: the resignation"),
        others=_waiting(_("Resignation: waiting for %(names)s")),
        question=say(
            _("%(name)s resigns %(level)s× (%(word)s)"),
            name=name_of("view.game.resignation.by"),
            level="view.game.resignation.level",
            word=within("view.game.resignation", phrase("level_text")),
        ),
        label=_ACCEPT,
        note=when("accept", phrase("settles")),
        tone=when("accept", "go"),
    ),
    "answer_take_back": Words(
        own=say(_("%(name)s asks for the play back"), name=name_of("view.game.last_play.seat")),
        is_urgent=True,
        question=say(
            _("%(name)s asks to take back %(play)s"),
            name=name_of("view.game.last_play.seat"),
            play="view.game.last_play.play",
        ),
        label=_ACCEPT,
        tone=when("accept", "go"),
        order=-3,
    ),
    "answer_proposal": Words(
        own=say(_("%(name)s wants to settle"), name=name_of("by")),
        is_urgent=True,
        question=say(_("%(name)s proposes to settle: %(what)s"), name=name_of("by"), what=phrase("settles")),
        label=_named(_ACCEPT),
        note=when("accept", phrase("settles")),
        tone=first((("accept", "is_costing"), None), ("accept", "go"), ("is_costing", "go"), otherwise=None),
        order=-2,
    ),
    "result": Words(
        others=_("The game runs on the board"),
        title=_("How has the game ended?"),
        label=phrase("told_text"),
        tone="",
    ),
    "answer_result": Words(
        own=_("Your answer: is the result right?"),
        others=_waiting(_("Is the result right? Waiting for %(name)s")),
        question=within("view.game.told", phrase("told_text")),
        label=when("accept", _("That is right"), _("Not so")),
        tone=when("accept", "go"),
    ),
    "double": Words(
        label=when(
            "is_many",
            say(_("%(name)s doubles"), name=phrase("cube_name")),
            say(_("Double to %(value)s"), value="doubled"),
        ),
        note=when("is_many", say(_("cube at %(value)s"), value="doubled")),
        key=when("is_many", None, "D"),
        tone="",
    ),
    "withdraw_double": Words(label=_("Withdraw the double"), order=1),
    "press": Words(
        label=when(given("view.clock.turn"), _("Dice lifted"), _("Start the other's clock")),
        key="R",
        tone="go",
    ),
    "tie": Words(label=_("A tie: both rolled the same"), order=1),
    TAKE_BACK: Words(label=_("Take back"), order=1),
    "sit_out": Words(label=when("on", _("Sit out the next game"), _("Play the next game after all")), order=2),
    "pass_box": Words(label=_("Pass the Box on"), order=2),
    CLOCK: Words(
        label=first(
            (equals("clock", "delay"), _("Game clock: 12 seconds a turn")),
            otherwise=_("Rather no game clock"),
        ),
        order=3,
    ),
    "auto": Words(label=when("on", _("Auto no double"), _("No auto no double")), order=3),
    "ask_advice": Words(title=_("Ask for advice on this play:"), label=say(_("Ask %(name)s for advice")), order=4),
    "suggest": Words(title=_("Suggest a play"), label=when("play", "%(play)s", _("No play")), order=5),
    "say": Words(title=_("Say something to your side"), label=pick("text", {}), order=6),
    "propose": Words(
        title=_("Settle a cube"),
        label=say(
            _("%(name)s: %(what)s"),
            name=within("view.game.cubes.{cube}", phrase("cube_name")),
            what=signed("points"),
        ),
        order=7,
    ),
    "resign": Words(
        label=pick("level", {1: _("Resign a single game"), 2: _("Resign a gammon"), 3: _("Resign a backgammon")}),
        tone="stop",
        order=8,
    ),
    "name_deputy": Words(title=_("Hand the dice on"), label=say(_("Hand the dice on to %(name)s")), order=9),
    "name_proxy": Words(
        title=_("If I leave"),
        label=when(
            given("seat"), say(_("My cube then goes to %(name)s")), _("Nobody: then the Captain looks after it.")
        ),
        order=10,
    ),
    "leave_after": Words(label=when("on", _("I leave after this game"), _("I stay after all")), order=11),
    "correct": Words(
        title=_("Correct the results"),
        label=say(
            _("%(payer)s pays %(payee)s %(points)s"),
            payer=name_of("payer"),
            payee=name_of("payee"),
            points=points_of("points"),
        ),
        order=12,
    ),
    "over": Words(
        others=first(
            (
                given("view.ended.winner"),
                say(
                    _("%(name)s wins the match, %(score)s"),
                    name=name_of("view.ended.winner"),
                    score=each("view.ended.score", "%(item)s", join="–"),
                ),
            ),
            (more("view.ended.leaders", 2), _OVER),
            (
                (equals("view.ended.reason", "closed"), more("view.ended.best", 0)),
                say(
                    _("The session is over: %(names)s %(points)s"),
                    names=names_of("view.ended.leaders"),
                    points=signed("view.ended.best"),
                ),
            ),
            otherwise=_OVER,
        )
    ),
}
