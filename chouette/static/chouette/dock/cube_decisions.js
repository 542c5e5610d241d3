// @ts-check
/** Doubling: cube window, the Box's turn (docs/rules-chouette.md §§4.3–4.4). */
import { h } from "games/kit/page/dom.js";
import { isAllowed } from "games/kit/sets.js";
import { andList, fill } from "games/kit/page/text.js";
import { Countdown, rollsNode } from "chouette/dock/countdown.js";

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {import("chouette/dock/parts.js").Spec} Spec */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** Return what shows the time to double, in its place of the dock. @param {HTMLElement} el */
export const countdownIn = (el) => new Countdown(el);

/**
 * Return a line of a sheet: the cube's member, its value, the buttons of its answers.
 * @param {Scene} scene @param {number} index @param {HTMLElement[]} buttons @param {string} [note]
 */
export function row(scene, index, buttons, note) {
  const { value } = scene.game.cubes[index];
  const name = scene.cubeName(index);
  const cube = (/** @type {number} */ n) => h("span", { class: "bt-d-cubelet" }, n);
  return h("li", { class: "bt-d-row" },
    h("span", { class: "bt-d-who" }, h("strong", { title: name }, name), note && h("small", {}, note)),
    h("span", { class: "bt-d-turns" }, cube(value), h("span", {}, "→"), cube(value * 2)),
    h("span", { class: "bt-d-answers", role: "group", "aria-label": name }, buttons));
}

// The Team's window.

/** The window, which is open where its panel is shown. @param {Scene} scene */
const windowOf = ({ game }) => /** @type {Chouette.CubeWindow} */ (game.window);

/**
 * Return the panel of the cube window: the Captain doubles or rolls, the others may double, also shortly after a roll.
 * @param {Scene} scene
 * @returns {Panel}
 */
export function windowPanel(scene) {
  const window = windowOf(scene);
  const cubes = scene.cubesOf("cube");
  const isMany = cubes.length > 1;
  const isRinging = window.ring !== null && scene.me !== null && window.asked.includes(scene.me);
  const roll = rolling(scene);
  return {
    kind: roll.length || isRinging ? "mine" : "calm",
    title: (isMany ? gettext("Do you double?") : wordsText(scene)) || ringText(scene),
    notes: [autoText(scene), waitsText(scene)],
    rows: isMany ? cubes.map((i) => row(scene, i, words(scene, i, true))) : [],
    buttons: inOrder([
      ...(isMany ? [] : cubes.flatMap((i) => words(scene, i, false))),
      ...waitButtons(scene),
      ...(roll.length ? roll : window.ring ? [rollsNode(scene.now)] : []),
    ]),
  };
}

/** Return the button to roll, and where it rolls by itself the one to stop that. @param {Scene} scene */
function rolling(scene) {
  const { byItself } = scene.memory;
  if (!scene.choice("roll")) return [];
  /** @type {Spec} */
  const roll = { name: "roll", kind: "go big" };
  const { label } = scene.words("roll", {});
  if (byItself?.plan?.name !== "roll") return [scene.button(roll)];
  const stop = { id: "stop", label: gettext("Wait"), key: "M", run: () => byItself.stop(), kind: "bt-d-low" };
  return [scene.button(stop), scene.button({ ...roll, label: byItself.text, aria: label })];
}

/** Return buttons with one at most in the main place: what tells of the roll gives way. @param {HTMLElement[]} all */
function inOrder(all) {
  return all.some((one) => one.matches("button.go")) ? all.filter((one) => one.matches("button")) : all;
}

/**
 * Return the buttons to double, and not to double for a seat with time of its own; secret words may be taken back.
 * @param {Scene} scene
 * @param {number} cube
 * @param {boolean} isRow
 */
