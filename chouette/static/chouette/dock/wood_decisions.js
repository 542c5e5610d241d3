// @ts-check
/** The decisions at a real board: the beginning, doubles, ties, the result (docs/rules-chouette.md §4.13). */
import { h } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";
import { offering } from "chouette/dock/cube_decisions.js";
import { settledText } from "chouette/dock/decisions.js";
import { isDuel, levelText, pointsText, woodText } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** @param {Scene} scene @returns {Panel} */
export function beginPanel(scene) {
  const notes = [gettext("One tap begins the game for all.")];
  const begin = scene.button({ name: "begin_game", kind: "go big" });
  return { kind: "mine", title: scene.question("begin_game"), notes, buttons: [begin] };
}

/**
 * Return the panel while the game runs on the board: my acts with cubes, and the result, in two taps.
 * @param {Scene} scene
 * @returns {Panel}
 */
export function woodPanel(scene) {
  if (isEntering(scene)) return endPanel(scene);
  const offer = scene.choice("offer") ? offering(scene) : null;
  const buttons = [
    ...(offer?.buttons ?? []), ...doubling(scene), ...tying(scene), ...ending(scene), ...pressing(scene),
  ];
  const kind = buttons.length ? "mine" : "calm";
  const { title, notes } = stakes(scene);
  return { title, notes: [pressNote(scene), ...notes], ...(offer?.title ? offer : {}), kind, why: offer?.why, buttons };
}

/** Return the button that presses my clock, in the main button's place. @param {Scene} scene */
function pressing(scene) {
  return scene.choice("press") ? [scene.button({ name: "press", kind: "go big" })] : [];
}

/** Return when to press, or whose clock runs; nothing without clocks. @param {Scene} scene @returns {string | false} */
function pressNote(scene) {
  const { clock } = scene.view;
  if (!clock) return false;
  if (clock.turn === null) return gettext("Whoever has lost the opening throw starts the other's clock.");
  return scene.choice("press")
    ? gettext("Tap when you have lifted your dice, also if you cannot move.")
    : fill(gettext("%(name)s's clock runs."), { name: scene.name(clock.turn) });
}

/** Return what the game counts now: my cubes, or all for somebody without one. @param {Scene} scene */
function stakes({ game, me, isBox }) {
  const inPlay = game.cubes.filter(({ result }) => result === null);
  const mine = inPlay.filter(({ holder }) => isBox || holder === me);
  const [single, gammon, backgammon] = [0, 1, 2].map((level) =>
    (mine.length ? mine : inPlay).reduce((sum, { worth }) => sum + worth[level], 0));
  return {
    title: [
      h("strong", { class: "bt-d-name", data: { length: "long" } },
        fill(gettext("At stake: %(points)s"), { points: pointsText(single) })),
    ],
    notes: [fill(gettext("A gammon counts %(gammon)s, a backgammon %(backgammon)s."), { gammon, backgammon })],
  };
}

/** Tell whether I am telling the result. @param {Scene} scene */
export function isEntering({ memory, game, now }) {
  return game !== null && memory.resultKey === gameKey({ game, now });
}

/** @param {{game: Chouette.GameView, now: {me: number | null}}} scene */
function gameKey({ game, now }) {
  return `${game.number} ${now.me}`;
}

/** @param {Scene} scene */
function doubling(scene) {
  const cubes = scene.cubesOf("double");
  return cubes.map((cube) => scene.button({ name: "double", args: { cube }, grave: true }));
}

/** @param {Scene} scene */
function tying(scene) {
  return scene.choice("tie") ? [scene.button({ name: "tie", kind: "bt-d-small" })] : [];
}

/** Return my acts on an unanswered double: join it, or withdraw mine. @param {Scene} scene */
export function doublesNow(scene) {
  return [...doubling(scene), ...withdrawing(scene)];
}

/** @param {Scene} scene */
function withdrawing(scene) {
  return scene.choice("withdraw_double") ? [scene.button({ name: "withdraw_double", kind: "bt-d-small" })] : [];
}

/** @param {Scene} scene */
function ending(scene) {
  if (!scene.choice("result") && !mayState(scene)) return [];
  const run = () => enter(scene, true);
  const kind = scene.choice("press") ? "" : "go";
  return [scene.button({ id: "the end", label: gettext("The game is over"), kind, run })];
}

/** Tell whether I host and may state the result alone. @param {Scene} scene */
function mayState({ now, game, view }) {
  return now.isHost && view.phase === "playing" && ["wood", "result"].includes(game.stage) && !game.resignation;
}

/** @param {Scene} scene @param {boolean} isOn */
function enter(scene, isOn) {
  scene.memory.resultKey = isOn ? gameKey(scene) : "";
  scene.redraw();
}

