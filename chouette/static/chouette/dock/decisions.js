// @ts-check
/** My open decision as panels of the dock; offers of others come first. */
import { fill } from "games/kit/page/text.js";
import {
  answeredText,
  answersPanel,
  batchPanel,
  givenText,
  wordsText,
  turnPanel,
  windowPanel,
} from "chouette/dock/cube_decisions.js";
import { row } from "chouette/dock/parts.js";
import { gameResult, sessionResult } from "chouette/dock/results.js";
import { status } from "chouette/words/status.js";
import { isBetween, levelText, pointsText } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Ask} Ask */
/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** @param {Scene} scene @returns {Panel[]} */
export function panels(scene) {
  const { last_game: last } = scene.view;
  if (scene.view.phase === "over") return [sessionResult(scene)];
  const make = scene.now.choices.map((c) => MAIN[c.name]).find((found) => found);
  const found = [...secondChance(scene), ...offers(scene), ...requests(scene)];
  if (last && isBetween(scene.view)) return [...found, afterGame(scene, make?.(scene))];
  const isAsked = found.some(({ kind }) => kind === "offer");
  if (scene.now.hasEnded) return found;
  const { wood } = scene.memory;
  if (!isAsked && wood?.isShown(scene)) {
    return [...found, scene.game.stage === "result" ? wood.resultPanel(scene) : wood.woodPanel(scene)];
  }
  // A play is made on the board, and confirmed in the line above.
  if (scene.choice("move")) return found;
  return make ? [...found, make(scene)] : isAsked ? found : [...found, waiting(scene)];
}

/** Return the panel of my second time, with the effect of the next time-out. @param {Scene} scene @returns {Panel[]} */
function secondChance({ view, game, me }) {
  const again = view.phase === "playing" ? game.reopened.find((/** @type {any} */ r) => r.seat === me) : undefined;
  if (!again) return [];
  const { seconds, then, points } = again;
  const text = then === "leave"
    ? gettext("Time is up once: %(seconds)s s more, then you have left the game.")
    : gettext("Time is up once: %(seconds)s s more, then you are out of the game, %(points)s.");
  return [{ kind: "mine", notes: [fill(text, { seconds, points: signed(points ?? 0) })] }];
}

/**
 * Return the last game's result with my decision before the next one; the Box's questions come above it.
 * @param {Scene} scene @param {Panel} [own]
 * @returns {Panel}
 */
function afterGame(scene, own) {
  const result = gameResult(scene);
  if (own?.kind === "offer") return { ...result, ...own, rows: result.rows };
  return { ...result, buttons: [...ofNextGame(scene), ...(own?.buttons ?? [])] };
}

/** @type {Record<string, (scene: Scene) => Panel>} */
const MAIN = {
  opening_roll: (scene) => scene.args("opening_roll").some((o) => o.dice)
    ? { kind: "mine", notes: [gettext("The higher die begins, with both dice.")] }
    : begin(scene, "opening_roll", gettext("Roll one die"), gettext("The higher die begins, with both dice.")),
  type_dice: () => ({ kind: "mine" }),
  start_study: (scene) =>
    begin(
      scene,
      "start_study",
      gettext("Begin the game"),
      gettext("It begins in the position of the house rules, and you are on roll."),
    ),
  order_die: () => ({ kind: "mine" }),
  begin_game: (scene) => scene.memory.wood?.beginPanel(scene) ?? waiting(scene),
  automatic: automaticPanel,
  partner: partnerPanel,
  cube: windowPanel,
  wait: windowPanel,
  next: nextPanel,
  offer: turnPanel,
  roll: (scene) => (scene.game.window ? windowPanel(scene) : turnPanel(scene)),
  answer_batch: batchPanel,
  answer: answersPanel,
  reply: repliesPanel,
};

/** @param {Scene} scene @returns {Panel} */
function nextPanel(scene) {
  return { kind: "calm", buttons: [scene.button({ name: "next", label: gettext("Next"), kind: "go big", key: "R" })] };
}

/** Return the buttons about the next game: sit it out or come back, pass the Box on. @param {Scene} scene */
export function ofNextGame(scene) {
  const sitting = scene.args("sit_out").slice(0, 1).map((args) => scene.button({
    id: "sit_out", name: "sit_out", args, kind: "bt-d-small",
    label: args.on ? gettext("Sit out the next game") : gettext("Play the next game after all"),
  }));
  const passing = scene.choice("pass_box")
    ? [scene.button({ name: "pass_box", label: gettext("Pass the Box on"), kind: "bt-d-small" })]
    : [];
  return [...sitting, ...passing];
}

/** @param {Scene} scene @param {string} name @param {string} label @param {string} note @returns {Panel} */
function begin(scene, name, label, note) {
  return { kind: "mine", notes: [note], buttons: [scene.button({ name, label, kind: "go big", key: "R" })] };
}

