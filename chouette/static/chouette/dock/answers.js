// @ts-check
/**
 * Answers to doubles: take or drop, beavers, raccoons, extras; and choosing among many cubes
 * (docs/rules-chouette.md §§4.4–4.6). Fetched once the board is seen.
 */
import { h } from "games/kit/page/dom.js";
import { argsOf, broken, isAllowed, isForced } from "games/kit/sets.js";
import { fill } from "games/kit/page/text.js";
import { answeredText, row } from "chouette/dock/cube_decisions.js";
import { pointsText } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Ask} Ask */
/** @typedef {"offer" | "answer_batch"} OfSets a choice of sets of cubes */
/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** Most names in a title; of more, the seats show them. */
const MOST_NAMES = 3;

// Take or drop: the Box on one sheet, the members each for themselves.

/** Return the cubes that the Box answers; a single cube is answered once, for all its stakes. @param {Scene} scene */
function doubledCubes(scene) {
  const { single, batch, cubes } = scene.game;
  return single ? scene.cubesOf("answer_batch") : batch.filter((i) => !cubes[i].extra);
}

/** @param {Scene} scene @returns {Panel} */
export function batchPanel(scene) {
  const cubes = doubledCubes(scene);
  const names = scene.names(cubes.map((i) => scene.game.cubes[i].member));
  const title = cubes.length > MOST_NAMES
    ? fill(gettext("%(count)s double: take or drop?"), { count: cubes.length })
    : fill(ngettext("%(names)s doubles", "%(names)s double", cubes.length), { names });
  const { sets } = scene.choice("answer_batch") ?? {};
  if (cubes.length === 1) {
    const ways = waysWith(sets?.marks?.of.includes(cubes[0]));
    const args = (/** @type {Way} */ way) =>
      sets ? argsOf(sets, way === "drop" ? [] : cubes, way === "beaver" ? cubes : []) : {};
    const buttons = answerButtons(scene, cubes[0], ways, (way) => ["answer_batch", args(way)]);
    return { kind: "offer", title, buttons };
  }
  const kept = scene.memory.of(scene.choice("answer_batch"));
  const takes = cubes.filter((i) => kept.has(i) && kept.get(i) !== "drop");
  const beavers = takes.filter((i) => kept.get(i) === "beaver");
  const raised = (sets?.marks && argsOf(sets, takes, beavers)[sets.marks.name]) ?? [];
  const isComplete = cubes.every((i) => kept.has(i));
  const isPartly = !isComplete && cubes.some((i) => kept.get(i) === "drop" || kept.get(i) === "beaver");
  const sent = isComplete ? takes : cubes.filter((i) => kept.get(i) !== "drop");
  return {
    kind: "offer",
    title,
    notes: [!isComplete && gettext("Tap each cube in the seats, or answer all at once.")],
    why: isComplete ? bindingRule(scene, takes) : undefined,
    buttons: [
      whole(scene, [], {
        id: "drop all", label: gettext("Drop all"), note: costText(scene, cubes), kind: "stop", key: "P",
      }),
      // The main place has what can be done: to take all, or all the others, until each cube is answered; then the sum.
      ...(isPartly ? [] : [
        whole(scene, cubes, { id: "take all", label: gettext("Take all"), key: "T", kind: isComplete ? "" : "go" }),
      ]),
      ...(isPartly || isComplete ? [whole(scene, sent, {
        id: isComplete ? "send" : "rest",
        key: "",
        label: isComplete ? sendText(takes, cubes, raised) : gettext("Take the others"),
        note: sent.length < cubes.length && costText(scene, cubes.filter((i) => !sent.includes(i))),
        kind: "go",
        grave: true,
        off: !isAllowed(sets, sent),
      }, raised)] : []),
    ],
  };
}

/**
 * Return the house rule that binds the Box where it takes these cubes, if one does.
 * @param {Scene} scene @param {number[]} takes
 */
