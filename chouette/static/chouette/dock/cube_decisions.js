// @ts-check
/** Doubling and answering: cube window, the Box's turn, take or drop (docs/rules-chouette.md §§4.3–4.5). */
import { h } from "games/kit/dom.js";
import { broken, isAllowed } from "games/kit/sets.js";
import { fill } from "games/kit/text.js";
import { row } from "chouette/dock/parts.js";
import { pointsText } from "chouette/words.js";

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

// The Team's window.

/** @param {Scene} scene @returns {Panel} */
export function windowPanel(scene) {
  const cubes = scene.cubesOf("cube");
  const isMany = cubes.length > 1;
  const said = saidText(scene);
  const isLate = scene.game.grace_over && cubes.length > 0;
  return {
    kind: cubes.length ? "mine" : "calm",
    title: isMany ? gettext("Do you double?") : said,
    notes: [
      isMany && said,
      silentText(scene),
      isLate && gettext("The time is over: the Captain may close the window now."),
    ],
    rows: isMany ? cubes.map((i) => row(scene, i, words(scene, i, true))) : [],
    buttons: [...(isMany ? [] : cubes.flatMap((i) => words(scene, i, false))), ...closing(scene, cubes)],
  };
}

/**
 * The last to speak, who rolls next anyway, says no double and rolls with one button.
 * @param {Scene} scene
 * @param {number} cube
 * @param {boolean} isRow
 */
function words(scene, cube, isRow) {
  const { silent, captain } = scene.game;
  const say = (/** @type {boolean} */ double) => ({
    name: "cube",
    args: { cube, double },
    key: isRow ? "" : double ? "D" : "N",
  });
  const yes = scene.button({ ...say(true), label: isRow ? gettext("Double") : doubleTo(scene, cube) });
  const rolls = captain === scene.me && silent.length === 1;
  const run = () => thenRoll(scene, "cube", { cube, double: false });
  const no = rolls
    ? { ...say(false), label: gettext("Roll"), note: gettext("no double"), key: "R", run }
    : { ...say(false), label: gettext("No double") };
  return [yes, scene.button({ ...no, kind: isRow ? "" : "go" })];
}

/** @param {Scene} scene @param {string} name @param {object} args */
function thenRoll(scene, name, args) {
  scene.memory.wantsRoll = true;
  scene.acts.command(name, args);
}

/** @param {Scene} scene @param {number[]} cubes about which I am silent */
function closing(scene, cubes) {
  const isMineAlone = scene.game.silent.every((i) => cubes.includes(i));
  if (!scene.choice("close_window") || isMineAlone) return [];
  const kind = cubes.length ? "wide" : "go wide";
  return [scene.button({
    name: "close_window", run: () => thenRoll(scene, "close_window", {}), kind, key: cubes.length ? "" : "R",
    label: gettext("Close the window and roll"), note: gettext("who is silent does not double"),
  })];
}

/** @param {Scene} scene @param {number} cube */
function doubleTo(scene, cube) {
  return fill(gettext("Double to %(value)s"), { value: scene.game.cubes[cube].value * 2 });
}

/** What I have said in this window. @param {Scene} scene */
export function saidText(scene) {
  /** @type {{says: boolean}[]} */
  const said = scene.view.me?.words ?? [];
  const count = said.filter((word) => word.says).length;
  if (said.length > 1)
    return fill(gettext("You said double for %(count)s of %(all)s cubes."), { count, all: said.length });
  if (!said.length) return "";
  return count ? gettext("You said: double.") : gettext("You said: no double.");
}

/** The names of those who have spoken; never what they said. @param {Scene} scene */
export function silentText(scene) {
  const { spoken, silent } = scene.game;
  return haveAndNot(scene, spoken, silent, {
    both: gettext("Spoken: %(have)s. Still silent: %(not)s."),
    not: gettext("Still silent: %(not)s."),
    have: gettext("All others have spoken."),
  });
}

/** The names of those who have answered; never their answers. @param {Scene} scene */
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

/** The seat that speaks and answers for a cube now. @param {Scene} scene @param {number} index */
function decider({ game }, index) {
  const { holder, against } = game.cubes[index];
  return game.stage === "answers" && game.turn === "team" ? against : holder;
}

// The Box's turn, and the Captain's after the window.

/** @param {Scene} scene @returns {Panel} */
export function turnPanel(scene) {
  const roll = scene.choice("roll")
    ? [scene.button({ name: "roll", label: gettext("Roll"), kind: "go big", key: "R" })]
    : [];
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
    buttons: [...(cubes.length ? [offer] : []), ...roll],
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
      label: scene.whose(index),
      note: `${value} → ${value * 2}`,
      run: keep,
    }),
  );
}

/** @param {Scene} scene @param {string} name @param {number} index @param {boolean} value */
function toggle(scene, name, index, value) {
  scene.memory.of(scene.choice(name)).set(index, value);
  scene.redraw();
}

// Take or drop: the Box on one sheet, the members each for themselves.