/** @param {Scene} scene @returns {Panel} */
function automaticPanel(scene) {
  const isCarried = scene.view.phase === "between";
  const value = isCarried ? 2 : scene.game.cubes[0].value * 2;
  const title = isCarried
    ? gettext("A tie was carried over: does this game start doubled?")
    : gettext("Another tie: double all cubes once more?");
  const yes = fill(gettext("Yes, cubes at %(value)s"), { value });
  return {
    kind: "offer",
    title,
    notes: [gettext("An automatic double does not count as a turned cube.")],
    buttons: yesOrNo(scene, "automatic", "agree", yes),
  };
}

/** @param {Scene} scene @returns {Panel} */
function partnerPanel(scene) {
  const name = scene.name(scene.view.line.at(-1));
  return {
    kind: "offer",
    title: fill(gettext("Take %(name)s as your partner in the Box?"), { name }),
    notes: [gettext("A partner advises you, has no cube, and shares your result half and half.")],
    buttons: yesOrNo(scene, "partner", "take", gettext("Take a partner")),
  };
}

/** @param {Scene} scene @param {string} name @param {string} arg @param {string} yes */
function yesOrNo(scene, name, arg, yes) {
  return [
    scene.button({ name, args: { [arg]: false }, label: gettext("No"), key: "N" }),
    scene.button({ name, args: { [arg]: true }, label: yes, kind: "go" }),
  ];
}

// Offers of others: resigning, settling, taking a play back.

/** @param {Scene} scene @returns {Panel[]} */
function offers(scene) {
  const found = scene.cubesOf("answer_proposal").map((cube) => proposalPanel(scene, cube));
  if (scene.choice("answer_take_back")) found.unshift(takeBackPanel(scene));
  if (scene.choice("answer_resignation")) found.unshift(resignationPanel(scene));
  return found;
}

/** @param {Scene} scene @returns {Panel} */
function resignationPanel(scene) {
  const { by, level, waiting: left } = scene.game.resignation;
  const { box, cubes } = scene.game;
  const mine = cubes.filter(({ cube, holder }) => left.includes(cube) && (by !== box || holder === scene.me));
  const points = mine.reduce((sum, cube) => sum + cube.worth[level - 1], 0);
  return {
    kind: "offer",
    title: fill(gettext("%(name)s resigns %(level)s× (%(word)s)"), {
      name: scene.name(by),
      level,
      word: levelText(level),
    }),
    buttons: acceptOrRefuse(scene, "answer_resignation", {}, settledText(points)),
  };
}

/** @param {Scene} scene @returns {Panel} */
function takeBackPanel(scene) {
  const { seat, play } = scene.game.last_play;
  const title = fill(gettext("%(name)s asks to take back %(play)s"), { name: scene.name(seat), play });
  return {
    kind: "offer",
    title,
    notes: [gettext("It goes back if everybody on your side agrees.")],
    buttons: acceptOrRefuse(scene, "answer_take_back", {}),
  };
}

/** @param {Scene} scene @param {number} cube @returns {Panel} */
function proposalPanel(scene, cube) {
  const { by, points } = scene.game.proposals.find((/** @type {any} */ p) => p.cube === cube && p.by !== scene.me);
  const what = settledText(scene.game.cubes[cube].against === scene.me ? -points : points);
  const title = fill(gettext("%(name)s proposes to settle: %(what)s"), { name: scene.name(by), what });
  return { kind: "offer", title, buttons: acceptOrRefuse(scene, "answer_proposal", { cube }) };
}

// My requests to others, and their outcome.

/** @param {Scene} scene @returns {Panel[]} */
function requests(scene) {
  const notes = scene.view.phase === "playing" ? [...pending(scene), ...closed(scene)] : [];
  return notes.length ? [{ kind: "calm", notes }] : [];
}

/** @param {Scene} scene @returns {string[]} */
function pending(scene) {
  const { last_play: last, proposals, box, captain } = scene.game;
  const isMine = last?.asked_back && scene.me === (last.side === "box" ? box : captain);
  const mine = proposals.filter((/** @type {any} */ p) => p.by === scene.me);
  return [
    ...(isMine ? [gettext("You asked for the play back: not everybody has answered yet.")] : []),
    ...mine.map((/** @type {any} */ p) => fill(gettext("You propose to %(name)s: %(what)s."), {
      name: settlesWith(scene, p.cube), what: settledText(scene.isBox ? -p.points : p.points),
    })),
  ];
}

