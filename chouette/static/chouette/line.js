// @ts-check
/** The line (Box, Captain, next, …) of this game and of the next one, and its origin. */
import { h, put } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { following } from "chouette/words/outcome.js";
import { person } from "chouette/sheet/rows.js";
import { signed } from "games/kit/page/sentences.js";
import { gameOf, roleName } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/page/dom.js").Child} Child */

/** @typedef {import("chouette/table.js").Now} Now */

/** The line of a chouette; a game of two has none. */
export class Line {
  constructor() {
    this.now = h("div", { class: "bt-queue-now" });
    this.how = h("div", { class: "bt-queue-how" });
    this.more = h(
      "details",
      { class: "bt-queue-more" },
      h("summary", {}, gettext("How the line came about")),
      this.how,
    );
    this.el = h("section", { class: "bt-queue", "aria-label": gettext("The line") }, this.now, this.more);
    this.key = "";
    this.wasFirst = false;
  }

  /** @param {Now} now */
  show(now) {
    const { view, seats } = now;
    const isFirst = view.sheet.length === 0 && view.phase === "between";
    this.el.hidden = view.format !== "chouette";
    const roles = view.seats.map((s) => [s.role, s.status, s.cube]);
    const key = JSON.stringify([
      view.line,
      view.phase,
      view.order,
      roles,
      view.last_game,
      seats.map((s) => s.name),
      outcomes(view),
    ]);
    if (this.el.hidden || key === this.key) return;
    this.key = key;
    const title = view.phase === "playing" ? gettext("The line in this game") : gettext("The line of the next game");
    put(this.now, view.phase !== "over" && [h("h2", {}, title), chain(now)]);
    put(this.how, stages(now));
    if (isFirst !== this.wasFirst) this.more.open = isFirst;
    this.wasFirst = isFirst;
  }
}

/** @param {Chouette.View} view */
function outcomes(view) {
  return view.phase === "playing" ? gameOf(view).cubes.map((c) => c.result) : null;
}

/** Return the line as a list, with the role of each seat. @param {Now} now */
function chain({ view, seats }) {
  const isRunning = view.phase === "playing";
  const isThrowing = view.to_throw.length > 0;
  return chips(view.line, (seat, place) => {
    const word = isRunning ? role(view, seat) : isThrowing ? "" : roleName(["box", "captain"][place] ?? "");
    return [person(seats, seat), word && h("small", { class: "bt-queue-role" }, word)];
  });
}

/** @param {number[]} line @param {(seat: number, place: number) => Child | Child[]} inside */
function chips(line, inside) {
  return h(
    "ol",
    { class: "bt-queue-chips" },
    line.map((seat, place) => h("li", { data: { place } }, inside(seat, place))),
  );
}

/**
 * The role of a seat in the running game, in words; "" for a member.
 * @param {Chouette.View} view @param {number} seat
 */
export function role(view, seat) {
  const { role: found, cube } = view.seats[seat];
  if (found === "member") return "";
  const result = cube === null ? null : gameOf(view).cubes[cube].result;
  const word = roleName(found);
  return found === "out" && result !== null ? `${word} ${signed(result)}` : word;
}

/** Return the origin of the line: the last game, and the rolls for the first line. @param {Now} now */
function stages(now) {
  const { view, seats } = now;
  const last = view.last_game;
  const after = (last?.line_after ?? []).filter((seat) => view.seats[seat].status !== "left");
  const order = view.order.map((block, i) => blockOf(block.rolls, i, seats));
  return [
    last && h("p", {}, following(view, seats)),
    last && before(fill(gettext("Before game %(number)s"), { number: last.number }), last.line_before, seats),
    last &&
      String(after) !== String(view.line) &&
      before(fill(gettext("After game %(number)s"), { number: last.number }), after, seats),
    order.length > 0 && h("h2", {}, gettext("The rolls for the first line")),
    order.length > 0 ? h("ol", { class: "bt-queue-rolls" }, order) : h("p", {}, firstLine(view)),
  ];
}

/** Return the origin of a first line without rolls. @param {Chouette.View} view */
function firstLine({ options }) {
  if (options.line_order === "lot") return gettext("The first line was drawn by lot.");
  return options.line_order === "by_hand" ? gettext("The host set the first line.") : "";
}

/** @param {string} title @param {number[]} line @param {SeatInfo[]} seats */
function before(title, line, seats) {
  return h("div", { class: "bt-queue-before" }, h("h2", {}, title), chips(line, (seat) => person(seats, seat)));
}

/** @param {{die: number}} roll */
const dieOf = ({ die }) => h("b", { class: "bt-queue-die" }, String(die));

/**
 * Return one roll for the order: everybody's, or that of tied players.
 * @param {Chouette.DieView[]} rolls
 * @param {number} i
 * @param {SeatInfo[]} seats
 */
function blockOf(rolls, i, seats) {
  const title = i ? gettext("A tie is rolled again:") : gettext("Everybody rolls one die:");
  const sorted = [...rolls].sort((a, b) => b.die - a.die);
  return h(
    "li",
    {},
    h("span", {}, title),
    h(
      "ul",
      {},
      sorted.map((roll) => h("li", {}, person(seats, roll.seat), " ", dieOf(roll))),
    ),
  );
}
