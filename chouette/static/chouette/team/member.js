// @ts-check
/** One player of the list. */
import { h, put, setAttr, setText } from "games/kit/page/dom.js";
import { nameOf, showPresence } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { Cube } from "chouette/board/cube.js";
import { Later } from "chouette/sheet/later.js";
import { Throws } from "chouette/team/throws.js";
import { signed } from "games/kit/page/sentences.js";
import { askedIn, gameOf, isDuel, roleName, shortRole, statusName } from "chouette/words/words.js";

/** Letters of a pill beside which a cube has room on a phone. */
const WIDE = 6;
/** Letters of an answer that leaves room for the points: "→ 16". */
const SHORT_WORD = 4;

/** @typedef {import("chouette/table.js").Now} Now */
/**
 * What the Box has chosen for a seat's cube so far; `press` goes on to the next choice.
 * @typedef {object} Answer
 * @property {number} seat
 * @property {"drop" | "take" | "beaver" | "double" | undefined} way
 * @property {string} word
 * @property {string} label the same for who does not see the tile
 * @property {boolean} [pressed]
 * @property {() => void} press
 */

export class Member {
  /** @param {number} seat */
  constructor(seat) {
    this.seat = seat;
    this.dot = h("span", { class: "bt-dot presence" });
    this.name = h("b", { class: "bt-name" });
    this.mark = h("span", { class: "bt-mark", role: "img" });
    /** The role in a word; for a member the two letters on the board and on the sheet. */
    this.badge = h("span", { class: "bt-badge" });
    this.total = h("span", { class: "bt-total" });
    this.stakes = h("span", { class: "bt-stakes", "data-word": "cube" });
    this.throws = new Throws(seat);
    /** Few tables have game clocks. */
    this.clock = new Later("bt-clock", () => import("chouette/team/game_clock.js"),
      ({ GameClock }) => new GameClock(seat), ({ view }) => view.clock !== null);
    /** @type {Map<number, Cube>} */
    this.cubes = new Map();
    const head = h("span", { class: "bt-mate-who" }, this.dot, this.name, this.clock.el);
    this.stakes.append(this.throws.el);
    this.answer = h("span", { class: "bt-mate-answer" });
    this.tap = h("button", { type: "button", class: "bt-mate-tap", hidden: true }, this.answer);
    this.tap.addEventListener("click", () => this.press?.());
    const inside = [head, this.badge, this.stakes, this.total, this.mark, this.tap];
    this.el = h("li", { class: `bt-mate seat-${seat % 12}` }, inside);
  }

  /**
   * @param {Now} now
   * @param {boolean} isAwaited @param {string} letters @param {Chouette.CubeView[]} cubes of this seat
   */
  show(now, isAwaited, letters, cubes) {
    const { view, seats, me } = now;
    const name = nameOf(seats, this.seat);
    setText(this.name, name);
    setAttr(this.name, "title", name);
    setAttr(this.el, "data-me", this.seat === me);
    setAttr(this.el, "data-turn", !now.hasEnded && isTurn(view, this.seat, isAwaited));
    setAttr(this.el, "data-status", view.seats[this.seat].status);
    this.#badge(view, letters);
    showPresence(this.dot, seats.find((s) => s.seat === this.seat));
    this.#mark(view, isAwaited);
    this.#total(view);
    this.#cubes(now, cubes);
    this.throws.show(now.view);
    this.clock.show(now);
  }

  /** Let the whole tile be tapped to answer this seat's double, or to double it. @param {Answer | null} answer */
  showAnswer(answer) {
    this.tap.hidden = !answer;
    this.press = answer?.press;
    if (!answer) return;
    setText(this.answer, answer.word);
    setAttr(this.tap, "data-way", answer.way ?? null);
    setAttr(this.tap, "data-short", answer.word.length <= SHORT_WORD);
    setAttr(this.tap, "aria-label", answer.label);
    setAttr(this.tap, "aria-pressed", answer.pressed === undefined ? null : String(answer.pressed));
  }