/** @param {Scene} scene @returns {string[]} */
function closed(scene) {
  /** @type {Record<string, () => string>} */
  const texts = {
    "take_back accepted": () => gettext("The play goes back, as you asked."),
    "take_back refused": () => gettext("%(name)s lets the play stand."),
    "take_back lapsed": () => gettext("You got no answer in time: the play stands."),
    "settlement accepted": () => gettext("%(name)s accepts your settlement."),
    "settlement refused": () => gettext("%(name)s does not settle."),
    "settlement lapsed": () => gettext("%(name)s has not answered in time: your proposal has lapsed."),
  };
  return (scene.view.me?.closed ?? []).map((/** @type {any} */ request) => {
    const { what, became, cube, by } = request;
    const name = by !== null ? scene.name(by) : cube !== null ? settlesWith(scene, cube) : "";
    return fill(texts[`${what} ${became}`](), { name });
  });
}

/** Return the name of the other side of a settlement. @param {Scene} scene @param {number} cube */
function settlesWith(scene, cube) {
  return scene.isBox ? scene.cubeName(cube) : scene.name(scene.game.box);
}

/** @param {number} points mine */
export function settledText(points) {
  if (!points) return gettext("nobody pays");
  return fill(points > 0 ? gettext("you get %(points)s") : gettext("you pay %(points)s"), {
    points: pointsText(Math.abs(points)),
  });
}

/** @param {Scene} scene @param {string} name @param {object} args @param {string} [note] */
function acceptOrRefuse(scene, name, args, note) {
  return [
    scene.button({ name, args: { ...args, accept: false }, label: gettext("Refuse") }),
    scene.button({ name, args: { ...args, accept: true }, label: gettext("Accept"), note, kind: "go" }),
  ];
}

// After the takes: beaver, raccoon, extras.

/** Return the panel of questions: one with big buttons, several as a sheet. @param {Scene} scene @returns {Panel} */
function repliesPanel(scene) {
  const asks = scene
    .cubesOf("reply")
    .map((cube) => /** @type {Ask} */ (scene.game.asks.find((a) => a.cube === cube && a.seat === scene.me)));
  if (asks.length > 1)
    return {
      kind: "offer",
      title: title(scene, asks[0]),
      rows: asks.map((ask) => row(scene, ask.cube, ways(scene, ask, true))),
    };
  return { kind: "offer", title: title(scene, asks[0]), notes: [note(scene, asks[0])], buttons: ways(scene, asks[0]) };
}

/** @param {Scene} scene @param {Ask} ask */
function title(scene, { kind, cube, value }) {
  const texts = {
    extra: gettext("Give %(name)s an extra?"),
    beaver: gettext("You have taken. Beaver?"),
    must_beaver: gettext("You alone have taken: beaver, or drop after all"),
    beavered: gettext("%(name)s beavers to %(value)s"),
    raccooned: gettext("%(name)s raccoons to %(value)s"),
  };
  return fill(texts[/** @type {keyof typeof texts} */ (kind)], { name: other(scene, cube), value });
}

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

/** @param {Scene} scene @param {Ask} ask @param {boolean} [isRow] */
function ways(scene, { kind, cube, value }, isRow) {
  const costs = fill(gettext("costs %(points)s"), { points: pointsText(kind === "extra" ? value : value / 2) });
  const at = (/** @type {number} */ to) => fill(gettext("cube at %(value)s"), { value: to });
  /** @type {Record<string, import("chouette/dock/parts.js").Spec>} */
  const looks = {
    give: { label: gettext("Give an extra"), note: costs },
    keep: { label: gettext("No extra"), kind: "go" },
    beaver: { label: gettext("Beaver"), note: at(value * 2), key: "B" },
    no: { label: gettext("No beaver"), note: at(value), kind: "go", key: "N" },
    accept: { label: gettext("Accept"), note: at(value), kind: "go", key: "T" },
    drop: { label: gettext("Drop"), note: costs, kind: "stop", key: "P" },
    raccoon: { label: gettext("Raccoon"), note: at(value * 2), key: "B" },
  };
  const replies = scene
    .args("reply")
    .filter((o) => o.cube === cube)
    .map((o) => o.reply);
  return replies.map((reply) =>
    scene.button({ name: "reply", args: { cube, reply }, ...looks[reply], ...(isRow ? { key: "" } : {}) }),
  );
}

// Without a decision of mine.

/** @param {Scene} scene @returns {Panel} */
function waiting(scene) {
  const { stage, resignation } = scene.game ?? {};
  const isPlaying = scene.view.phase === "playing" && !resignation;
  if (isPlaying && stage === "window" && scene.game.window.ring) return windowPanel(scene);
  const left = isPlaying && stage === "answers" && answeredText(scene);
  const title = isPlaying ? wordsText(scene) || givenText(scene) : "";
  const buttons = (isPlaying && scene.memory.wood?.doublesNow(scene)) || [];
  return { kind: "calm", title, notes: [left || status(scene.now).text], buttons };
}
