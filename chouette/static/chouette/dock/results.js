// @ts-check
/** The panel of the dock at the end of a game or session: winner, points, the next Box and Captain. */
import { h } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { following, headline, score, sessionEnd } from "chouette/words/outcome.js";
import { howText, isDuel, sign, signed } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/**
 * Return the last game: winner, kind of win, all points of it and in total, the next Box and Captain and the reason.
 * @param {Scene} scene
 * @returns {Panel}
 */
export function gameResult(scene) {
  const { view } = scene;
  const last = view.last_game;
  const isLine = !isDuel(view);
  const [box, captain] = view.line.map((/** @type {number} */ seat) => nameOf(scene.now.seats, seat));
  return {
    kind: "result",
    title: headline(view, scene.now.seats),
    badge: howText(last.reason),
    rows: ranking(scene, last.points),
    notes: [
      view.score && score(view, scene.now.seats),
      isLine && fill(gettext("Next game: %(box)s is Box, %(captain)s is Captain."), { box, captain }),
      isLine && following(view, scene.now.seats),
    ],
  };
}

/** Return the end of the session or match: winner, reason, ranking. @param {Scene} scene @returns {Panel} */
export function sessionResult(scene) {
  const { title, why } = sessionEnd(scene.view, scene.now.seats);
  const notes = [why, scene.view.score && score(scene.view, scene.now.seats)];
  return { kind: "result", title, rows: scene.view.score ? [] : ranking(scene, null), notes };
}

/** Return all players by their totals. @param {Scene} scene @param {number[] | null} gains of the last game */
function ranking(scene, gains) {
  const { seats, totals } = scene.view;
  const played = seats.filter((/** @type {any} */ one) => one.status !== "watching" && one.status !== "coming");
  const order = played.map((/** @type {any} */ one) => one.seat);
  order.sort((/** @type {number} */ a, /** @type {number} */ b) => totals[b] - totals[a]);
  return order.map((/** @type {number} */ seat) => {
    const place = 1 + order.filter((/** @type {number} */ one) => totals[one] > totals[seat]).length;
    const gain = gains?.[seat] ?? 0;
    const name = scene.name(seat);
    return h("li", { class: `bt-rank seat-${seat % 12}`, data: { me: seat === scene.me ? "yes" : "no" } },
      h("span", { class: "bt-rank-place" }, `${place}.`), h("span", { class: "bt-rank-name", title: name }, name),
      gains && h("b", { class: "bt-rank-gain", data: { sign: sign(gain) } }, gain ? signed(gain) : "–"),
      h("span", { class: "bt-rank-total" }, signed(totals[seat])));
  });
}