  /** @param {Chouette.View} view @param {string} letters */
  #badge(view, letters) {
    const { role, status } = view.seats[this.seat];
    const isDeputy = role === "member" && gameOf(view).deputies.team === this.seat;
    const known = role === "none" ? nextRole(view, this.seat) : isDeputy ? "deputy" : role;
    const word = statusName(status) || (isDuel(view) ? checkers(known) : known === "member" ? "" : roleName(known));
    setAttr(this.badge, "data-role", statusName(status) ? status : known);
    setAttr(this.badge, "data-word", isDuel(view) || statusName(status) || known === "none" ? null : known);
    const short = (isDuel(view) ? word : shortRole(known)) || letters;
    setAttr(this.badge, "data-short", short);
    setAttr(this.el, "data-pill", short.length > WIDE ? "wide" : null);
    setAttr(this.el, "data-role", known);
    setText(this.badge, word || letters);
  }

  /**
   * Show a mark for having spoken or answered, never the word itself.
   * @param {Chouette.View} view @param {boolean} isAwaited
   */
  #mark(view, isAwaited) {
    const text = isAwaited ? gettext("is asked") : done(view, this.seat);
    setAttr(this.mark, "data-mark", isAwaited ? "asked" : text && "done");
    setAttr(this.mark, "aria-label", text);
    setAttr(this.mark, "title", text);
    this.mark.hidden = text === "";
  }

  /** @param {Chouette.View} view */
  #total(view) {
    const { score, match_length: length } = view;
    setText(this.total, score ? String(score[this.seat]) : signed(view.totals[this.seat]));
    const sentence = score ? gettext("%(points)s of %(length)s points") : gettext("%(points)s points so far");
    const params = { points: this.total.textContent ?? "", length: length ?? 0 };
    setAttr(this.total, "title", fill(sentence, params));
    setAttr(this.total, "data-sign", score ? "0" : String(Math.sign(view.totals[this.seat])));
  }

  /** @param {Now} now @param {Chouette.CubeView[]} mine */
  #cubes({ view, seats }, mine) {
    const known = mine.map((c) => c.cube);
    if (known.join() !== [...this.cubes.keys()].join()) {
      this.cubes = new Map(known.map((/** @type {number} */ i) => [i, this.cubes.get(i) ?? new Cube()]));
      put(this.stakes, [...this.cubes.values()].map((cube) => cube.box), this.throws.el);
    }
    for (const cube of mine) this.cubes.get(cube.cube)?.show(cube, gameOf(view), seats);
  }
}

/** Return the checkers' colour, which tells two players apart: they are no Box and Captain. @param {string} role */
function checkers(role) {
  if (role === "box") return gettext("dark");
  return role === "captain" || role === "stand_in" ? gettext("light") : "";
}

/**
 * Tell whether it is a seat's turn; while a double or a resignation waits, the turn is that of the awaited seats, and
 * whoever is asked something by others is waited for beside it.
 * @param {Chouette.View} view
 * @param {number} seat
 * @param {boolean} isAwaited
 */
function isTurn(view, seat, isAwaited) {
  const { game } = view;
  if (view.phase !== "playing" || !game || game.on_roll === null) return isAwaited;
  if (game.resignation || ["answers", "replies"].includes(game.stage)) return isAwaited;
  return game.on_roll === seat || askedIn(view).includes(seat);
}

/** Return the role of a seat in the next game, between two games. @param {Chouette.View} view @param {number} seat */
function nextRole(view, seat) {
  if (view.to_throw.length) return "none";
  const place = view.line.indexOf(seat);
  return ["box", "captain"][place] ?? (place > 1 ? "member" : "none");
}

/**
 * @param {Chouette.View} view
 * @param {number} seat
 * @returns {string} what they have done already while others are still awaited, "" for nothing
 */
function done({ phase, game }, seat) {
  if (phase !== "playing" || !game) return "";
  const held = (/** @type {number[]} */ list) => list.some((i) => game.cubes[i].holder === seat);
  if (game.window && held(game.window.spoken)) return gettext("has spoken");
  if (game.resignation) return game.resignation.by === game.box && held(live(game)) ? gettext("has answered") : "";
  if (game.stage === "answers" && game.turn === "box" && held(game.answered)) return gettext("has answered");
  return game.stage === "opening" && game.opening.some((o) => o.seat === seat)
    ? gettext("has rolled")
    : "";
}

/** Return the cubes in the game whose holders have answered. @param {Chouette.GameView} game @returns {number[]} */
function live({ cubes, resignation }) {
  const still = cubes.filter(
    (c) => c.result === null && !c.extra && !resignation?.waiting.includes(c.cube),
  );
  return still.map((c) => c.cube);
}
