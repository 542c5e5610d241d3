// @ts-check
/**
 * The picture of a table with a real board: the line with all cubes, large, in the place of the board; of two between
 * their games the score. It can be read from across a room, and does not move.
 */
import { h, put, setAttr, setText, setVars } from "games/kit/page/dom.js";
import { watchRoom } from "games/kit/fit.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { Cube } from "chouette/board/cube.js";
import { cubesIn } from "chouette/team/cubes.js";
import { hasScore, Score } from "chouette/wood/score.js";
import { keepMarks } from "games/kit/page/marks.js";
import { signed } from "games/kit/page/sentences.js";
import { MARKS } from "chouette/marks.js";
import { gameOf, isBetween, isDuel, roleName, shortRole } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Now} Now */

export class Picture {
  constructor() {
    this.head = h("p", { class: "bt-wood-box" });
    this.list = h("ol", { class: "bt-wood-line" });
    this.note = h("p", { class: "bt-wood-note" });
    this.score = new Score();
    this.el = h("section", { class: "bt-board bt-wood", "aria-label": gettext("Line and cubes") },
      this.head, this.list, this.score.el, this.note);
    watchRoom(this.el, "wood");
    keepMarks(MARKS);
    /** @type {Map<number, Row>} */
    this.rows = new Map();
    this.key = "";
  }

  /** @param {Now} now */
  show(now) {
    const { view, seats } = now;
    const isScore = hasScore(view);
    this.list.hidden = isScore;
    this.score.el.hidden = !isScore;
    setText(this.head, isScore ? matchText(view) : headText(view, seats));
    if (isScore) this.score.show(now);
    setText(this.note, view.phase === "over" ? "" : gettext("Dice and checkers are on the table."));
    const isPlaying = view.phase === "playing" && !isBetween(view);
    const cubes = isPlaying ? cubesIn(gameOf(view)).filter((cube) => !cube.extra) : [];
    const order = isPlaying ? cubes.map(({ member }) => member) : idle(view);
    const key = JSON.stringify(order);
    if (key !== this.key) {
      this.key = key;
      this.rows = new Map(order.map((/** @type {number} */ seat) => [seat, this.rows.get(seat) ?? new Row(seat)]));
      put(this.list, [...this.rows.values()].map((row) => row.el));
      setVars(this.list, { "--n": String(order.length) });
    }
    for (const [seat, row] of this.rows) row.show(now, cubes.find(({ member }) => member === seat) ?? null);
  }
}

/**
 * Return the seats to show while no game runs: before the next one its Team, at the end all by points.
 * @param {Chouette.View} view @returns {number[]}
 */
function idle({ phase, line, to_throw: toThrow, totals }) {
  if (phase === "over") return [...line].sort((one, other) => totals[other] - totals[one]);
  return line.slice(toThrow.length ? 0 : 1);
}

/** Return the length of the match, "" without one. @param {Chouette.View} view */
function matchText({ match_length: points }) {
  return points ? fill(gettext("Match to %(points)s"), { points }) : "";
}

/** Return the Box, in words. @param {Chouette.View} view @param {SeatInfo[]} seats */
function headText(view, seats) {
  if (view.phase === "over") return "";
  if (view.to_throw.length) return gettext("One die each: the highest is Box.");
  const box = view.phase === "playing" ? gameOf(view).box : view.line[0];
  if (box === undefined) return "";
  const name = nameOf(seats, box);
  return isDuel(view) ? name : fill(gettext("Box: %(name)s"), { name });
}

/** Return the dice that a seat has thrown for the first line. @param {Chouette.View} view @param {number} seat */
function diceText({ order }, seat) {
  const rolls = order.flatMap((block) => block.rolls);
  return rolls.filter((r) => r.seat === seat).map((r) => r.die).join(" ");
}

/** A member of the line: name, role, and the cube between them and the Box. */
class Row {
  /** @param {number} seat */
  constructor(seat) {
    this.seat = seat;
    this.cube = new Cube();
    this.name = h("b", { class: "bt-wood-name" });
    this.role = h("span", { class: "bt-wood-role" });
    /** The points, while no cube is there. */
    this.total = h("b", { class: "bt-wood-total" });
    this.el = h("li", { class: `bt-wood-row seat-${seat % 12}` },
      h("span", { class: "bt-wood-who" }, this.name, this.role), this.cube.box, this.total);
  }

  /** @param {Now} now @param {Chouette.CubeView | null} cube */
  show({ view, seats, me }, cube) {
    const { role } = view.seats[this.seat];
    const dice = view.to_throw.length ? diceText(view, this.seat) : "";
    const isAhead = view.phase !== "over" && !view.to_throw.length && !isDuel(view);
    const isNext = isAhead && role === "none" && view.line[1] === this.seat;
    const name = view.game?.single && cube?.result === null ? gettext("The Team") : nameOf(seats, this.seat);
    setText(this.name, name);
    setAttr(this.name, "title", name);
    const known = isNext ? "captain" : role === "member" || isDuel(view) ? "" : role;
    setAttr(this.el, "data-thrown", dice !== "");
    setAttr(this.role, "data-short", dice ? null : shortRole(known) || null);
    setText(this.role, dice || roleName(known));
    setAttr(this.el, "data-me", this.seat === me);
    setAttr(this.el, "data-out", cube !== null && cube.result !== null);
    setAttr(this.el, "data-offered", cube !== null && gameOf(view).batch.includes(cube.cube));
    this.cube.box.hidden = cube === null;
    this.total.hidden = cube !== null || dice !== "";
    setText(this.total, signed(view.totals[this.seat]));
    if (cube) this.cube.show(cube, gameOf(view), seats);
  }
}
