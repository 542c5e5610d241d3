// @ts-check
/**
 * The grades in a replay: the course of a game as a graph with its mistakes and its luck, a button to the next mistake,
 * the worst and the luckiest rolls as lists of sentences. What others may not see is not in the page.
 */
import { byId, h, setAttr, setText, svg } from "games/kit/page/dom.js";
import { deeperLook } from "games/replay/deeper.js";

const WIDTH = 300;
const HEIGHT = 60;
const LARGE = 0.08;
const TIP = 6;
const LUCKIEST = 5;

/**
 * @typedef {{seq: number, row: number, error: number, text: string, better: string, study: string,
 *   deeper: string}} Mistake
 */
/** @typedef {{seq: number, points: number, text: string}} Luck */
/**
 * @typedef {{first: number, ended: number, made_with: string, label: string, course: [number, number][],
 *   mistakes: Mistake[], worst: Mistake[], luck: Luck[]}} Graded
 */

export class Grades {
  /**
   * @param {Graded[]} games
   * @param {string} deeper the address at which a deeper look is asked for, "" where none could find more
   * @param {(seq: number) => void} go shows an entry
   */
  constructor(games, deeper, go) {
    this.games = games;
    this.deeper = deeper;
    this.go = go;
    /** @type {Graded | undefined} */
    this.game = undefined;
    this.at = 0;
    this.cursor = svg("line", { class: "now", y1: 0, y2: HEIGHT });
    this.graph = byId("replay-graph");
    this.next = byId("replay-mistake");
    this.next.addEventListener("click", () => this.#jump());
    this.graph.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#pick(event));
  }

  /**
   * Show the grades of the game in hand, and where the replay is.
   * @param {{first: number, last: number}} span
   * @param {number} seq
   */
  show(span, seq) {
    const game = this.games.find((each) => each.first === span.first);
    if (game !== this.game) this.#draw(game, span);
    this.game = game;
    this.at = seq;
    const x = this.#x(seq, span);
    for (const name of ["x1", "x2"]) setAttr(this.cursor, name, String(x));
    for (const id of ["replay-worst", "replay-luck"]) {
      for (const line of byId(id).querySelectorAll("button"))
        setAttr(line, "aria-current", Number(line.dataset.seq) === seq ? "step" : null);
    }
  }

  /**
   * Return the mistakes at an entry.
   * @param {{first: number}} span @param {number} seq
   */
  mistakesAt(span, seq) {
    const game = this.games.find((each) => each.first === span.first);
    return game?.mistakes.filter((each) => each.seq === seq) ?? [];
  }

  /** @param {Graded | undefined} game @param {{first: number, last: number}} span */
  #draw(game, span) {
    this.span = span;
    byId("replay-grades").hidden = byId("replay-mistakes").hidden = !game;
    if (!game) return;
    const most = Math.max(1, ...game.course.map(([, equity]) => Math.abs(equity)));
    const y = (/** @type {number} */ equity) => HEIGHT / 2 - (equity / most) * (HEIGHT / 2 - 4);
    const points = game.course.map(([seq, equity]) => `${this.#x(seq, span)},${y(equity).toFixed(1)}`);
    const gap = (/** @type {[number, number]} */ [at], /** @type {number} */ seq) => Math.abs(at - seq);
    const near = (/** @type {number} */ seq) =>
      game.course.reduce((best, each) => (gap(each, seq) < gap(best, seq) ? each : best), [-Infinity, 0]);
    const marks = game.mistakes.map(({ seq, error, text }) => {
      // A line without length, whose round ends stay round where the graph is stretched.
      const d = `M${this.#x(seq, span)} ${y(near(seq)[1]).toFixed(1)}h0`;
      return svg("path", { class: error >= LARGE ? "error large" : "error", d }, svg("title", {}, text));
    });
    const lucky = game.luck.map(({ seq, points, text }) => {
      // Good luck stands above the graph, bad luck below it, both pointing away from the middle.
      const x = this.#x(seq, span), tip = points > 0 ? 0 : HEIGHT, base = points > 0 ? TIP : HEIGHT - TIP;
      const d = `M${x - TIP / 2} ${base}L${x} ${tip}L${x + TIP / 2} ${base}z`;
      return svg("path", { class: "luck", d }, svg("title", {}, text));
    });
    setAttr(this.graph, "hidden", game.course.length === 0);
    this.graph.replaceChildren(
      svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("polyline", { class: "course", points: points.join(" ") }),
      ...lucky,
      ...marks,
      this.cursor,
    );
    setAttr(this.graph, "aria-label", game.label || null);
    setText(byId("replay-label"), game.label);
    setText(byId("replay-made"), game.made_with);
    this.next.disabled = game.mistakes.length === 0;
    byId("replay-none").hidden = game.mistakes.length > 0;
    byId("replay-worst").replaceChildren(...game.worst.map((each) => this.#mistake(each, game)));
    const luckiest = [...game.luck].sort((a, b) => Math.abs(b.points) - Math.abs(a.points)).slice(0, LUCKIEST);
    byId("replay-luck").replaceChildren(...luckiest.map((each) => this.#line(each)));
    byId("replay-lucky").hidden = !luckiest.length;
  }

  /** Return the line of a mistake, with its study and a deeper look. @param {Mistake} mistake @param {Graded} game */
  #mistake(mistake, game) {
    const { seq, row, study, deeper } = mistake;
    const line = this.#line(mistake);
    if (study) line.append(h("a", { class: "button quiet", href: study }, byId("replay-worst").dataset.study));
    if (!deeper && this.deeper) line.append(deeperLook(this.deeper, { ended: game.ended, row }, seq));
    return line;
  }

  /** Return the line of a mistake or a roll: a button that shows its entry. @param {Mistake | Luck} line */
  #line({ seq, text }) {
    const onclick = () => this.go(seq);
    return h("li", {}, h("button", { type: "button", class: "button quiet", data: { seq }, onclick }, text));
  }

  /** @param {number} seq @param {{first: number, last: number}} span */
  #x(seq, span) {
    return Math.round(((seq - span.first) / Math.max(span.last - span.first, 1)) * WIDTH * 10) / 10;
  }

  /** Show the next mistake of the game; after the last one the first. */
  #jump() {
    const found = this.game?.mistakes ?? [];
    const next = found.find(({ seq }) => seq > this.at) ?? found[0];
    if (next) this.go(next.seq);
  }

  /** Show the entry below the pointer. @param {MouseEvent} event */
  #pick(event) {
    if (!this.span) return;
    const box = this.graph.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    this.go(Math.round(this.span.first + share * (this.span.last - this.span.first)));
  }
}
