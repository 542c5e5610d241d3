// @ts-check
/** My open decision as panels of the dock; offers of others come first. */
import { fill } from "games/kit/page/text.js";
import { turnOf } from "games/kit/words.js";
import { answeredText, givenText, turnPanel, windowPanel, wordsText } from "chouette/dock/cube_decisions.js";
import { phrase, signed } from "games/kit/page/sentences.js";
import { isBetween } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {keyof Chouette.Choices} Name of a choice */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** Return what to show: one question with its buttons, and notes that ask nothing. @param {Scene} scene */
export function panels(scene) {
  const { last_game: last } = scene.view;
  if (scene.view.phase === "over") return [scene.memory.results?.sessionResult(scene) ?? soon(scene)];
  const make = scene.now.choices.map((c) => MAIN[c.name]).find((found) => found);
  const notes = [...secondChance(scene), ...requests(scene)];
  if (last && isBetween(scene.view)) return [...notes, afterGame(scene, make?.(scene))];
  if (scene.now.hasEnded) return notes;
  const question = asked(scene, make);
  return question ? [...notes, question] : notes;
}

/**
 * Return the one question: an answer to a double comes first; a roll or a play waits behind what others ask.
 * @param {Scene} scene @param {((scene: Scene) => Panel) | undefined} make
 * @returns {Panel | null}
 */
function asked(scene, make) {
  const { wood } = scene.memory;
  const offered = ANSWERS.some((name) => scene.choice(name)) ? null : offer(scene);
  if (offered) return offered;
  if (wood?.isShown(scene)) return scene.game.stage === "result" ? wood.resultPanel(scene) : wood.woodPanel(scene);
  // A play is made on the board, and confirmed beside it.
  return scene.choice("move") ? null : (make ?? waiting)(scene);
}

/** Return the panel of my second time, with the effect of the next time-out. @param {Scene} scene @returns {Panel[]} */
function secondChance({ view, game, me }) {
  const again = view.phase === "playing" ? game.reopened.find((r) => r.seat === me) : undefined;
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
  const result = scene.memory.results?.gameResult(scene) ?? soon(scene);
  if (own?.kind === "offer") return { ...result, ...own, rows: result.rows };
  return { ...result, buttons: [...ofNextGame(scene), ...(own?.buttons ?? [])] };
}

/** The decisions that nothing comes before. */
/** @type {Name[]} */
const ANSWERS = ["answer_batch", "answer", "reply"];

/** @type {Record<string, (scene: Scene) => Panel>} */
const MAIN = {
  opening_roll: (scene) => scene.args("opening_roll").some((o) => o.dice)
    ? { kind: "mine", notes: [scene.question("opening_roll")] }
    : begin(scene, "opening_roll"),
  type_dice: () => ({ kind: "mine" }),
  start_study: (scene) => begin(scene, "start_study"),
  order_die: () => ({ kind: "mine" }),
  begin_game: (scene) => scene.memory.wood?.beginPanel(scene) ?? waiting(scene),
  automatic: automaticPanel,
  partner: partnerPanel,
  cube: windowPanel,
  wait: windowPanel,
  next: nextPanel,
  offer: turnPanel,
  roll: (scene) => (scene.game.window ? windowPanel(scene) : turnPanel(scene)),
  answer_batch: (scene) => scene.memory.answers?.batchPanel(scene) ?? soon(scene),
  answer: (scene) => scene.memory.answers?.answersPanel(scene) ?? soon(scene),
  reply: (scene) => scene.memory.answers?.repliesPanel(scene) ?? soon(scene),
};

/** Return what stands until a module has come. @param {Scene} scene @returns {Panel} */
const soon = (scene) => ({ kind: "result", title: turnOf(scene.now).text });

/** @param {Scene} scene @returns {Panel} */
function nextPanel(scene) {
  return { kind: "calm", buttons: [scene.button({ name: "next", kind: "go big" })] };
}

/**
 * Return the buttons about the next game: sit it out or come back, pass the Box on, put game clocks in.
 * @param {Scene} scene
 */