/** @param {Scene} scene @returns {Panel} */
export function batchPanel(scene) {
  const cubes = scene.game.batch.filter((i) => !scene.game.cubes[i].extra);
  const names = scene.names(cubes.map((i) => scene.game.cubes[i].member));
  const title = fill(ngettext("%(names)s doubles", "%(names)s double", cubes.length), { names });
  if (cubes.length === 1) {
    return {
      kind: "offer",
      title,
      buttons: takeOrDrop(scene, cubes[0], (take) => ["answer_batch", { take: take ? cubes : [] }]),
    };
  }
  const kept = scene.memory.of(scene.choice("answer_batch"));
  const takes = cubes.filter((i) => kept.get(i));
  const isComplete = cubes.every((i) => kept.has(i));
  const isLegal = isAllowed(scene.choice("answer_batch")?.sets, takes);
  return {
    kind: "offer",
    title,
    rows: cubes.map((i) => answerRow(scene, i, kept.get(i))),
    why: isComplete
      ? isLegal
        ? beaverNote(scene, takes, cubes)
        : forbidden(scene, "answer_batch", takes)
      : gettext("Choose for each cube, or answer all at once."),
    buttons: [
      whole(scene, [], { id: "drop all", label: gettext("Drop all"), kind: "stop", key: "P" }),
      whole(scene, cubes, { id: "take all", label: gettext("Take all"), key: "T" }),
      whole(scene, takes, {
        id: "send",
        label: sendText(takes, cubes, isComplete),
        kind: "go",
        off: !isComplete || !isLegal,
      }),
    ],
  };
}

/**
 * A button that answers the whole batch.
 * @param {Scene} scene
 * @param {number[]} take
 * @param {import("chouette/dock/parts.js").Spec} spec
 */
function whole(scene, take, spec) {
  return scene.button({
    off: !isAllowed(scene.choice("answer_batch")?.sets, take),
    ...spec,
    name: "answer_batch",
    args: { take },
  });
}

/** @param {number[]} takes @param {number[]} cubes @param {boolean} isComplete */
function sendText(takes, cubes, isComplete) {
  const counts = { takes: takes.length, drops: cubes.length - takes.length };
  return isComplete ? fill(gettext("Send: take %(takes)s, drop %(drops)s"), counts) : gettext("Send");
}

/** @param {Scene} scene @param {number} index @param {boolean | undefined} said */
function answerRow(scene, index, said) {
  const part = (/** @type {boolean} */ take, /** @type {string} */ label) => scene.button({
    id: `${take} ${index}`, label, pressed: said === take, kind: take ? "bt-d-take" : "bt-d-drop",
    aria: `${label}: ${scene.whose(index)}`, run: () => toggle(scene, "answer_batch", index, take),
  });
  const note = fill(gettext("drop: −%(points)s"), { points: scene.game.cubes[index].value });
  return row(scene, index, [part(false, gettext("Drop")), part(true, gettext("Take"))], note);
}

/** @param {Scene} scene @param {number} index @param {(take: boolean) => [string, object]} say */
function takeOrDrop(scene, index, say) {
  const { value } = scene.game.cubes[index];
  const costs = fill(gettext("costs %(points)s"), { points: pointsText(value) });
  const yours = fill(gettext("your cube at %(value)s"), { value: value * 2 });
  const part = (/** @type {boolean} */ take) => ({ name: say(take)[0], args: say(take)[1] });
  return [
    scene.button({ ...part(false), label: gettext("Drop"), note: costs, kind: "stop", key: "P" }),
    scene.button({ ...part(true), label: gettext("Take"), note: yours, kind: "go", key: "T" }),
  ];
}

/** A member's answer, sealed until all are there. @param {Scene} scene @returns {Panel} */
export function answersPanel(scene) {
  const cubes = scene.cubesOf("answer");
  const { member, against, extra } = scene.game.cubes[cubes[0]];
  const name = scene.name(scene.game.turn === "box" ? against : member);
  const say = (/** @type {number} */ cube) => (/** @type {boolean} */ take) =>
    /** @type {[string, object]} */ (["answer", { cube, take }]);
  const isMany = cubes.length > 1;
  return {
    kind: "offer",
    title: fill(extra ? gettext("%(name)s doubles the extra") : gettext("%(name)s doubles"), { name }),
    notes: [scene.game.batch.length > 1 && gettext("All answers are opened together."), answeredText(scene)],
    rows: isMany ? cubes.map((i) => row(scene, i, takeOrDrop(scene, i, say(i)))) : [],
    buttons: isMany ? [] : takeOrDrop(scene, cubes[0], say(cubes[0])),
  };
}

/** What I have answered while others still think. @param {Scene} scene */
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
 * Which rules forbid a set of cubes is told by the laws of the choice.
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

/** Option and value → the sentence. @param {boolean} isOffer @returns {Record<string, string>} */
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

/** @param {Scene} scene @param {number[]} takes @param {number[]} cubes */
function beaverNote(scene, takes, cubes) {
  const { sole_captain_beaver: isRule, beavers } = scene.view.options;
  const isAlone = cubes.length > 1 && takes.length === 1 && scene.game.cubes[takes[0]].member === scene.game.captain;
  return isRule && beavers && isAlone ? gettext("House rule: the Captain's cube taken alone is beavered at once.") : "";
}
