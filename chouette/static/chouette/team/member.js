// @ts-check
/** One player among the members. */
import { h, put, setAttr, setText } from "games/kit/dom.js";
import { nameOf, showPresence } from "games/kit/seats.js";
import { fill } from "games/kit/text.js";
import { Cube } from "chouette/board/cube.js";
import { crowdGames, isDuel, roleName, signed, statusName } from "chouette/words.js";

/** @typedef {import("chouette/table.js").Now} Now */

export class Member {
  /** @param {number} seat */
  constructor(seat) {
    this.seat = seat;
    this.dot = h("span", { class: "bt-dot presence" });
    this.name = h("b", { class: "bt-name" });
    this.mark = h("span", { class: "bt-mark", role: "img" });
    this.badge = h("span", { class: "bt-badge" });
    this.total = h("span", { class: "bt-total" });
    this.stakes = h("span", { class: "bt-stakes" });
    this.gamesKey = "";
    /** @type {Map<number, Cube>} */
    this.cubes = new Map();
    const who = h("span", { class: "bt-mate-who" }, this.dot, this.name);
    this.el = h("li", { class: `bt-mate seat-${seat % 12}` }, who, this.badge, this.stakes, this.total, this.mark);
  }

  /** @param {Now} now @param {boolean} isAwaited */
  show(now, isAwaited) {
    const { view, seats, me } = now;
    setText(this.name, nameOf(seats, this.seat));
    setAttr(this.el, "data-me", this.seat === me);
    setAttr(this.el, "data-turn", !now.hasEnded && isTurn(view, this.seat, isAwaited));
    setAttr(this.el, "data-status", view.seats[this.seat].status);
    this.#badge(view);
    showPresence(this.dot, seats.find((s) => s.seat === this.seat));
    this.#mark(view, isAwaited);
    this.#total(view);
    this.#cubes(now);
    this.#lastGames(now);
  }

  /** @param {any} view */
  #badge(view) {
    const { role, status } = view.seats[this.seat];
    const known = role === "none" ? nextRole(view, this.seat) : role;
    const text = statusName(status) || (isDuel(view) ? checkers(known) : roleName(known));
    setAttr(this.badge, "data-role", statusName(status) ? status : known);
    setAttr(this.el, "data-role", known);
    setText(this.badge, text);
    this.badge.hidden = text === "";
  }

  /** A mark for having spoken or answered; never what. @param {any} view @param {boolean} isAwaited */
  #mark(view, isAwaited) {
    const text = isAwaited ? gettext("is asked") : done(view, this.seat);
    setAttr(this.mark, "data-mark", isAwaited ? "asked" : text && "done");
    setAttr(this.mark, "aria-label", text);
    setAttr(this.mark, "title", text);
    this.mark.hidden = text === "";
  }

  /** @param {any} view */
  #total(view) {
    const { score, match_length: length } = view;
    setText(this.total, score ? String(score[this.seat]) : signed(view.totals[this.seat]));
    const sentence = score ? gettext("%(points)s of %(length)s points") : gettext("%(points)s points so far");
    const params = { points: this.total.textContent, length };
    setAttr(this.total, "title", fill(sentence, params));
    setAttr(this.total, "data-sign", score ? "0" : String(Math.sign(view.totals[this.seat])));
  }

  /** Between two games there are none: how the last one ended is said elsewhere. @param {Now} now */
  #cubes({ view, seats }) {
    const { game } = view;
    const mine = (view.phase === "between" ? [] : (game?.cubes ?? [])).filter(
      (/** @type {any} */ c) => c.member === this.seat,
    );
    const known = mine.map((/** @type {any} */ c) => c.cube);
    if (known.join() !== [...this.cubes.keys()].join()) {
      this.cubes = new Map(known.map((/** @type {number} */ i) => [i, this.cubes.get(i) ?? new Cube()]));
      put(this.stakes, [...this.cubes.values()].map((cube) => cube.box));
    }
    for (const cube of mine) this.cubes.get(cube.cube)?.show(cube, game, seats);
  }

  /** A big screen that a crowd leaves no room for the sheet has the last games here. @param {Now} now */
  #lastGames(now) {
    const games = crowdGames(now);
    const key = games.map((row) => `${row.game}:${row.points[this.seat]}`).join();
    if (key === this.gamesKey) return;
    this.gamesKey = key;
    if (games.length) put(this.stakes, games.map((row) => gain(row, this.seat)));
    else if (!this.cubes.size) put(this.stakes, []);
  }
}

/** What somebody got from a game. @param {any} row @param {number} seat */
function gain(row, seat) {
  const points = row.points[seat] ?? 0;
  return h("span", { class: "bt-gain", data: { sign: Math.sign(points) } }, points ? signed(points) : "·");
}

/** Two by themselves are no Box and Captain: what tells them apart is their checkers. @param {string} role */
function checkers(role) {
  if (role === "box") return gettext("dark");
  return role === "captain" || role === "stand_in" ? gettext("light") : "";
}

/**
 * Tell whether it is a seat's turn; while a double or a resignation is answered, the seats that are asked have it.
 * @param {any} view
 * @param {number} seat
 * @param {boolean} isAwaited
 */
function isTurn(view, seat, isAwaited) {
  const { game } = view;
  if (view.phase !== "playing" || game.on_roll === null) return isAwaited;
  if (game.resignation || ["answers", "replies"].includes(game.stage)) return isAwaited;
  return game.on_roll === seat;
}

/** Between two games: what somebody will be in the next. @param {any} view @param {number} seat */
function nextRole(view, seat) {
  const place = view.line.indexOf(seat);
  return ["box", "captain"][place] ?? (place > 1 ? "member" : "none");
}

/**
 * @param {any} view
 * @param {number} seat
 * @returns {string} what they have done while others have still to, "" for nothing
 */
function done({ phase, game }, seat) {
  if (phase !== "playing") return "";
  const held = (/** @type {number[]} */ list) => list.some((i) => game.cubes[i].holder === seat);
  if (game.stage === "window" && held(game.spoken)) return gettext("has spoken");
  if (game.resignation) return game.resignation.by === game.box && held(live(game)) ? gettext("has answered") : "";
  if (game.stage === "answers" && game.turn === "box" && held(game.answered)) return gettext("has answered");
  return game.stage === "opening" && game.opening.some((/** @type {any} */ o) => o.seat === seat)
    ? gettext("has rolled")
    : "";
}

/** The cubes in the game whose holders are not waited for. @param {any} game @returns {number[]} */
function live({ cubes, resignation }) {
  const still = cubes.filter(
    (/** @type {any} */ c) => c.result === null && !c.extra && !resignation.waiting.includes(c.cube),
  );
  return still.map((/** @type {any} */ c) => c.cube);
}
