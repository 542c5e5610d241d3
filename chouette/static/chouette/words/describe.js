// @ts-check
/** Events as lines of the log; the cubes' events are in describe_cubes.js. */
import { nameOf, namesOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { about, CUBE_TELLERS } from "chouette/words/describe_cubes.js";
import { pointsText, signed } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/**
 * Fills a sentence in; parameters that name a seat become its name.
 * @typedef {(sentence: string, params: Record<string, any>) => string} Say
 */
/** @typedef {(d: any, who: Who) => string | null} Teller null: nothing for the log */

/**
 * @typedef {object} Who the names at the table
 * @property {(seat: number) => string} name
 * @property {(seats: number[]) => string} names "Ada, Bo and Cy"
 */

/** @type {Teller} */
const hidden = () => null;

/** @type {Record<string, Teller>} */
const TELLERS = {
  order_rolled: (d, { name }) => {
    const rolls = d.rolls.map((/** @type {any} */ r) => `${name(r.seat)} ${r.die}`).join(", ");
    return fill(gettext("For the order: %(rolls)s."), { rolls });
  },
  lots_drawn: hidden,
  line_set: (d, { name }) => {
    if (d.why === "to_throw" || (d.line.length < 3 && d.why !== "rolled")) return null;
    const sentence = d.why === "drawn" ? gettext("The line, by lot: %(names)s.")
      : d.why === "by_hand" ? gettext("The line, set by hand: %(names)s.") : gettext("The line: %(names)s.");
    return fill(sentence, { names: d.line.map(name).join(", ") });
  },
  box_passed: about(gettext("%(name)s passes the Box on to %(to)s.")),
  deputy_named: about(gettext("%(name)s hands the dice to %(deputy)s.")),
  deputy_ended: (d, { name }) => fill(gettext("%(name)s gives the dice back."), { name: name(d.deputy) }),
  partner_chosen: (d, who) =>
    about(d.partner === null
      ? gettext("%(name)s plays the Box without a partner.")
      : gettext("%(name)s takes %(partner)s as partner in the Box."))(d, who),
  carry_answered: (d, who) =>
    about(d.agree
        ? gettext("%(name)s agrees: the game starts doubled.")
        : gettext("%(name)s does not agree: the game starts at 1."))(d, who),
  game_started: started,
  opening_die_rolled: (d, who) =>
    about(d.typed
      ? gettext("%(name)s types %(die)s for the opening.")
      : gettext("%(name)s rolls %(die)s for the opening."))(d, who),
  opening_tied: (d) => d.die === null
    ? gettext("A tie of the opening roll.")
    : fill(gettext("A tie at %(die)s: both roll again."), { die: d.die }),
  turn_began: (d, { name }) =>
    d.dice.length
      ? fill(gettext("%(name)s begins with %(dice)s."), { name: name(d.seat), dice: d.dice.join("-") })
      : null,
  dice_awaited: about(gettext("%(name)s throws the dice at the table.")),
  dice_rolled: (d, { name }) =>
    fill(d.typed ? gettext("%(name)s types %(dice)s.") : gettext("%(name)s rolls %(dice)s."), {
      name: name(d.seat), dice: d.dice.join("-"),
    }),
  play_made: (d, who) =>
    about(d.play === "cannot move" ? gettext("%(name)s cannot move.") : gettext("%(name)s plays %(play)s."))(d, who),
  play_asked_back: about(gettext("%(name)s asks to take the play back.")),
  play_back_agreed: about(gettext("%(name)s lets the play go back.")),
  play_back_refused: about(gettext("%(name)s lets the play stand.")),
  play_back_lapsed: about(gettext("%(name)s got no answer in time: the play stands.")),
  play_taken_back: () => gettext("The play is taken back."),
  captain_changed: (d, who) =>
    about(d.why === "stand_in"
      ? gettext("%(name)s stands in for %(before)s.")
      : gettext("%(name)s is the new Captain."))(d, who),
  timed_out: (d, who) =>
    about(d.again
        ? gettext("Time is up for %(name)s, who has the same time once more.")
        : gettext("Time is up for %(name)s."))(d, who),
  talked: hidden,
  play_suggested: hidden,
  talk_opened: (d, { name }) =>
    fill(gettext("%(by)s asks %(name)s for advice."), { by: name(d.by), name: name(d.seat) }),
  auto_set: hidden,
  game_ended: ended,
  session_ended: (d, { name }) => {
    if (d.reason === "match_won") return fill(gettext("%(name)s wins the match."), { name: name(d.winner) });
    return d.reason === "too_few" ? gettext("One player is left: that is the end.") : gettext("The table is closed.");
  },
  row_corrected: corrected,
  seat_joined: about(gettext("%(name)s joins.")),
  seat_left: (d, who) =>
    about(d.played_on ? gettext("%(name)s has left; a bot plays the game out.")
      : d.proxy === null ? gettext("%(name)s has left.")
      : gettext("%(name)s has left; %(proxy)s looks after the cube."))(d, who),
  pause_began: hidden,
  went_on: hidden,
  pause_ended: hidden,
  sat_out: (d, who) =>
    about(d.on ? gettext("%(name)s sits out the next game.") : gettext("%(name)s plays the next game."))(d, who),
  leaving_announced: (d, who) =>
    about(d.on ? gettext("%(name)s leaves after this game.") : gettext("%(name)s stays after this game."))(d, who),
  closing_announced: hidden,
  cube_handed: about(gettext("%(name)s now looks after the cube of %(member)s.")),
  box_changed: about(gettext("%(name)s plays on as the Box.")),
  proxy_named: (d, who) =>
    about(d.proxy === null
      ? gettext("%(name)s names nobody to take over the cube.")
      : gettext("%(name)s names %(proxy)s to take over the cube."))(d, who),
  ...CUBE_TELLERS,
};

/** Add words for further events, which few tables have. @param {Record<string, Teller>} more */
export function addTellers(more) {
  Object.assign(TELLERS, more);
}

/**
 * @param {{type: string, data: any}} event
 * @param {SeatInfo[]} seats
 * @returns {string | null}
 */
export function describe(event, seats) {
  const who = {
    name: (/** @type {number} */ seat) => nameOf(seats, seat),
    names: (/** @type {number[]} */ several) => namesOf(seats, several),
  };
  return TELLERS[event.type]?.(event.data, who) ?? null;
}

/** @type {Teller} */
function started(d, { name }) {
  const [box, captain] = d.line;
  const sentence = d.line.length > 2
    ? gettext("Game %(number)s: %(box)s is the Box, %(captain)s is Captain.")
    : gettext("Game %(number)s: %(box)s against %(captain)s.");
  const parts = [fill(sentence, { number: d.number, box: name(box), captain: name(captain) })];
  if (d.crawford) parts.push(gettext("Crawford game: nobody doubles."));
  if (d.value > 1) parts.push(fill(gettext("The cubes start at %(value)s."), { value: d.value }));
  return parts.join(" ");
}

/** @type {Teller} */
function ended(d, { name }) {
  const gains = d.points.flatMap((/** @type {number} */ points, /** @type {number} */ seat) =>
    points ? [`${name(seat)} ${signed(points)}`] : [],
  );
  return fill(gettext("Game %(number)s is over: %(points)s."), { number: d.number, points: gains.join(", ") || "0" });
}

/** @type {Teller} */
function corrected(d, { name }) {
  const paid = d.transfers.map((/** @type {any[]} */ [payer, payee, points]) =>
    fill(gettext("%(payer)s pays %(payee)s %(points)s"), {
      payer: name(payer),
      payee: name(payee),
      points: pointsText(points),
    }),
  );
  return fill(gettext("%(name)s corrects the sheet: %(paid)s (%(why)s)."), {
    name: d.seat === null ? gettext("The host") : name(d.seat), paid: paid.join(", "), why: d.why,
  });
}