/** Return the panel of the result: one tap tells winner and level. @param {Scene} scene @returns {Panel} */
function endPanel(scene) {
  const run = () => enter(scene, false);
  const back = scene.button({ id: "not the end", label: gettext("Play on"), kind: "go", run });
  const ways = ["box", "team"].flatMap((winner) => [1, 2, 3].map((level) => resultButton(scene, winner, level)));
  return {
    kind: "offer",
    title: gettext("How has the game ended?"),
    notes: [scene.choice("result") ? false : gettext("What you say as the host counts at once.")],
    rows: ways.map((way) => h("li", {}, way)),
    buttons: [back],
  };
}

/** @param {Scene} scene @param {string} winner @param {number} level */
function resultButton(scene, winner, level) {
  const args = { winner, level };
  const send = () => {
    scene.memory.resultKey = "";
    scene.memory.sent = { ...args, seat: scene.me, about: gameKey({ game: scene.game, now: { me: null } }) };
    if (scene.choice("result")) scene.acts.command("result", args);
    else scene.acts.emit("host-command", { name: "table.state_result", args: { result: args } });
  };
  const label = fill(gettext("%(name)s: %(how)s"), { name: sideText(scene, winner), how: levelText(level) });
  return scene.button({ id: `ends ${winner} ${level}`, label, run: send });
}

/** Return the name of the winning side. @param {Scene} scene @param {string} side */
function sideText(scene, side) {
  const { game, view } = scene;
  if (isDuel(view)) return scene.name(side === "box" ? game.box : game.captain);
  return side === "box" ? gettext("Box") : gettext("Team");
}

/** Return the panel to agree to a told result; the host may count it alone. @param {Scene} scene @returns {Panel} */
export function resultPanel(scene) {
  const told = toldOf(scene), { seat, winner, level } = told;
  const params = { name: scene.name(seat), side: sideText(scene, winner), how: levelText(level) };
  const answer = scene.choice("answer_result");
  if (answer) agreeOnOneDevice(scene);
  const stated = { name: "table.state_result", args: { result: { winner, level } } };
  const count = () => scene.acts.emit("host-command", stated);
  const host = !answer && mayState(scene)
    ? [scene.button({ id: "count it", label: gettext("Count it, as the host"), run: count, kind: "bt-d-small" })]
    : [];
  const own = answer
    ? [
        scene.button({ name: "answer_result", args: { accept: false } }),
        scene.button({
          name: "answer_result", args: { accept: true }, note: priceOfResult(scene),
        }),
      ]
    : [];
  const title = isDuel(scene.view) ? fill(gettext("%(side)s, %(how)s"), params) : woodText(told);
  const note = seat === scene.me
    ? gettext("You said so: it counts when the other side agrees.")
    : fill(gettext("%(name)s says so."), params);
  const large = [h("strong", { class: "bt-d-name" }, title)];
  return { kind: answer ? "offer" : "calm", title: large, notes: [note], buttons: [...host, ...own] };
}

/** Return what a told result gives me or costs me; in a match nobody pays. @param {Scene} scene */
function priceOfResult({ game, view, me, isBox }) {
  const { winner, level } = toldOf({ game });
  const mine = game.cubes.filter(({ holder, result }) => result === null && (isBox || holder === me));
  const points = mine.reduce((sum, cube) => sum + cube.worth[level - 1], 0);
  const isWon = isBox === (winner === "box");
  return !isWon && view.score ? false : settledText(isWon ? points : -points);
}

/** The told result, which waits where its panel is shown. @param {Pick<Scene, "game">} scene */
const toldOf = ({ game }) => /** @type {Chouette.ToldView} */ (game.told);

/** @typedef {{seat: number | null, winner: string, level: number}} Told */

/** @param {Told} one @param {Told} other */
const isSame = (one, other) => one.seat === other.seat && one.winner === other.winner && one.level === other.level;

/**
 * Agree once, without a tap, if this device told the result for one side and is now the other's.
 * @param {Scene} scene
 */
function agreeOnOneDevice({ memory, game, me, now, acts }) {
  const { sent } = memory;
  const isOurs = sent && sent.seat !== me && sent.about === gameKey({ game, now: { me: null } })
    && isSame(sent, toldOf({ game }));
  if (!isOurs || !now.canAct) return;
  memory.sent = null;
  // Not while the table is still being drawn: a command draws it again.
  queueMicrotask(() => acts.command("answer_result", { accept: true }));
}

/** Return the host's button to take back the last act of any seat at a real board. @param {Scene} scene */
export function takingBackAsHost(scene) {
  const { view, now } = scene;
  const last = view.last_act;
  if (!last || !now.isHost || scene.choice("take_back")) return [];
  const args = { seat: last.seat, sitter: now.seats[last.seat].player };
  const run = () => scene.acts.emit("host-command", { name: "table.take_back", args });
  const label = fill(gettext("Take back: %(name)s"), { name: scene.name(last.seat) });
  return [scene.button({ id: "host takes back", label, kind: "bt-d-small", run })];
}

/** Tell whether the game runs on the board or its result waits. @param {Scene} scene */
export function isShown(scene) {
  if (scene.view.phase !== "playing" || scene.game.resignation) return false;
  return ["wood", "result"].includes(scene.game.stage);
}

