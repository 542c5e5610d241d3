// @ts-check
/** The card of the dock at the end of a game or session: winner, points, the next Box and Captain. */
import { h } from "games/kit/page/dom.js";
import { isCalm } from "games/kit/page/motion.js";
import { nameOf } from "games/kit/seats.js";
import { following, headline, lastOf, ownResult, seatsOfLast, sessionEnd } from "chouette/words/outcome.js";
import { signed } from "games/kit/page/sentences.js";
import { turnOf } from "games/kit/words.js";
import { howText, isDuel, nextGame, sign } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/dock/parts.js").Panel} Panel */
/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** Milliseconds for which points travel to their tiles. */
const TRAVEL_MS = 900;
/** Ends of a game that are shown large. */
const GREAT = ["gammon", "backgammon"];
/** Most players who share the first place and have it in large type. */
const MOST_FIRST = 2;

/**
 * Return the last game: winner, kind of win, all points of it and in total, the next Box and Captain and the reason.
 * @param {Scene} scene
 * @returns {Panel}
 */
export function gameResult(scene) {
  const { view } = scene;
  const last = lastOf(view);
  const isLine = !isDuel(view), text = headline(view, scene.now.seats), own = ownResult(view, scene.me);
  const winner = last.side === "box" ? last.box : last.last_captain;
  return {
    kind: "result",
    title: own ? [h("strong", { class: "bt-d-name" }, own)]
      : withName(text, [winner], seatsOfLast(view, scene.now.seats)),
    told: own && text,
    badge: howText(last.reason),
    isGreat: GREAT.includes(last.reason),
    // At a real board it stands above, large.
    score: view.options.board === "wood" ? "" : matchScore(scene),
    rows: ranking(scene, last.points),
    notes: [
      isLine && nextGame(view, scene.now.seats),
      isLine && following(view, scene.now.seats),
      scene.now.grades,
    ],
  };
}

/** Return the end of the session or match: winner, reason, ranking. @param {Scene} scene @returns {Panel} */
export function sessionResult(scene) {
  const { view, now } = scene;
  const { title, why } = sessionEnd(view, now.seats);
  return {
    kind: "result",
    // That it is over and who has won says the bar, too: where it says no more, the ranking stands alone.
    title: title === turnOf(now).text ? undefined : withName(title, [view.ended?.winner ?? null], now.seats),
    score: matchScore(scene),
    isGreat: ["match_won", "time", "time_limit"].includes(view.ended?.reason ?? ""),
    rows: view.score ? [] : ranking(scene, null),
    notes: [why, scene.now.grades],
  };
}

/**
 * Return the two seats of a match in the order of its score, also when one of them has left.
 * @param {Chouette.View} view @returns {number[]}
 */
export function pairOf({ line, last_game: last }) {
  return [...(line.length === 2 ? line : last?.line_before ?? line)].sort((x, y) => x - y);
}

/** Return a match's score: "Anna 4 : 2 Bo"; "" before its first game if one has left. @param {Scene} scene */
function matchScore({ view, now: { seats } }) {
  const [a, b] = pairOf(view);
  if (!view.score || b === undefined) return "";
  return `${nameOf(seats, a)} ${view.score[a]} : ${view.score[b]} ${nameOf(seats, b)}`;
}

/** Return a sentence with the first of these names that it has in large type. @param {string} text
 * @param {(number | null)[]} who @param {SeatInfo[]} seats */
function withName(text, who, seats) {
  const name = who.map((seat) => nameOf(seats, seat)).find((one) => one && text.includes(one));
  if (!name) return [h("strong", { class: "bt-d-name", data: { length: "long" } }, text)];
  const at = text.indexOf(name);
  return [text.slice(0, at), h("strong", { class: "bt-d-name" }, name), text.slice(at + name.length)];
}

/**
 * Let the points of the ranking travel to their tiles; nothing waits for them.
 * @param {HTMLElement} panels @param {(seat: number) => HTMLElement | undefined} tile where a seat's total stands
 */
export function sendPoints(panels, tile) {
  const root = panels.closest(".bt");
  if (isCalm() || !root) return;
  const { left, top } = root.getBoundingClientRect();
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (panels.querySelectorAll(".bt-rank"))) {
    const gain = row.querySelector(".bt-rank-gain[data-sign='plus'], .bt-rank-gain[data-sign='minus']");
    const total = tile(Number(row.dataset.seat));
    if (!gain || !total?.getClientRects().length) continue;
    const at = (/** @type {Element} */ element) => {
      const box = element.getBoundingClientRect();
      return `translate(${Math.round(box.left - left)}px, ${Math.round(box.top - top)}px)`;
    };
    const attrs = { class: "bt-gain", data: { sign: /** @type {HTMLElement} */ (gain).dataset.sign } };
    const flying = h("b", { ...attrs, "aria-hidden": "true" }, gain.textContent);
    root.append(flying);
    const frames = [{ transform: `${at(gain)} scale(1.6)` }, { transform: at(total) }];
    flying.animate(frames, { duration: TRAVEL_MS, easing: "ease-in-out" }).onfinish = () => flying.remove();
  }
}

/** Return all players by their totals. @param {Scene} scene @param {number[] | null} gains of the last game */
function ranking(scene, gains) {
  const { seats, totals } = scene.view;
  const played = seats.filter((one) => one.status !== "watching" && one.status !== "coming");
  const order = played.map((one) => one.seat);
  order.sort((/** @type {number} */ a, /** @type {number} */ b) => totals[b] - totals[a]);
  return order.map((/** @type {number} */ seat) => {
    const place = 1 + order.filter((/** @type {number} */ one) => totals[one] > totals[seat]).length;
    const gain = gains?.[seat] ?? 0;
    const name = scene.name(seat);
    const isFirst = !gains && place === 1 && totals[order[Math.min(MOST_FIRST, order.length - 1)]] < totals[seat];
    const data = { me: seat === scene.me ? "yes" : "no", seat, ...(isFirst ? { first: "" } : {}) };
    return h("li", { class: `bt-rank seat-${seat % 12}`, data },
      h("span", { class: "bt-rank-place" }, `${place}.`), h("span", { class: "bt-rank-name", title: name }, name),
      gains && h("b", { class: "bt-rank-gain", data: { sign: sign(gain) } }, gain ? signed(gain) : "–"),
      h("span", { class: "bt-rank-total" }, signed(totals[seat])));
  });
}
