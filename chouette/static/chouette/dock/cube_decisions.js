// @ts-check
/** Doubling and answering: cube window, the Box's turn, take or drop (docs/rules-chouette.md §§4.3–4.5). */
import { h } from "games/kit/page/dom.js";
import { argsOf, broken, isAllowed, isForced } from "games/kit/sets.js";
import { fill } from "games/kit/page/text.js";
import { row } from "chouette/dock/parts.js";
import { pointsText } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** Most names in a title; of more, the seats show them. */
const MOST_NAMES = 3;

// The Team's window.

/**
 * Return the panel of the cube window: the Captain doubles or rolls, the others may double, also shortly after a roll.
 * @param {Scene} scene
 * @returns {Panel}
 */
export function windowPanel(scene) {
  const { window } = scene.game;
  const cubes = scene.cubesOf("cube");
  const isMany = cubes.length > 1;
  const isRinging = window.ring !== null && window.asked.includes(scene.me);
  const roll = scene.choice("roll") && scene.button({ name: "roll", label: gettext("Roll"), kind: "go big", key: "R" });
  return {
    kind: roll || isRinging ? "mine" : "calm",
    title: (isMany ? gettext("Do you double?") : wordsText(scene)) || ringText(scene),
    notes: [autoText(scene), waitsText(scene)],
    rows: isMany ? cubes.map((i) => row(scene, i, words(scene, i, true))) : [],
    buttons: [
      ...(isMany ? [] : cubes.flatMap((i) => words(scene, i, false))),
      ...(roll ? [roll] : []),
      ...waiting(scene),
    ],
  };
}

/**
 * Return the buttons to double, and not to double for a seat with time of its own; secret words may be taken back.
 * @param {Scene} scene
 * @param {number} cube
 * @param {boolean} isRow
 */
function words(scene, cube, isRow) {
  const legal = scene.args("cube").filter((o) => o.cube === cube).map((o) => o.double);
  const hasDoubled = scene.view.me?.words.some((/** @type {any} */ w) => w.for === cube && w.says);
  const isAsked = hasTime(scene) || scene.view.options.cube_order !== "sealed";
  const say = (/** @type {boolean} */ double) => ({ name: "cube", args: { cube, double } });
  const yes = legal.includes(true) && scene.button({
    ...say(true), label: doubleTo(scene, cube), key: isRow ? "" : "D",
  });
  const no = legal.includes(false) && (hasDoubled || isAsked) && scene.button({
    ...say(false), label: hasDoubled ? gettext("Take it back") : gettext("No double"), key: isRow ? "" : "N",
    kind: hasDoubled || isRow ? "" : "go",
  });
  return [yes, no].filter((button) => button !== false);
}

/** Tell whether I have time of my own in the ring. @param {Scene} scene */
function hasTime({ game, me }) {
  return game.window?.waits.some((/** @type {any} */ wait) => wait.seat === me) ?? false;
}

/** @param {Scene} scene */
function waiting(scene) {
  if (!scene.args("wait").some((o) => !o.late)) return [];
  const { turn_seconds: seconds } = scene.view.options;
  const note = seconds ? fill(gettext("%(seconds)s s to think"), { seconds }) : gettext("time to think");
  return [scene.button({ name: "wait", args: { late: false }, label: gettext("Wait"), note, kind: "go", key: "W" })];
}

/** @param {Scene} scene */
function ringText({ game, me }) {
  const { ring, asked } = game.window;
  if (ring === null) return "";
  return asked.includes(me) ? gettext("Do you double?") : gettext("Does anybody double?");
}

/** @param {Scene} scene */
function autoText({ view, game, me }) {
  const isMine = game.window.may_double.some((/** @type {number} */ i) => game.cubes[i].holder === me);
  return view.me?.auto && isMine && !view.me.words.length ? gettext("Auto no double is on.") : "";
}

/** Return the names of seats that asked for time, to explain the waiting. @param {Scene} scene */
function waitsText(scene) {
  const { waits } = scene.game.window;
  const others = waits.map((/** @type {any} */ w) => w.seat).filter((/** @type {number} */ s) => s !== scene.me);
  return others.length ? fill(gettext("%(names)s asked for time."), { names: scene.names(others) }) : "";
}

/** @param {Scene} scene @param {number} cube */
export function doubleTo(scene, cube) {
  return fill(gettext("Double to %(value)s"), { value: scene.game.cubes[cube].value * 2 });
}

/** Return my words in this window. @param {Scene} scene */
export function wordsText(scene) {
  /** @type {{says: boolean}[]} */
  const words = scene.view.me?.words ?? [];
  const count = words.filter((word) => word.says).length;
  if (words.length > 1)
    return fill(gettext("You said double for %(count)s of %(all)s cubes."), { count, all: words.length });
  return count ? gettext("You said: double.") : "";
}

/** Return the names of members that have answered, never their answers. @param {Scene} scene */
export function answeredText(scene) {
  const { batch, answered } = scene.game;
  return haveAndNot(
    scene,
    answered,
    batch.filter((i) => !answered.includes(i)),
    {
      both: gettext("Answered: %(have)s. Still to answer: %(not)s."),
      not: gettext("Still to answer: %(not)s."),
      have: gettext("All others have answered."),
    },
  );
}