function bindingRule(scene, takes) {
  const { sets } = scene.choice("answer_batch") ?? {};
  if (!isAllowed(sets, takes)) return forbidden(scene, "answer_batch", takes);
  const isBound = isForced(sets?.marks, takes);
  return isBound ? gettext("House rule: the Captain's cube taken alone is beavered at once.") : undefined;
}

/** @typedef {import("chouette/team/member.js").Answer} Answer */

/** Return the effects of tapping seats; none if there is only one cube. @param {Scene} scene @returns {Answer[]} */
export function seatAnswers(scene) {
  return scene.choice("answer_batch") ? seatTakes(scene) : seatOffers(scene);
}

/** Return the taps with which the Box chooses whom to double. @param {Scene} scene @returns {Answer[]} */
function seatOffers(scene) {
  const cubes = scene.cubesOf("offer");
  if (cubes.length < 2 || !scene.now.canAct || !isBySeat(scene, cubes)) return [];
  const kept = scene.memory.of(scene.choice("offer"));
  return cubes.map((cube) => {
    const { member: seat, value } = scene.game.cubes[cube], isIn = Boolean(kept.get(cube));
    const label = fill(gettext("Double %(name)s to %(value)s"), { name: scene.cubeName(cube), value: value * 2 });
    const press = () => toggle(scene, "offer", cube, !isIn);
    return { seat, way: isIn ? "double" : undefined, word: `→ ${value * 2}`, label, pressed: isIn, press };
  });
}

/** Return the taps that answer doubles: each goes on to the next answer. @param {Scene} scene @returns {Answer[]} */
function seatTakes(scene) {
  const choice = scene.choice("answer_batch");
  const cubes = choice ? doubledCubes(scene) : [];
  if (!choice || cubes.length < 2 || !scene.now.canAct) return [];
  const kept = scene.memory.of(choice);
  return cubes.map((cube) => {
    const way = /** @type {Way | undefined} */ (kept.get(cube));
    const ways = /** @type {Way[]} */ (["take", "drop", ...(choice.sets?.marks?.of.includes(cube) ? ["beaver"] : [])]);
    const next = ways[(way ? ways.indexOf(way) + 1 : 0) % ways.length];
    const { member: seat, value } = scene.game.cubes[cube];
    const word = way === "drop" ? `${wayText(way)} −${value}` : way ? wayText(way) : "?";
    const params = { name: scene.name(seat), answer: way ? word : gettext("not answered yet") };
    const label = fill(gettext("Double of %(name)s: %(answer)s"), params);
    return { seat, way, word, label, press: () => toggle(scene, "answer_batch", cube, next) };
  });
}

/**
 * Return a button that answers the whole batch.
 * @param {Scene} scene
 * @param {number[]} take
 * @param {import("chouette/dock/parts.js").Spec} spec
 * @param {number[]} [raised] the cubes that are beavered
 */
function whole(scene, take, spec, raised = []) {
  const { sets } = scene.choice("answer_batch") ?? {};
  const args = sets && argsOf(sets, take, raised);
  return scene.button({ off: !isAllowed(sets, take), ...spec, name: "answer_batch", args });
}

/** @param {number[]} takes @param {number[]} cubes @param {number[]} raised */
function sendText(takes, cubes, raised) {
  const counts = { takes: takes.length, drops: cubes.length - takes.length, beavers: raised.length };
  return fill(raised.length
    ? gettext("Send: take %(takes)s (beaver %(beavers)s), drop %(drops)s")
    : gettext("Send: take %(takes)s, drop %(drops)s"), counts);
}

/** Return the price of dropping cubes. @param {Scene} scene @param {number[]} cubes */
function costText(scene, cubes) {
  const points = cubes.reduce((sum, i) => sum + scene.game.cubes[i].value, 0);
  return fill(gettext("costs %(points)s"), { points: pointsText(points) });
}

/** @typedef {"drop" | "take" | "beaver"} Way */
/** @type {Way[]} What costs is on the left, and the main button on the right. */
const WAYS = ["drop", "beaver", "take"];

/** @param {boolean | undefined} mayBeaver */
const waysWith = (mayBeaver) => WAYS.filter((way) => way !== "beaver" || mayBeaver);

