"""A second reading of docs/rules-chouette.md §§4, 6, 7: a chouette from game to game.

Written from the page alone; it shares no code with `chouette.rules`. One mutable session; each
public method is something that happened. What chance and the board bring is told to it: dice,
who has borne off, and the doubles of a cube window.
"""

from __future__ import annotations

from tests.chouette.reference import reference_line
from tests.chouette.reference.reference_cubes import MOST, Cube, Extra, beaver_forced, held, of_the_house

QUIET = ("cubes", "move")
RANKS = {"extra": 0, "must_beaver": 1, "beavered": 2, "raccooned": 3}
BINDING = ("must_beaver", "beavered", "raccooned")


class Session:
    def __init__(self, options, seats, rolls, drawn):
        self.options = options
        self.status = ["in"] * seats
        self.named = {}
        self.line = reference_line.first(options["line_order"], rolls, seats, drawn)
        self.passed = []
        self.loser = None
        self.carried, self.agreed, self.takes_partner = False, {}, None
        self.rows = []
        self.game, self.over = None, False
        self.sitting, self.leaving, self.closing = set(), set(), False

    def here(self, seat):
        return self.status[seat] not in ("left",)

    # Between two games.

    def lineup(self):
        """§7: who sits out keeps their place in the line and does not play."""
        return [seat for seat in self.line if seat not in self.sitting]

    def sit_out(self, seat, is_out):
        was_box = self.lineup()[0] == seat
        (self.sitting.add if is_out else self.sitting.discard)(seat)
        self.takes_partner = None
        if was_box:
            self.hand_box_on()

    def place(self, seat, to):
        """§4.12: the host sets the first line."""
        self.line.remove(seat)
        self.line.insert(to, seat)
        self.takes_partner = None

    def may_pass_box(self, seat):
        """§7: once for each game, by whoever is to be Box."""
        is_first = self.lineup()[:1] == [seat]
        return self.options["may_decline_box"] and is_first and seat not in self.passed

    def pass_box(self, seat):
        """§7: the next in line who has not passed is Box, and whoever passed stands behind them."""
        self.passed.append(seat)
        self.hand_box_on()

    def hand_box_on(self):
        """§7: nobody who has passed it on is Box, but the first of them when everybody has."""
        line = self.lineup()
        if line and line[0] in self.passed:
            willing = [s for s in line if s not in self.passed]
            box = willing[0] if willing else next(s for s in self.passed if s in line)
            at = self.line.index(line[0])
            self.line.remove(box)
            self.line.insert(at, box)
        self.takes_partner = None

    def value(self):
        """§4.2: a double carried over counts if the player who begins as Box agreed."""
        return 2 if self.carried and self.agreed[self.lineup()[0]] else 1

    def begin(self):
        self.game = Game(self)
        self.carried, self.agreed, self.takes_partner = False, {}, None

    def partner(self):
        """§4.10: from n players on the Box may, or must, take the last in line."""
        if self.options["partner"] == "off" or len(self.lineup()) < self.options["partner_from"]:
            return None
        is_taken = self.options["partner"] == "compulsory_from" or self.takes_partner
        return self.lineup()[-1] if is_taken else None

    def join(self, seat):
        if seat == len(self.status):
            self.status.append("coming")
        self.status[seat] = "coming"
        if self.game is None:
            self.take_in()

    def take_in(self):
        coming = [seat for seat, status in enumerate(self.status) if status == "coming"]
        self.line = reference_line.with_newcomers(self.line, self.loser, coming, self.options["join_position"])
        for seat in coming:
            self.status[seat] = "in"

    def leave(self, seat):
        if self.game is not None:
            self.game.leave(seat)
            return
        was_box = self.lineup()[:1] == [seat]
        self.status[seat] = "left"
        self.named.pop(seat, None)
        self.agreed.pop(seat, None)
        self.sitting.discard(seat)
        self.line = [s for s in self.line if s != seat]
        self.over = len(self.line) < 2
        self.takes_partner = None
        while len(self.lineup()) < 2 <= len(self.line):
            self.sitting.remove(next(s for s in self.line if s in self.sitting))
        if was_box and not self.over:
            self.hand_box_on()

    def ended(self, line, loser):
        """§7: those who left are not in the line; newcomers are."""
        self.status = ["left" if status == "bot" else status for status in self.status]
        for seat in self.leaving:
            self.status[seat] = "left"
        self.sitting, self.leaving = set(), set()
        self.line = [seat for seat in line if self.status[seat] == "in"]
        self.loser, self.game, self.passed = loser, None, []
        self.take_in()
        self.takes_partner = None
        self.over = len(self.line) < 2 or self.closing