function words(scene, cube, isRow) {
  const legal = scene.args("cube").filter((o) => o.cube === cube).map((o) => o.double);
  const hasDoubled = !legal.includes(true);
  const isAsked = hasTime(scene) || scene.view.options.cube_order !== "sealed";
  /** @returns {Spec} */
  const say = (/** @type {boolean} */ double) => ({ name: "cube", args: { cube, double } });
  const yes = legal.includes(true) && scene.button({
    ...say(true), ...(isRow ? { key: "" } : {}), isRow, grave: true,
    kind: windowOf(scene).ring && !isRow ? "bt-d-low" : "",
  });
  const no = legal.includes(false) && (hasDoubled || isAsked) && scene.button({
    ...say(false), ...(isRow ? { key: "", kind: "" } : {}), isRow,
  });
  return [yes, no].filter((button) => button !== false);
}

/** Tell whether I have time of my own in the ring. @param {Scene} scene */
function hasTime({ game, me }) {
  return game.window?.waits.some((wait) => wait.seat === me) ?? false;
}

/** @param {Scene} scene */
function waitButtons(scene) {
  if (!scene.args("wait").some((o) => !o.late)) return [];
  const { turn_seconds: seconds } = scene.view.options;
  const note = seconds ? fill(gettext("%(seconds)s s to think"), { seconds }) : gettext("time to think");
  return [scene.button({ name: "wait", args: { late: false }, note, kind: "" })];
}

/** Return the ring's question to me; the bar at the top asks all. @param {Scene} scene */
function ringText(scene) {
  const { ring, asked } = windowOf(scene), { me } = scene;
  return ring !== null && me !== null && asked.includes(me) ? gettext("Do you double?") : "";
}

/** @param {Scene} scene */
function autoText(scene) {
  const { view, game, me } = scene;
  const isMine = windowOf(scene).may_double.some((i) => game.cubes[i].holder === me);
  return view.me?.auto && isMine && !view.me.words.length ? gettext("Auto no double is on.") : "";
}

/** Return the names of seats that asked for time, to explain the waiting. @param {Scene} scene */
function waitsText(scene) {
  const others = windowOf(scene).waits.map((w) => w.seat).filter((seat) => seat !== scene.me);
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
  const panel = offering(scene);
  // After takes there is no last play that would be told in the question's place: then my stakes and the race are.
  const title = panel.title || (scene.game.last_play ? "" : scene.memory.rare("waiting")?.standText(scene));
  return { ...panel, title, buttons: [...(panel.buttons ?? []), ...rolling(scene)] };
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
  const note = cubes.length > 1 && priceText(scene, offered);
  const args = { cubes: offered };
  const offer = scene.button({ id: "offer", name: "offer", args, label, note, key: "D", off: !isLegal, grave: true });
  const isMany = cubes.length > 1, isBound = cubes.length > 0 && !isLegal;
  const answers = isMany || isBound ? scene.memory.rare("answers") : undefined;
  return {
    kind: "mine",
    title: isMany ? gettext("Whom do you double?") : "",
    notes: [isMany && gettext("Tap their seats, or double all at once.")],
    rows: (isMany && answers?.chips(scene, cubes, set)) || [],
    why: isBound ? answers?.forbidden(scene, "offer", offered) : undefined,
    buttons: cubes.length ? [offer] : [],
  };
}

/** Return the values that cubes are doubled to. @param {Scene} scene @param {number[]} cubes */
export function priceText(scene, cubes) {
  const values = [...new Set(cubes.map((i) => scene.game.cubes[i].value * 2))].sort((a, b) => a - b);
  return fill(gettext("cube at %(value)s"), { value: andList(values.map(String)) });
}

/** Return my answers while others are still awaited. @param {Scene} scene */
export function givenText(scene) {
  /** @type {{takes: boolean, beavers: boolean}[]} */
  const given = scene.view.me?.given ?? [];
  const takes = given.filter((answer) => answer.takes).length;
  if (given.length > 1)
    return fill(gettext("You take %(takes)s of %(all)s cubes; sealed until all have answered."), {
      takes,
      all: given.length,
    });
  if (!given.length) return "";
  if (given[0].beavers) return gettext("You beaver; sealed until all have answered.");
  return takes
    ? gettext("You take; sealed until all have answered.")
    : gettext("You drop; sealed until all have answered.");
}