/** @param {Way} way */
const wayText = (way) => ({ drop: gettext("Drop"), take: gettext("Take"), beaver: gettext("Beaver") })[way];

/**
 * Return the buttons to drop, take and beaver one cube, each with its price.
 * @param {Scene} scene
 * @param {number} index
 * @param {Way[]} ways
 * @param {(way: Way) => [keyof Chouette.Choices, object]} say the command and its arguments
 * @param {boolean} [isRow]
 */
function answerButtons(scene, index, ways, say, isRow = false) {
  const { value } = scene.game.cubes[index];
  // Dropping a single cube, the Box pays every stake in it.
  const stakes = scene.game.single && scene.isBox ? scene.game.batch.length : 1;
  const yours = (/** @type {number} */ to) => fill(gettext("your cube at %(value)s"), { value: to });
  /** @type {Record<Way, string>} */
  const prices = {
    drop: fill(gettext("costs %(points)s"), { points: pointsText(value * stakes) }), beaver: yours(value * 4),
    take: yours(value * 2),
  };
  return ways.map((way) => {
    const [name, args] = say(way);
    return scene.button({ name, args, isRow, ...(name === "answer_batch" ? { note: prices[way] } : {}) });
  });
}

/** Return the panel of a member's answer, sealed until all are given. @param {Scene} scene @returns {Panel} */
export function answersPanel(scene) {
  const cubes = scene.cubesOf("answer");
  const { member, against, extra } = scene.game.cubes[cubes[0]];
  const name = scene.name(scene.game.turn === "box" ? against : member);
  const isMany = cubes.length > 1;
  const args = (/** @type {number} */ cube, /** @type {Way} */ way) =>
    ({ cube, take: way !== "drop", ...(way === "beaver" ? { beaver: true } : {}) });
  const ways = (/** @type {number} */ cube) => {
    const mayBeaver = scene.args("answer").some((o) => o.cube === cube && o.beaver);
    return answerButtons(scene, cube, waysWith(mayBeaver), (way) => ["answer", args(cube, way)], isMany);
  };
  return {
    kind: "offer",
    title: fill(extra ? gettext("%(name)s doubles the extra") : gettext("%(name)s doubles"), { name }),
    notes: [scene.game.batch.length > 1 && gettext("All answers are opened together."), answeredText(scene)],
    rows: isMany ? cubes.map((i) => row(scene, i, ways(i))) : [],
    buttons: isMany ? [] : ways(cubes[0]),
  };
}

// After the takes: beaver, raccoon, extras.

/** Return the panel of questions: one with big buttons, several as a sheet. @param {Scene} scene @returns {Panel} */
export function repliesPanel(scene) {
  const asks = scene
    .cubesOf("reply")
    .map((cube) => /** @type {Ask} */ (scene.game.asks.find((a) => a.cube === cube && a.seat === scene.me)));
  if (asks.length > 1)
    return {
      kind: "offer",
      title: scene.question("reply"),
      word: WORDS[asks[0].kind],
      rows: asks.map((ask) => row(scene, ask.cube, ways(scene, ask, true))),
    };
  const [ask] = asks;
  const words = { title: scene.question("reply"), word: WORDS[ask.kind], notes: [note(scene, ask)] };
  return { kind: "offer", ...words, buttons: ways(scene, ask) };
}

/** What a question is about. @type {Record<string, string>} */
const WORDS = {
  extra: "extra", beaver: "beaver", must_beaver: "beaver", beavered: "beaver", raccooned: "raccoon",
};

/** @param {Scene} scene @param {Ask} ask */
function note(scene, { kind, cube, value }) {
  const texts = {
    extra: gettext("You pay %(points)s now; %(name)s holds a second cube at %(double)s against you."),
    beaver: gettext("The cube goes to %(double)s and stays yours."),
    must_beaver: gettext("House rule. A beaver puts the cube at %(double)s, and it stays yours."),
    beavered: gettext("The cube belongs to %(name)s."),
    raccooned: gettext("The cube stays yours."),
  };
  return fill(texts[/** @type {keyof typeof texts} */ (kind)], {
    name: other(scene, cube),
    double: value * 2,
    points: pointsText(value),
  });
}

