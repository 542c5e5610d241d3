// @ts-check
/** Events of the cubes as lines of the log. */
import { fill } from "games/kit/page/text.js";
import { howText, levelText, pointsText } from "chouette/words/words.js";

/** @typedef {import("chouette/words/describe.js").Teller} Teller */

/** No line in the log: sealed, or told by the next event. @type {Teller} */
const hidden = () => null;

/** The data of events that name a second seat. */
const OTHERS = ["to", "member", "before", "deputy", "partner", "proxy"];

/** A sentence about a seat, and in some events another one. @param {string} sentence @returns {Teller} */
export const about = (sentence) => (d, { name }) =>
  fill(sentence, { ...d, name: name(d.seat), ...Object.fromEntries(OTHERS.map((key) => [key, name(d[key])])) });

/** @type {Record<string, Teller>} */
export const CUBE_TELLERS = {
  automatic_asked: (d, who) => about(gettext("A tie: %(name)s decides whether all cubes go to %(value)s."))(d, who),
  automatic_answered: (d, who) => about(d.agree
    ? gettext("%(name)s agrees to the automatic double.")
    : gettext("%(name)s does not agree to the automatic double."))(d, who),
  cubes_doubled: (d) => fill(gettext("Automatic double: all cubes are at %(value)s."), { value: d.value }),
  double_carried: () => gettext("A second tie: the next game starts doubled if its Box agrees."),
  cube_sealed: hidden,
  cube_spoken: (d, who) => {
    if (!("says" in d)) return null;
    return about(d.says ? gettext("%(name)s says: double.") : gettext("%(name)s says: no double."))(d, who);
  },
  ring_opened: about(gettext("%(name)s is about to roll: does anybody double?")),
  ring_ended: hidden,
  wait_asked: (d, who) => (d.late ? null : about(gettext("%(name)s says: wait."))(d, who)),
  wait_ended: hidden,
  window_closed: hidden,
  extra_offered: about(gettext("%(name)s doubles the extra of %(member)s.")),
  doubled,
  answer_sealed: hidden,
  answer_given: hidden,
  answers_opened: (d) => (d.takes.length + d.drops.length > 1 ? gettext("The answers are shown.") : null),
  double_taken: (d, who) =>
    about(d.seat === d.member
      ? gettext("%(name)s takes at %(value)s.")
      : gettext("%(name)s takes the cube of %(member)s at %(value)s."))(d, who),
  asks_opened: hidden,
  replied,
  reply_sealed: hidden,
  reply_given: hidden,
  replies_opened: (d, who) => {
    const texts = d.replies.map((/** @type {any[]} */ [, kind, seat, reply]) => replied({ kind, seat, reply }, who));
    return [...new Set(texts.filter(Boolean))].join(" ") || null;
  },
  beavered: (d, { name }) =>
    fill(
      d.forced
        ? gettext("%(name)s has to beaver: the cube of %(member)s is at %(value)s.")
        : gettext("%(name)s beavers: the cube of %(member)s is at %(value)s."),
      { name: name(d.seat), member: name(d.member), value: d.value },
    ),
  raccooned: (d, { name }) =>
    fill(gettext("%(name)s raccoons: the cube of %(member)s is at %(value)s."), {
      name: name(d.seat),
      member: name(d.member),
      value: d.value,
    }),
  extra_given: (d, { name }) =>
    fill(gettext("%(name)s pays %(paid)s and gives %(member)s an extra at %(value)s."), {
      name: name(d.seat),
      member: name(d.member),
      paid: pointsText(d.paid),
      value: d.value,
    }),
  batch_closed: hidden,
  cube_settled: settled,
  resignation_offered: (d, { name }) =>
    fill(gettext("%(name)s wants to resign: %(level)s."), { name: name(d.seat), level: levelText(d.level) }),
  resignation_answered: (d, who) => about(d.accept
    ? gettext("%(name)s accepts the resignation.")
    : gettext("%(name)s refuses the resignation."))(d, who),
  resignation_answer_sealed: hidden,
  resignation_answer_given: hidden,
  resignation_closed: (d) => (d.accepted.length ? null : gettext("Nobody accepts the resignation: play goes on.")),
  settlement_proposed: (d, { name }) =>
    fill(gettext("%(name)s proposes a settlement to %(to)s."), { name: name(d.seat), to: name(d.to) }),
  settlement_lapsed: (d, { name }) =>
    fill(gettext("The settlement that %(name)s proposed to %(to)s has lapsed."), {
      name: name(d.seat),
      to: name(d.to),
    }),
  settlement_refused: (d, who) => about(gettext("%(name)s does not settle."))(d, who),
};

/** @type {Teller} */
function replied(d, who) {
  const sentence = REPLIES[`${d.kind} ${d.reply}`];
  return sentence ? about(sentence())(d, who) : null;
}

/** The replies in words, except replies that the next event tells. @type {Record<string, () => string>} */
const REPLIES = {
  "extra keep": () => gettext("%(name)s gives no extra."),
  "beaver no": () => gettext("%(name)s does not beaver."),
  "must_beaver drop": () => gettext("%(name)s does not beaver, and drops."),
  "beavered accept": () => gettext("%(name)s accepts the beaver."),
  "beavered drop": () => gettext("%(name)s drops the beaver."),
  "raccooned accept": () => gettext("%(name)s accepts the raccoon."),
  "raccooned drop": () => gettext("%(name)s drops the raccoon."),
};

/** @type {Teller} */
function doubled(d, { name, names }) {
  const params = { name: name(d.box), names: names(d.members), value: d.values[0] * 2 };
  const isBox = d.side === "box";
  if (d.by !== undefined)
    return fill(gettext("%(name)s doubles for the Team to %(value)s."), { ...params, name: name(d.by) });
  if (new Set(d.values).size === 1) {
    return fill(isBox
      ? gettext("%(name)s doubles %(names)s to %(value)s.")
      : ngettext("%(names)s doubles to %(value)s.", "%(names)s double to %(value)s.", d.members.length), params);
  }
  const cubes = d.members
    .map((/** @type {number} */ seat, /** @type {number} */ i) => `${name(seat)} ${d.values[i] * 2}`)
    .join(", ");
  return fill(isBox ? gettext("%(name)s doubles: %(cubes)s.") : gettext("The Team doubles: %(cubes)s."), {
    ...params,
    cubes,
  });
}

/** @type {Teller} */
function settled(d, { name }) {
  const [winner, loser] = d.points > 0 ? [d.member, d.against] : [d.against, d.member];
  const params = {
    winner: name(winner),
    loser: name(loser),
    points: pointsText(Math.abs(d.points)),
    how: howText(d.how),
  };
  if (d.points === 0) return fill(gettext("%(winner)s and %(loser)s settle for nothing."), params);
  return fill(gettext("%(winner)s wins %(points)s from %(loser)s: %(how)s."), params);
}
