// @ts-check
/** My open decision as panels of the dock; offers of others come first. */
import { fill } from "games/kit/page/text.js";
import { said, turnOf } from "games/kit/words.js";
import { phrase } from "games/kit/page/sentences.js";
import { storyText } from "chouette/board/words.js";
import { isBetween } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {keyof Chouette.Choices} Name of a choice */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** Return what to show: one question with its buttons, and notes that ask nothing. @param {Scene} scene */
export function panels(scene) {
  doubling(scene); // so that it is there before the first roll
  const { last_game: last } = scene.view;
  if (scene.view.phase === "over") return [scene.memory.rare("results")?.sessionResult(scene) ?? soon(scene)];
  const make = scene.now.choices.map((c) => MAIN[c.name]).find((found) => found);
  const notes = hasNotes(scene) ? scene.memory.rare("offers")?.notes(scene) ?? [] : [];
  if (last && isBetween(scene.view)) return [...notes, afterGame(scene, make?.(scene))];
  if (scene.now.hasEnded) return notes;
  const question = asked(scene, make);
  return question ? [...notes, question] : notes;
}

/** Tell whether there may be notes on my second time or my requests (chouette/dock/offers.js). @param {Scene} scene */
function hasNotes({ view, game }) {
  if (view.phase !== "playing") return false;
  return game.reopened.length + game.requests.length + (view.me?.closed.length ?? 0) > 0;
}

/**
 * Return the one question: an answer to a double comes first; a roll or a play waits behind what others ask.
 * @param {Scene} scene @param {((scene: Scene) => Panel) | undefined} make
 * @returns {Panel | null}
 */
function asked(scene, make) {
  const { wood } = scene.memory;
  const isOffered = OFFERS.some((name) => scene.choice(name)) && !ANSWERS.some((name) => scene.choice(name));
  if (isOffered) return scene.memory.rare("offers")?.offer(scene) ?? soon(scene);
  if (wood?.isShown(scene)) return scene.game.stage === "result" ? wood.resultPanel(scene) : wood.woodPanel(scene);
  // A play is made on the board, and confirmed beside it.
  return scene.choice("move") ? null : (make ?? waiting)(scene);
}

/**
 * Return the last game's result with my decision before the next one; the Box's questions come above it.
 * @param {Scene} scene @param {Panel} [own]
 * @returns {Panel}
 */
function afterGame(scene, own) {
  const result = scene.memory.rare("results")?.gameResult(scene) ?? soon(scene);
  if (own?.kind === "offer") return { ...result, ...own, rows: result.rows };
  return { ...result, buttons: [...ofNextGame(scene), ...(own?.buttons ?? [])] };
}

/** The decisions that nothing comes before. @type {Name[]} */
const ANSWERS = ["answer_batch", "answer", "reply"];
/** What others offer. @type {Name[]} */
const OFFERS = ["answer_resignation", "answer_take_back", "answer_proposal"];

/** @type {Record<string, (scene: Scene) => Panel>} */
const MAIN = {
  opening_roll: (scene) => scene.args("opening_roll").some((o) => o.dice)
    ? { kind: "mine", notes: [scene.question("opening_roll")] }
    : begin(scene, "opening_roll"),
  type_dice: () => ({ kind: "mine" }),
  start_study: (scene) => begin(scene, "start_study"),
  order_die: () => ({ kind: "mine" }),
  begin_game: (scene) => scene.memory.wood?.beginPanel(scene) ?? waiting(scene),
  automatic: (scene) => scene.memory.rare("offers")?.automaticPanel(scene) ?? soon(scene),
  partner: (scene) => scene.memory.rare("offers")?.partnerPanel(scene) ?? soon(scene),
  cube: windowPanel,
  wait: windowPanel,
  next: nextPanel,
  offer: turnPanel,
  roll: (scene) => (scene.game.window ? windowPanel(scene) : turnPanel(scene)),
  answer_batch: (scene) => scene.memory.rare("answers")?.batchPanel(scene) ?? soon(scene),
  answer: (scene) => scene.memory.rare("answers")?.answersPanel(scene) ?? soon(scene),
  reply: (scene) => scene.memory.rare("answers")?.repliesPanel(scene) ?? soon(scene),
};

/** Return what stands until a module has come, which may take a while. @param {Scene} scene @returns {Panel} */
const soon = (scene) => ({ kind: "result", title: turnOf(scene.now).text });
/** Choices of others whose question is told to those who wait; the bar says for whom. @type {Name[]} */
const TOLD = ["order_die", "opening_roll", "automatic", "begin_game"];

/** Return the module of doubling and rolling, asked for with a game's first play. @param {Scene} scene */
function doubling({ view, game, memory }) {
  return view.phase === "playing" && game.stage !== "opening" ? memory.rare("cubes") : undefined;
}

/** @param {Scene} scene @returns {Panel} */
function windowPanel(scene) {
  return doubling(scene)?.windowPanel(scene) ?? soon(scene);
}

/** @param {Scene} scene @returns {Panel} */
function turnPanel(scene) {
  return doubling(scene)?.turnPanel(scene) ?? soon(scene);
}

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

/** @param {number} points mine */
export const settledText = (points) => phrase("settles", { points });

// Without a decision of mine.

/** Return when a newcomer plays. @param {Scene} scene */
const comingText = ({ view, me }) =>
  me !== null && view.seats[me]?.status === "coming" ? gettext("You play from the next game on.") : "";

/** @param {Scene} scene @returns {Panel} */
function waiting(scene) {
  const { stage, resignation } = scene.game ?? {};
  const isPlaying = scene.view.phase === "playing" && !resignation;
  if (isPlaying && stage === "window" && scene.game.window?.ring) return windowPanel(scene);
  const cubes = isPlaying ? doubling(scene) : undefined;
  const left = stage === "answers" && cubes?.answeredText(scene);
  const title = isPlaying ? comingText(scene) || cubes?.wordsText(scene) || cubes?.givenText(scene) : "";
  const buttons = (isPlaying && scene.memory.wood?.doublesNow(scene)) || [];
  // The bar at the top says who is waited for: here stands what for, where there is nothing else to read.
  const isTold = title || left || (isPlaying && !scene.memory.wood && storyText(scene.game, scene.now.seats));
  // Suggested plays have their room.
  const own = scene.me === null || scene.view.me?.suggestions.length ? undefined : scene.memory.rare("waiting");
  const asked = TOLD.find((name) => name === scene.view.asked);
  const isAsked = asked && !isTold && !scene.memory.wood;
  const question = isAsked ? said("question", { name: asked, seat: null }, scene.now) : "";
  const notes = [left || question, own?.standText(scene)];
  return { kind: "calm", title, notes, rows: title ? [] : own?.greetingRow(scene), buttons };
}
