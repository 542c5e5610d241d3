// @ts-check
/**
 * Offers of others (resigning, settling, taking a play back), the questions before a game, and notes: what became of my
 * own requests, and my second time. Fetched when there is one of them.
 */
import { fill } from "games/kit/page/text.js";
import { signed } from "games/kit/page/sentences.js";
import { turnOf } from "games/kit/words.js";
import { settledText } from "chouette/dock/decisions.js";
import { requestText, requestsIn } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {keyof Chouette.Choices} Name of a choice */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** Return the notes, which ask nothing. @param {Scene} scene @returns {Panel[]} */
export function notes(scene) {
  return [...secondChance(scene), ...requests(scene), ...ofOthers(scene)];
}

/**
 * Return whom others wait for, and why, to who has the turn: everybody else reads it in the bar.
 * @param {Scene} scene @returns {Panel[]}
 */
function ofOthers({ view, me, now }) {
  const isOfMine = requestsIn(view).some(({ by, to }) => me === null || [by, ...to].includes(me));
  const text = isOfMine || !turnOf(now).isMine ? "" : requestText(now);
  return text ? [{ kind: "calm", notes: [text] }] : [];
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

/** @param {Scene} scene @returns {Panel} */
export function automaticPanel(scene) {
  return {
    kind: "offer",
    title: scene.question("automatic"),
    notes: [gettext("An automatic double does not count as a turned cube.")],
    buttons: yesOrNo(scene, "automatic", "agree"),
  };
}

/** @param {Scene} scene @returns {Panel} */
export function partnerPanel(scene) {
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
export function offer(scene) {
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
  const { requests, proposals } = scene.game;
  const isMine = requests.some(({ what, by }) => what === "take_back" && by === scene.me);
  const mine = proposals.filter((p) => p.by === scene.me);
  // Whoever has nothing to do reads it in the bar.
  return [
    ...(isMine && turnOf(scene.now).isMine
      ? [gettext("You asked for the play back: not everybody has answered yet.")] : []),
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

/** Return the two answers, the safe one last. @param {Scene} scene @param {Name} name @param {object} args */
function acceptOrRefuse(scene, name, args) {
  const isSafe = scene.words(name, { ...args, accept: true }).tone === "go";
  return [!isSafe, isSafe].map((accept) => scene.button({ name, args: { ...args, accept } }));
}