/** Return the name of the other side of a cube. @param {Scene} scene @param {number} index */
function other(scene, index) {
  const { member, holder, against } = scene.game.cubes[index];
  return scene.name(holder === scene.me ? against : member);
}

/** The replies in the order of their buttons: what costs comes first. */
const REPLIES = ["drop", "give", "raccoon", "beaver", "keep", "no", "accept"];

/** @param {Scene} scene @param {Ask} ask @param {boolean} [isRow] */
function ways(scene, { cube }, isRow) {
  const open = scene.args("reply").filter((o) => o.cube === cube).map((o) => o.reply);
  return REPLIES.filter((reply) => open.includes(reply)).map((reply) =>
    scene.button({ name: "reply", args: { cube, reply }, isRow, ...(isRow ? { key: "" } : {}) }));
}

/**
 * Return a button for each cube that may be doubled where a seat has several; else the seats are tapped.
 * @param {Scene} scene @param {number[]} cubes @param {number[]} chosen
 */
export function chips(scene, cubes, chosen) {
  return isBySeat(scene, cubes) ? [] : cubes.map((i) => chip(scene, i, chosen.includes(i)));
}

/** Tell whether each cube has a seat of its own to be tapped. @param {Scene} scene @param {number[]} cubes */
function isBySeat(scene, cubes) {
  return new Set(cubes.map((i) => scene.game.cubes[i].member)).size === cubes.length;
}

/** @param {Scene} scene @param {number} index @param {boolean} isIn */
function chip(scene, index, isIn) {
  const { value } = scene.game.cubes[index];
  const keep = () => toggle(scene, "offer", index, !isIn);
  return h(
    "li",
    {},
    scene.button({
      id: `pick ${index}`,
      pressed: isIn,
      kind: "bt-d-chip",
      label: scene.cubeName(index),
      note: `${value} → ${value * 2}`,
      run: keep,
    }),
  );
}

/** @param {Scene} scene @param {OfSets} name @param {number} index @param {boolean | Way} value */
function toggle(scene, name, index, value) {
  scene.memory.of(scene.choice(name)).set(index, value);
  scene.redraw();
}

// The house rules that bind the Box, in words.

/**
 * Return the rules that forbid a set of cubes, by the laws of the choice.
 * @param {Scene} scene
 * @param {OfSets} name
 * @param {number[]} cubes sorted
 */
export function forbidden(scene, name, cubes) {
  const { options } = scene.view;
  const sets = scene.choice(name)?.sets;
  const laws = sets ? broken(sets, cubes) : [];
  const texts = laws.map(({ why, least }) =>
    fill(reasons(name === "offer")[`${why} ${options[why]}`] ?? why, {
      name: scene.name(scene.game.captain),
      count: least ?? 0,
    }),
  );
  return fill(gettext("House rule: %(rules)s"), { rules: texts.join(" ") });
}

/** Return the sentences by option and value. @param {boolean} isOffer @returns {Record<string, string>} */
function reasons(isOffer) {
  return {
    "uniform_response by_category": isOffer
      ? gettext("initial doubles go to all or to none, and so do redoubles.")
      : gettext("take all initial doubles or none, and all redoubles or none."),
    "uniform_response by_value": isOffer
      ? gettext("cubes of the same value are doubled all or none.")
      : gettext("take all cubes of the same value or none."),
    "must_take_captain true": gettext("if you take any, take the Captain's cube (%(name)s)."),
    "min_takes half": gettext("the whole Team doubles: take at least half (%(count)s) or none."),
    "min_takes break_even": gettext("the whole Team doubles: take enough to break even (%(count)s) or none."),
    "min_takes all_or_none": gettext("the whole Team doubles: take all or none."),
    "box_must_double_captain true": gettext(
      "whoever you double, double the Captain's cube of that value too (%(name)s).",
    ),
  };
}
