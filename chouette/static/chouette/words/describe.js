// @ts-check
/** Events as lines of the log; the cubes' events are in describe_cubes.js. */
import { nameOf, namesOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { CUBE_TELLERS } from "chouette/words/describe_cubes.js";
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
    if (["passed_on", "to_throw"].includes(d.why) || (d.line.length < 3 && d.why !== "rolled")) return null;
    /** @type {Record<string, string>} */
    const sentences = {
      drawn: gettext("The line, by lot: %(names)s."),
      by_hand: gettext("The line, set by hand: %(names)s."),
    };
    const sentence = sentences[d.why] ?? gettext("The line: %(names)s.");
    return fill(sentence, { names: d.line.map(name).join(", ") });
  },
  box_passed: (d, { name }) =>
    fill(gettext("%(name)s passes the Box on to %(to)s."), { name: name(d.seat), to: name(d.to) }),
  deputy_named: (d, { name }) =>
    fill(gettext("%(name)s hands the dice to %(deputy)s."), { name: name(d.seat), deputy: name(d.deputy) }),
  deputy_ended: (d, { name }) => fill(gettext("%(name)s gives the dice back."), { name: name(d.deputy) }),
  partner_chosen: (d, { name }) =>
    d.partner === null
      ? fill(gettext("%(name)s plays the Box without a partner."), { name: name(d.seat) })
      : fill(gettext("%(name)s takes %(partner)s as partner in the Box."), {
          name: name(d.seat),
          partner: name(d.partner),
        }),
  carry_answered: (d, { name }) =>
    fill(
      d.agree
        ? gettext("%(name)s agrees: the game starts doubled.")
        : gettext("%(name)s does not agree: the game starts at 1."),
      { name: name(d.seat) },
    ),
  game_started: started,
  opening_die_rolled: (d, { name }) =>
    fill(
      d.typed ? gettext("%(name)s types %(die)s for the opening.") : gettext("%(name)s rolls %(die)s for the opening."),
      { name: name(d.seat), die: d.die },
    ),
  opening_tied: (d) => d.die === null
    ? gettext("A tie of the opening roll.")
    : fill(gettext("A tie at %(die)s: both roll again."), { die: d.die }),
  turn_began: (d, { name }) =>
    d.dice.length
      ? fill(gettext("%(name)s begins with %(dice)s."), { name: name(d.seat), dice: d.dice.join("-") })
      : null,
  dice_awaited: (d, { name }) => fill(gettext("%(name)s throws the dice at the table."), { name: name(d.seat) }),
  dice_rolled: (d, { name }) =>
    fill(d.typed ? gettext("%(name)s types %(dice)s.") : gettext("%(name)s rolls %(dice)s."), {
      name: name(d.seat), dice: d.dice.join("-"),
    }),
  play_made: (d, { name }) =>
    fill(d.play === "cannot move" ? gettext("%(name)s cannot move.") : gettext("%(name)s plays %(play)s."), {
      name: name(d.seat),
      play: d.play,
    }),
  play_asked_back: (d, { name }) => fill(gettext("%(name)s asks to take the play back."), { name: name(d.seat) }),
  play_back_agreed: (d, { name }) => fill(gettext("%(name)s lets the play go back."), { name: name(d.seat) }),
  play_back_refused: (d, { name }) => fill(gettext("%(name)s lets the play stand."), { name: name(d.seat) }),
  play_back_lapsed: (d, { name }) =>
    fill(gettext("%(name)s got no answer in time: the play stands."), { name: name(d.seat) }),
  play_taken_back: () => gettext("The play is taken back."),
  captain_changed: (d, { name }) =>
    fill(
      d.why === "stand_in" ? gettext("%(name)s stands in for %(before)s.") : gettext("%(name)s is the new Captain."),
      { name: name(d.seat), before: name(d.before) },
    ),
  timed_out: (d, { name }) =>
    fill(
      d.again
        ? gettext("Time is up for %(name)s, who has the same time once more.")
        : gettext("Time is up for %(name)s."),
      { name: name(d.seat) },
    ),
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
  seat_joined: (d, { name }) => fill(gettext("%(name)s joins."), { name: name(d.seat) }),
  seat_left: left,
  pause_began: hidden,
  went_on: hidden,
  pause_ended: hidden,
  sat_out: (d, { name }) =>
    fill(d.on ? gettext("%(name)s sits out the next game.") : gettext("%(name)s plays the next game."), {
      name: name(d.seat),
    }),
  leaving_announced: (d, { name }) =>
    fill(d.on ? gettext("%(name)s leaves after this game.") : gettext("%(name)s stays after this game."), {
      name: name(d.seat),
    }),
  closing_announced: hidden,
  cube_handed: (d, { name }) =>
    fill(gettext("%(name)s now looks after the cube of %(member)s."), { name: name(d.seat), member: name(d.member) }),
  box_changed: (d, { name }) => fill(gettext("%(name)s plays on as the Box."), { name: name(d.seat) }),
  proxy_named: (d, { name }) => (d.proxy === null
    ? fill(gettext("%(name)s names nobody to take over the cube."), { name: name(d.seat) })
    : fill(gettext("%(name)s names %(proxy)s to take over the cube."), { name: name(d.seat), proxy: name(d.proxy) })),
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
  const params = {
    number: d.number,
    points: gains.join(", ") || "0",
    box: name(d.line_after[0]),
    captain: name(d.line_after[1]),
  };
  if (d.line_after.length < 3) return fill(gettext("Game %(number)s is over: %(points)s."), params);
  return fill(
    gettext("Game %(number)s is over: %(points)s. Next: %(box)s is the Box, %(captain)s is Captain."),
    params,
  );
}

/** @type {Teller} */
function left(d, { name }) {
  const params = { name: name(d.seat), proxy: d.proxy === null ? "" : name(d.proxy) };
  if (d.played_on) return fill(gettext("%(name)s has left; a bot plays the game out."), params);
  return fill(
    d.proxy === null ? gettext("%(name)s has left.") : gettext("%(name)s has left; %(proxy)s looks after the cube."),
    params,
  );
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