class Game:
    def __init__(self, session):
        self.session, self.options = session, of_the_house(session.options)
        self.is_single = self.options["cubes"] == "single"
        self.box, *team = session.lineup()
        self.mate = session.partner()
        self.team = [seat for seat in team if seat != self.mate]
        self.cubes = {seat: Cube(seat, session.value()) for seat in self.team}
        self.captains = [self.team[0]]
        self.captain = self.team[0]
        self.stage, self.turn = "opening", ""
        self.opening, self.ties = {}, 0
        self.care = {}
        self.gifts = []
        self.batch, self.answers, self.raised = [], {}, []
        self.asks, self.said = [], {}
        self.may_offer = False
        self.resigning, self.offered_levels, self.declined = None, {}, []
        self.proposals = {}

    # Who is who.

    def here(self, seat):
        return self.session.here(seat)

    def live(self):
        return [self.cubes[seat] for seat in self.team if self.cubes[seat].points is None]

    def members(self):
        """The members in the game: at the table, with a cube that is in it."""
        return [cube.member for cube in self.live() if self.here(cube.member)]

    def decides(self, member):
        return self.care.get(member, member)

    def talking(self, deputy, asked):
        """§§4.9, 4.10: who may talk now, where there is somebody to hear it."""
        pair = {self.box, self.mate} - {None}
        found = pair if len(pair) == 2 and all(map(self.here, pair)) else set()
        team = {*self.members(), self.captain}
        kind = self.options["consultation"]
        if kind == "none" or len(team) < 2:
            return found
        if kind == "cube_at_least":
            is_high = any(cube.value >= self.options["consultation_from"] for cube in self.live())
            return found | team if is_high else found
        if kind == "own_cube_turned":
            turned = {member for member in team if member in self.cubes and self.cubes[member].turned}
            return found | ({self.captain, deputy} & team) | (asked & team) | turned
        return found | team

    def stands_for(self, members):
        """§4.12: a single cube is decided about once, under the Captain's stake."""
        mine = [m for m in members if self.decides(m) == self.captain]
        return (mine or list(members))[:1] if self.is_single else list(members)

    def held_by(self, seat):
        return [cube for cube in self.live() if self.decides(cube.member) == seat]

    # Opening and automatics.

    def opening_die(self, seat, die):
        self.opening[seat] = die
        if len(self.opening) < 2:
            return
        (one, high), (two, low) = self.opening.items()
        self.opening = {}
        if high == low:
            self.ties += 1
            self.tie()
            return
        self.stage, self.turn = "move", "box" if (one if high > low else two) == self.box else "team"

    def tie(self):
        """§4.2."""
        kind, limit = self.options["automatics"], self.options["automatics_limit"]
        if kind == "box_decides" or (kind == "first_then_box" and self.ties > 1):
            self.stage = "automatic"
        elif (kind in ("first_then_box", "carry_over") and self.ties == 1) or (kind == "limit" and self.ties <= limit):
            self.automatic(agree=True)
        elif kind == "carry_over" and self.ties == 2:
            self.session.carried = True

    def automatic(self, agree):
        self.stage = "opening"
        if agree and self.live()[0].value * 2 <= MOST:
            for cube in self.live():
                cube.value *= 2

    # Turns.

    def begin_turn(self, side):
        self.turn, self.stage, self.may_offer = side, "cubes", side == "box"

    def to_roll(self):
        """Real dice are thrown: nobody doubles any more, and what they show is typed next (§4.12)."""
        self.may_offer = False

    def rolled(self):
        self.stage, self.may_offer = "move", False
        self.offered_levels, self.proposals = {}, {}

    def played(self, times):
        """A play was made; `times` is what it won the game with, 0 for nothing."""
        self.offered_levels, self.proposals = {}, {}
        if not times:
            self.begin_turn("team" if self.turn == "box" else "box")
            return
        sign = 1 if self.turn == "team" else -1
        jacoby = self.options["jacoby"]
        self.go_out([(cube, sign * cube.loses(times, jacoby), False) for cube in self.live()])

    def taken_back(self):
        self.stage, self.turn, self.may_offer = "move", "team" if self.turn == "box" else "box", False

    # Doubling.

    def double(self, members):
        if self.is_single:
            members = [cube.member for cube in self.live()]
        self.stage, self.batch, self.answers, self.raised = "answers", list(members), {}, []
        self.may_offer, self.proposals = False, {}

    def answerer(self, member):
        return self.box if self.turn == "team" else self.decides(member)

    def unanswered(self, seat):
        return [m for m in self.batch if m not in self.answers and self.answerer(m) == seat]

    def answer(self, said, raised=()):
        """§4.4: a taker may beaver with the answer itself; §4.12: the Box answers a single cube for all."""
        if self.is_single and self.turn == "team":
            said = dict.fromkeys(self.batch, any(said.values()))
        self.answers.update(said)
        self.raised += raised
        if set(self.answers) == set(self.batch):
            self.open_answers()

    def open_answers(self):
        """§4.3: a drop costs the value before the double; all answers at one moment."""
        batch = [self.cubes[m] for m in self.team if m in self.batch]
        takes = {cube.member for cube in batch if self.answers[cube.member]}
        alone = self.turn == "box" and {c.member for c in self.live()} == set(self.batch) and len(batch) > 1
        alone = alone and len(takes) == 1
        forced = self.turn == "team" and beaver_forced(self.options, batch, takes, self.captain)
        before = {cube.member: cube.value for cube in batch}
        drops = [cube for cube in batch if cube.member not in takes]
        self.turn_taken(takes)
        self.stage, self.batch, self.answers = "replies", [], {}
        sign = 1 if self.turn == "team" else -1
        self.go_out([(cube, sign * cube.value, False) for cube in drops])
        if self.session.game is not self:
            return
        self.ask_after(takes, drops, before, forced, alone)
        self.close_rounds()

    def turn_taken(self, takes):
        for member in takes:
            self.cubes[member].turn("against" if self.turn == "team" else "member")

    def ask_after(self, takes, drops, before, forced, alone):
        for member in [m for m in self.team if m in takes]:
            can = self.options["beavers"] and self.cubes[member].value * 2 <= MOST
            must = can and alone and self.options["sole_taker"] == "must_beaver_or_drop"
            assert member in self.raised or not (can and forced), "the Captain's cube alone is beavered"
            if must and member not in self.raised:
                self.asks.append(("must_beaver", member, self.answerer(member)))
        if alone and self.options["sole_taker"] == "extras":
            (taker,) = takes
            self.extra_price = before[taker]
            self.asks += [("extra", taker, c.member) for c in drops if self.here(c.member)]

    def all_of(self, members):
        """The members whose cubes a decision turns, in the order of the line; §4.12: of a single cube all."""
        found = [cube.member for cube in self.live()] if self.is_single and members else members
        return [m for m in self.team if m in found]

    def beaver(self, member):
        """§4.4: cube 4v, owned by the beaverer; the doubler answers."""
        self.cubes[member].raise_()
        if member in self.stands_for([cube.member for cube in self.live()]):
            self.asks.append(("beavered", member, self.decides(member) if self.turn == "team" else self.box))

    def raccoon(self, member):
        self.cubes[member].raise_()
        if member in self.stands_for([cube.member for cube in self.live()]):
            self.asks.append(("raccooned", member, self.answerer(member)))

    # Rounds: extras, beavers, raccoons.

    def round(self):
        """The questions of the round that is open and not answered yet."""
        first = min((RANKS[kind] for kind, _, _ in self.asks), default=None)
        return [ask for ask in self.asks if RANKS[ask[0]] == first and ask not in self.said]

    def ways(self, ask):
        kind, member, _ = ask
        if kind == "beavered" and held(self.options, "raccoons", False) and self.cubes[member].value * 2 <= MOST:
            return {"accept", "drop", "raccoon"}
        return {
            "extra": {"give", "keep"}, "must_beaver": {"beaver", "drop"},
        }.get(kind, {"accept", "drop"})  # fmt: skip

    def reply(self, ask, said):
        self.said[ask] = said
        self.close_rounds()

    def close_rounds(self):
        """§4.4: all answers to one round take effect together, in line order."""
        while self.session.game is self and self.stage == "replies" and not self.round():
            if self.raised and not any(ask[0] == "extra" and ask not in self.said for ask in self.asks):
                self.open_round()
                for member in self.all_of(self.raised):
                    self.beaver(member)
                self.raised = []
                continue
            if not self.asks:
                self.stage = "cubes"
                return
            self.open_round()

    def open_round(self):
        told = sorted(self.said.items(), key=lambda row: [*map(self.place, row[0][1:])])
        self.asks = [ask for ask in self.asks if ask not in self.said]
        self.said = {}
        drops = []
        for (kind, member, seat), said in told:
            if said == "give":
                self.give(seat, member)
            elif said == "beaver":
                self.beaver(member)
            elif said == "raccoon":
                for each in self.all_of([member]):
                    self.raccoon(each)
            elif said == "drop":
                drops += [(self.cubes[m], self.drop_price(kind, m), False) for m in self.all_of([member])]
        self.go_out(drops)

    def place(self, seat):
        return (self.box, *self.team).index(seat) if seat in (self.box, *self.team) else 0

    def drop_price(self, kind, member):
        """What goes to the member when whoever is asked drops: the cube before it was turned last."""
        doubler_pays = kind == "beavered"
        team_pays = doubler_pays == (self.turn == "team")
        price = self.cubes[member].value // 2
        return -price if team_pays else price

    def give(self, dropper, taker):
        """§4.8: pays v now, and the taker holds a second cube at 2v."""
        self.gifts.append((dropper, taker, self.extra_price))
        self.cubes[taker].extras.append(Extra(dropper, self.extra_price * 2))

    # Settling and resigning.

    def settle(self, member, points):
        self.go_out([(self.cubes[member], points, True)])

    def settle_extra(self, member, against, points):
        extra = next(e for e in self.cubes[member].running() if e.against == against)
        extra.points = points

    def levels(self, seat):
        """§6: 1, 2 or 3 times the cube; after a refusal more, until the next play."""
        cubes = self.live() if seat == self.box else self.held_by(seat)
        if self.stage not in QUIET or self.resigning is not None or not cubes:
            return set()
        most = max(cube.loses(3, self.options["jacoby"]) // cube.value for cube in cubes)
        return set(range(self.offered_levels.get(seat, 0) + 1, most + 1))

    def resign(self, seat, level):
        cubes = self.live() if seat == self.box else self.held_by(seat)
        self.offered_levels[seat] = level
        self.resigning = (seat == self.box, level, [cube.member for cube in cubes], {})

    def asked_to_accept(self, seat):
        if self.resigning is None:
            return []
        is_box, _, members, said = self.resigning
        return [m for m in members if m not in said and seat == (self.decides(m) if is_box else self.box)]

    def answer_resignation(self, seat, accept):
        said = self.resigning[3]
        for member in self.asked_to_accept(seat):
            said[member] = accept
        self.close_resignation()

    def close_resignation(self):
        is_box, level, members, said = self.resigning
        if set(members) - set(said):
            return
        self.resigning = None
        self.declined += [(member, is_box, level) for member in members if not said[member]]
        self.go_out([self.resigned(self.cubes[m], is_box, level) for m in self.team if said.get(m)])

    def resigned(self, cube, is_box, level):
        points = cube.loses(level, self.options["jacoby"])
        return cube, points if is_box else -points, False

    # Going out.

    def go_out(self, outs):
        """Cubes go out at one moment, in line order; then the game is over or somebody takes over."""
        if not outs:
            return
        captain = self.captain
        for cube, points, is_settled in outs:
            cube.end(points, is_settled)
            self.raised = [m for m in self.raised if m != cube.member]
            self.asks = [ask for ask in self.asks if ask[1] != cube.member]
            self.said = {ask: said for ask, said in self.said.items() if ask[1] != cube.member}
            self.proposals = {key: p for key, p in self.proposals.items() if key[0] != cube.member}
        if self.live():
            self.hand_on()
        else:
            self.end(captain, outs)

    def hand_on(self):
        """§§4.7, 7: the Captain's place, and the cubes that somebody looks after who is out."""
        members = self.members()
        if members:
            if self.captain not in members:
                self.make_captain(members[0])
            for leaver in self.leavers():
                if self.care[leaver] not in members:
                    self.hand_cube(leaver, self.captain)
            return
        for leaver in self.leavers():
            if not self.here(self.care[leaver]):
                self.hand_cube(leaver, self.still_here()[0])
        deciders = [self.decides(cube.member) for cube in self.live()]
        if self.captain not in deciders:
            self.make_captain(deciders[0])

    def leavers(self):
        return [leaver for leaver in self.care if self.cubes[leaver].points is None]

    def still_here(self):
        team = [seat for seat in self.team if self.here(seat)]
        return sorted(team, key=lambda seat: seat != self.captain)

    def hand_cube(self, leaver, seat):
        before, self.care[leaver] = self.care[leaver], seat
        swapped = {ask: (*ask[:2], seat) for ask in self.asks if ask[1:] == (leaver, before) and ask[0] != "extra"}
        self.asks = [swapped.get(ask, ask) for ask in self.asks]
        self.said = {swapped.get(ask, ask): said for ask, said in self.said.items()}

    def make_captain(self, seat):
        self.captain = seat
        self.opening = {seat if who == self.captains[-1] else who: die for who, die in self.opening.items()}
        if seat not in self.captains:
            self.captains.append(seat)

    # Leaving.

    def leave(self, seat):
        if seat == self.box:
            self.leave_box(seat)
        elif self.held_by(seat):
            self.leave_team(seat)
        else:
            self.go(seat)
            for ask in [a for a in self.round() if a[2] == seat and a[0] == "extra"]:
                self.reply(ask, "keep")

    def go(self, seat, status="left"):
        self.session.status[seat] = status
        self.session.named.pop(seat, None)
        self.session.leaving.discard(seat)

    def bot_may_play_for(self, seat):
        """A bot that sleeps itself is not followed by another."""
        return self.options["bot_plays_on"] and self.session.status[seat] != "bot"

    def leave_box(self, seat):
        """§7: the partner plays on; else a bot where that is so; else every live cube is paid."""
        if self.mate is not None and self.here(self.mate):
            self.go(seat)
            self.asks = [(kind, m, self.mate if who == seat else who) for kind, m, who in self.asks]
            self.said = {(k, m, self.mate if w == seat else w): r for (k, m, w), r in self.said.items()}
            self.opening = {self.mate if who == seat else who: die for who, die in self.opening.items()}
            self.offered_levels = {self.mate if w == seat else w: n for w, n in self.offered_levels.items()}
            self.box, self.mate = self.mate, None
        elif self.bot_may_play_for(seat):
            self.go(seat, "bot")
        else:
            self.go(seat)
            self.pay(is_box=True)

    def leave_team(self, seat):
        named = self.session.named.get(seat)
        others = [s for s in self.members() if s != seat]
        if named not in others:
            named = self.captain if self.captain in others else next(iter(others), None)
        if named is None:
            named = next((s for s in self.still_here() if s != seat), None)
        if named is None:
            is_bot = self.bot_may_play_for(seat)
            self.go(seat, "bot" if is_bot else "left")
            if not is_bot:
                self.pay(is_box=False)
            return
        self.go(seat)
        if self.cubes[seat].points is None:
            self.care[seat] = seat
            self.hand_cube(seat, named)
        self.hand_on()

    def pay(self, is_box):
        """§7: what has been accepted stands; else the highest level refused plus one, at least 1."""
        outs = []
        sign = 1 if self.turn == "team" else -1
        self.turn_taken([m for m, takes in self.answers.items() if takes])
        for cube in self.live():
            if self.answers.get(cube.member) is False:
                outs.append((cube, sign * cube.value, False))
            else:
                outs.append(self.paid(cube, is_box))
        self.go_out(outs)

    def paid(self, cube, is_box):
        by_box, level, _, said = self.resigning or (None, 0, [], {})
        if said.get(cube.member):
            return self.resigned(cube, by_box, level)
        for kind, member, _ in [ask for ask, reply in self.said.items() if reply == "drop"]:
            if member == cube.member:
                return cube, self.drop_price(kind, member), False
        for kind, member, seat in self.round():
            asked_box = seat == self.box
            if member == cube.member and kind in BINDING and asked_box == is_box:
                return cube, self.drop_price(kind, member), False
        refused = [n + 1 for m, by, n in self.declined if m == cube.member and by == is_box]
        if by_box is is_box and self.resigning and cube.member in self.resigning[2]:
            refused.append(level + (said.get(cube.member) is False))
        return self.resigned(cube, is_box, min(3, max(refused, default=1)))

    # The end.

    def end(self, captain, outs):
        """§§4.8, 4.10, 5, 6."""
        points = {seat: self.cubes[seat].points for seat in self.team}
        deciding = next((n for cube, n, _ in outs if cube.member == captain), outs[-1][1])
        net = -sum(points.values())
        first, *rest = self.team
        rest = sorted([*rest, *self.session.sitting], key=self.session.line.index)
        line, loser = reference_line.after(
            self.options, [self.box, first, *rest], self.captains, points, deciding > 0, net
        )
        if self.mate is not None:
            line = reference_line.with_partner(line, self.box, self.mate)
            loser = line[-1] if line[0] != self.box else loser
        self.session.rows.append(self.row(net))
        self.session.ended(line, loser)

    def row(self, net):
        """The points by seat: transfers between two players each, so their sum is 0."""
        found = dict.fromkeys(range(len(self.session.status)), 0)

        def pay(payer, payee, points):
            found[payer] -= points
            found[payee] += points

        for cube in self.cubes.values():
            pay(self.box, cube.member, cube.points)
            for extra in cube.extras:
                pay(extra.against, cube.member, extra.points)
        for gift in self.gifts:
            pay(*gift)
        if self.mate is not None:
            half = abs(net) // 2
            pay(self.box, self.mate, half if net > 0 else -half)
        return [found[seat] for seat in sorted(found)]