export function ofNextGame(scene) {
  const sitting = scene.args("sit_out").slice(0, 1).map((args) => scene.button({
    id: "sit_out", name: "sit_out", args, kind: "bt-d-small",
  }));
  const passing = scene.choice("pass_box")
    ? [scene.button({ name: "pass_box", kind: "bt-d-small" })]
    : [];
  const clocks = scene.args("clock").map((args) => scene.button({
    id: `clock ${args.clock}`, name: "clock", args, kind: "bt-d-small",
  }));
  return [...sitting, ...passing, ...clocks];
}

/** @param {Scene} scene @param {Name} name @returns {Panel} */
function begin(scene, name) {
  return { kind: "mine", notes: [scene.question(name)], buttons: [scene.button({ name, kind: "go big" })] };
}

/** @param {Scene} scene @returns {Panel} */
function automaticPanel(scene) {
  return {
    kind: "offer",
    title: scene.question("automatic"),
    notes: [gettext("An automatic double does not count as a turned cube.")],
    buttons: yesOrNo(scene, "automatic", "agree"),
  };
}

/** @param {Scene} scene @returns {Panel} */
function partnerPanel(scene) {
  return {
    kind: "offer",
    title: scene.question("partner"),
    notes: [gettext("A partner advises you, has no cube, and shares your result half and half.")],
    buttons: yesOrNo(scene, "partner", "take"),
  };
}

/** @param {Scene} scene @param {Name} name @param {string} arg */
function yesOrNo(scene, name, arg) {
  return [false, true].map((is) => scene.button({ name, args: { [arg]: is } }));
}

// Offers of others: resigning, settling, taking a play back.

/** @param {Scene} scene @returns {Panel | null} */
function offer(scene) {
  if (scene.choice("answer_resignation")) return resignationPanel(scene);
  if (scene.choice("answer_take_back")) return takeBackPanel(scene);
  const [cube] = scene.cubesOf("answer_proposal");
  return cube === undefined ? null : proposalPanel(scene, cube);
}

/** @param {Scene} scene @returns {Panel} */
function resignationPanel(scene) {
  const buttons = acceptOrRefuse(scene, "answer_resignation", {});
  return { kind: "offer", title: scene.question("answer_resignation"), buttons };
}

/** @param {Scene} scene @returns {Panel} */
function takeBackPanel(scene) {
  return {
    kind: "offer",
    title: scene.question("answer_take_back"),
    notes: [gettext("It goes back if everybody on your side agrees.")],
    buttons: acceptOrRefuse(scene, "answer_take_back", {}),
  };
}

/** @param {Scene} scene @param {number} cube @returns {Panel} */
function proposalPanel(scene, cube) {
  const buttons = acceptOrRefuse(scene, "answer_proposal", { cube });
  return { kind: "offer", title: scene.question("answer_proposal"), buttons };
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
  const mine = proposals.filter((p) => p.by === scene.me);
  return [
    ...(isMine ? [gettext("You asked for the play back: not everybody has answered yet.")] : []),
    ...mine.map((p) => fill(gettext("You propose to %(name)s: %(what)s."), {
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
  return (scene.view.me?.closed ?? []).map((request) => {
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
export const settledText = (points) => phrase("settles", { points });

/** Return the two answers, the safe one last. @param {Scene} scene @param {Name} name @param {object} args */
function acceptOrRefuse(scene, name, args) {
  const isSafe = scene.words(name, { ...args, accept: true }).tone === "go";
  return [!isSafe, isSafe].map((accept) => scene.button({ name, args: { ...args, accept } }));
}

// Without a decision of mine.

/** @param {Scene} scene @returns {Panel} */
function waiting(scene) {
  const { stage, resignation } = scene.game ?? {};
  const isPlaying = scene.view.phase === "playing" && !resignation;
  if (isPlaying && stage === "window" && scene.game.window?.ring) return windowPanel(scene);
  const left = isPlaying && stage === "answers" && answeredText(scene);
  const title = isPlaying ? wordsText(scene) || givenText(scene) : "";
  const buttons = (isPlaying && scene.memory.wood?.doublesNow(scene)) || [];
  return { kind: "calm", title, notes: [left || turnOf(scene.now).text], buttons };
}