/**
 * @param {Scene} scene
 * @param {number[]} have cubes
 * @param {number[]} not cubes
 * @param {{both: string, not: string, have: string}} texts
 */
function haveAndNot(scene, have, not, texts) {
  const [did, left] = [have, not].map((cubes) =>
    cubes.map((i) => decider(scene, i)).filter((seat) => seat !== scene.me),
  );
  const text = left.length ? (did.length ? texts.both : texts.not) : did.length ? texts.have : "";
  return fill(text, { have: scene.names(did), not: scene.names(left) });
}

/** Return the seat that speaks or answers for a cube now. @param {Scene} scene @param {number} index */
function decider({ game }, index) {
  const { holder, against } = game.cubes[index];
  return game.stage === "answers" && game.turn === "team" ? against : holder;
}

// The Box's turn, and the Captain's after the answers.

/** @param {Scene} scene @returns {Panel} */
export function turnPanel(scene) {
  const roll = scene.choice("roll")
    ? [scene.button({ name: "roll", label: gettext("Roll"), kind: "go big", key: "R" })]
    : [];
  const panel = offering(scene);
  return { ...panel, buttons: [...(panel.buttons ?? []), ...roll] };
}

/** Return the panel with the cubes that the Box may double. @param {Scene} scene @returns {Panel} */
export function offering(scene) {
  const cubes = scene.cubesOf("offer");
  const kept = cubes.length ? scene.memory.of(scene.choice("offer")) : new Map();
  const set = cubes.filter((i) => kept.get(i));
  const offered = set.length ? set : cubes;
  const isLegal = isAllowed(scene.choice("offer")?.sets, offered);
  const label = cubes.length === 1 ? doubleTo(scene, cubes[0]) : offered.length === cubes.length
    ? gettext("Double all")
    : fill(ngettext("Double %(count)s cube", "Double %(count)s cubes", offered.length), { count: offered.length });
  const offer = scene.button({ id: "offer", name: "offer", args: { cubes: offered }, label, key: "D", off: !isLegal });
  const isMany = cubes.length > 1;
  return {
    kind: "mine",
    title: isMany ? gettext("Whom do you double?") : "",
    rows: isMany ? cubes.map((i) => chip(scene, i, set.includes(i))) : [],
    why: isLegal || !cubes.length ? undefined : forbidden(scene, "offer", offered),
    buttons: cubes.length ? [offer] : [],
  };
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

/** @param {Scene} scene @param {string} name @param {number} index @param {boolean | Way} value */
function toggle(scene, name, index, value) {
  scene.memory.of(scene.choice(name)).set(index, value);
  scene.redraw();
}

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
    const ways = sets?.marks?.of.includes(cubes[0]) ? WAYS : WAYS.slice(0, 2);
    const args = (/** @type {Way} */ way) =>
      argsOf(sets, way === "drop" ? [] : cubes, way === "beaver" ? cubes : []);
    const buttons = answerButtons(scene, cubes[0], ways, (way) => ["answer_batch", args(way)]);
    return { kind: "offer", title, buttons };
  }
  const kept = scene.memory.of(scene.choice("answer_batch"));
  const takes = cubes.filter((i) => kept.has(i) && kept.get(i) !== "drop");
  const raised = argsOf(sets, takes, takes.filter((i) => kept.get(i) === "beaver"))[sets?.marks?.name] ?? [];
  const isComplete = cubes.every((i) => kept.has(i));
  const isLegal = isAllowed(scene.choice("answer_batch")?.sets, takes);
  return {
    kind: "offer",
    title,
    rows: cubes.map((i) => answerRow(scene, i, kept.get(i), sets?.marks?.of.includes(i))),
    why: isComplete
      ? isLegal
        ? isForced(sets?.marks, takes) && gettext("House rule: the Captain's cube taken alone is beavered at once.")
        : forbidden(scene, "answer_batch", takes)
      : gettext("Tap each cube in the seats, or answer all at once."),
    buttons: [
      whole(scene, [], { id: "drop all", label: gettext("Drop all"), kind: "stop", key: "P" }),
      whole(scene, cubes, { id: "take all", label: gettext("Take all"), key: "T" }),
      whole(scene, takes, {
        id: "send",
        label: sendText(takes, cubes, raised, isComplete),
        kind: "go",
        off: !isComplete || !isLegal,
      }, raised),
    ],
  };
}

/**
 * Return the answers for tapping the doublers' seats: a tap goes on to the next answer.
 * @param {Scene} scene
 * @returns {import("chouette/team/member.js").Answer[]} none if there is only one cube to answer
 */
export function seatAnswers(scene) {
  const choice = scene.choice("answer_batch");
  const cubes = choice ? doubledCubes(scene) : [];
  if (cubes.length < 2 || !scene.now.canAct) return [];
  const kept = scene.memory.of(choice);
  return cubes.map((cube) => {
    const way = kept.get(cube);
    const ways = /** @type {Way[]} */ (["take", "drop", ...(choice.sets?.marks?.of.includes(cube) ? ["beaver"] : [])]);
    const next = ways[(ways.indexOf(way) + 1) % ways.length];
    const seat = scene.game.cubes[cube].member;
    return { seat, way, word: way ? wayText(way) : "?", press: () => toggle(scene, "answer_batch", cube, next) };
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

/** @param {number[]} takes @param {number[]} cubes @param {number[]} raised @param {boolean} isComplete */
function sendText(takes, cubes, raised, isComplete) {
  if (!isComplete) return gettext("Send");
  const counts = { takes: takes.length, drops: cubes.length - takes.length, beavers: raised.length };
  return fill(raised.length
    ? gettext("Send: take %(takes)s (beaver %(beavers)s), drop %(drops)s")
    : gettext("Send: take %(takes)s, drop %(drops)s"), counts);
}

/** @typedef {"drop" | "take" | "beaver"} Way */
/** @type {Way[]} The one with a cost is on the left. */
const WAYS = ["drop", "take", "beaver"];

/** @param {Way} way */
const wayText = (way) => ({ drop: gettext("Drop"), take: gettext("Take"), beaver: gettext("Beaver") })[way];

/** @param {Scene} scene @param {number} index @param {Way | undefined} answer @param {boolean} [mayBeaver] */
function answerRow(scene, index, answer, mayBeaver) {
  const part = (/** @type {Way} */ way) => scene.button({
    id: `${way} ${index}`, label: wayText(way), pressed: answer === way,
    kind: way === "drop" ? "bt-d-drop" : "bt-d-take",
    aria: `${wayText(way)}: ${scene.cubeName(index)}`, run: () => toggle(scene, "answer_batch", index, way),
  });
  const note = fill(gettext("drop: −%(points)s"), { points: scene.game.cubes[index].value });
  return row(scene, index, WAYS.slice(0, mayBeaver ? 3 : 2).map(part), note);
}

/**
 * Return the buttons to drop, take and beaver one cube, each with its price.
 * @param {Scene} scene
 * @param {number} index
 * @param {Way[]} ways
 * @param {(way: Way) => [string, object]} say the command and its arguments
 */
function answerButtons(scene, index, ways, say) {
  const { value } = scene.game.cubes[index];
  // Dropping a single cube, the Box pays every stake in it.
  const stakes = scene.game.single && scene.isBox ? scene.game.batch.length : 1;
  const yours = (/** @type {number} */ to) => fill(gettext("your cube at %(value)s"), { value: to });
  /** @type {Record<Way, Partial<import("chouette/dock/parts.js").Spec>>} */
  const looks = {
    drop: { note: fill(gettext("costs %(points)s"), { points: pointsText(value * stakes) }), kind: "stop", key: "P" },
    take: { note: yours(value * 2), kind: "go", key: "T" },
    beaver: { note: yours(value * 4), key: "B" },
  };
  return ways.map((way) =>
    scene.button({ name: say(way)[0], args: say(way)[1], label: wayText(way), ...looks[way] }),
  );
}

/** Return the panel of a member's answer, sealed until all are given. @param {Scene} scene @returns {Panel} */
export function answersPanel(scene) {
  const cubes = scene.cubesOf("answer");
  const { member, against, extra } = scene.game.cubes[cubes[0]];
  const name = scene.name(scene.game.turn === "box" ? against : member);
  const args = (/** @type {number} */ cube, /** @type {Way} */ way) =>
    ({ cube, take: way !== "drop", ...(way === "beaver" ? { beaver: true } : {}) });
  const ways = (/** @type {number} */ cube) => {
    const mayBeaver = scene.args("answer").some((o) => o.cube === cube && o.beaver);
    return answerButtons(scene, cube, WAYS.slice(0, mayBeaver ? 3 : 2), (way) => ["answer", args(cube, way)]);
  };
  const isMany = cubes.length > 1;
  return {
    kind: "offer",
    title: fill(extra ? gettext("%(name)s doubles the extra") : gettext("%(name)s doubles"), { name }),
    notes: [scene.game.batch.length > 1 && gettext("All answers are opened together."), answeredText(scene)],
    rows: isMany ? cubes.map((i) => row(scene, i, ways(i))) : [],
    buttons: isMany ? [] : ways(cubes[0]),
  };
}

/** Return my answers while others are still awaited. @param {Scene} scene */
export function givenText(scene) {
  /** @type {{takes: boolean}[]} */
  const given = scene.view.me?.given ?? [];
  const takes = given.filter((answer) => answer.takes).length;
  if (given.length > 1)
    return fill(gettext("You take %(takes)s of %(all)s cubes; sealed until all have answered."), {
      takes,
      all: given.length,
    });
  if (!given.length) return "";
  return takes
    ? gettext("You take; sealed until all have answered.")
    : gettext("You drop; sealed until all have answered.");
}

// The house rules that bind the Box, in words.

/**
 * Return the rules that forbid a set of cubes, by the laws of the choice.
 * @param {Scene} scene
 * @param {string} name
 * @param {number[]} cubes sorted
 */
function forbidden(scene, name, cubes) {
  const { options } = scene.view;
  const laws = broken(scene.choice(name).sets, cubes);
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
