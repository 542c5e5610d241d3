// @ts-check
/**
 * The grades in a replay: the course of a game as a graph with its mistakes and its luck, a button to the next mistake,
 * a card for each, the worst and the luckiest rolls as lists of sentences. What others may not see is not in the page.
 */
import { byId, h, put, setAttr, setText, svg } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";
import { deeperLook } from "games/replay/deeper.js";

const WIDTH = 300;
const HEIGHT = 44;
const LARGE = 0.08;
const TIP = 6;
const LUCKIEST = 5;

/** @typedef {{text: string, equity: string, mark: string}} Way */
/** @typedef {{who: string, chosen: string, best: string, cost: string, ways: Way[]}} Card */
/**
 * @typedef {{seq: number, seat: number, row: number, error: number, text: string, card: Card | null, played: string,
 *   better: string, study: string, deeper: string}} Mistake
 */
/** @typedef {{seq: number, points: number, text: string}} Luck */
/**
 * @typedef {{first: number, ended: number, made_with: string, label: string, course: [number, number][],
 *   mistakes: Mistake[], worst: number[], luck: Luck[]}} Graded
 */

export class Grades {
  /**
   * @param {Graded[]} games
   * @param {string} deeper the address at which a deeper look is asked for, "" where none could find more
   * @param {(seq: number, isStep?: boolean, mistake?: Mistake) => void} go shows an entry, with one of its mistakes
   */
  constructor(games, deeper, go) {
    this.games = games;
    this.deeper = deeper;
    this.go = go;
    this.all = games.flatMap(({ mistakes }) => mistakes);
    /** @type {Graded | undefined} */
    this.game = undefined;
    this.at = 0;
    /** @type {Mistake | null} */
    this.mistake = null;
    this.cursor = svg("line", { class: "now", y1: 0, y2: HEIGHT });
    this.graph = byId("replay-graph");
    this.next = byId("replay-mistake");
    this.next.disabled = this.all.length === 0;
    this.next.addEventListener("click", () => this.#jump());
    this.info = byId("replay-info");
    this.info.addEventListener("click", () => this.#inform(byId("replay-more").hidden));
  }

  /**
   * Show the grades of the game in hand, where the replay is, and the mistake that comes next.
   * @param {{first: number, last: number}} span
   * @param {number} seq
   * @param {Mistake | null} mistake
   */
  show(span, seq, mistake) {
    const game = this.games.find((each) => each.first === span.first);
    if (game !== this.game) this.#draw(game, span);
    this.game = game;
    this.at = seq;
    const isNew = mistake !== this.mistake;
    this.mistake = mistake;
    if (isNew) this.#lay(mistake, game);
    const x = this.#x(seq, span);
    for (const name of ["x1", "x2"]) setAttr(this.cursor, name, String(x));
    for (const id of ["replay-worst", "replay-luck"]) {
      for (const line of byId(id).querySelectorAll("button"))
        setAttr(line, "aria-current", Number(line.dataset.seq) === seq ? "step" : null);
    }
  }

  /** Return the first mistake that was made right after an entry, null without one. @param {number} seq */
  before(seq) {
    return this.all.find((each) => each.seq === seq) ?? null;
  }

  /** Return the title of a mistake: its number among all of the table. @param {Mistake} mistake */
  titleOf(mistake) {
    const about = { number: this.all.indexOf(mistake) + 1, all: this.all.length };
    return fill(gettext("Mistake %(number)s of %(all)s"), about);
  }

  /** Lay a mistake's card out: what was chosen and what it cost, and what there was to choose. */
  #lay(/** @type {Mistake | null} */ mistake, /** @type {Graded | undefined} */ game) {
    const card = mistake?.card;
    byId("replay-lesson").hidden = !card;
    this.#inform(false);
    if (!mistake || !card || !game) return;
    const { who, chosen, best, cost, ways } = card, list = byId("replay-ways");
    put(byId("replay-choice"), [
      h("strong", {}, who), " ", h("span", { class: "is-chosen" }, chosen), "\u00a0· ",
      h("span", { class: "is-best" }, best), "\u00a0· ", h("strong", { class: "nowrap" }, cost),
    ]);
    setAttr(list, "data-few", !mistake.better);
    put(list, ways.map((way) => h("li", { data: { mark: way.mark } }, h("span", {}, way.text),
      way.mark && h("span", { class: "visually-hidden" }, ` (${list.dataset[way.mark]})`),
      " ", h("span", { class: "nowrap" }, way.equity))));
    const { study, deeper, row, seq } = mistake, acts = byId("replay-acts");
    put(acts, [
      study && h("a", { class: "button quiet", href: study }, acts.dataset.study),
      !deeper && this.deeper && deeperLook(this.deeper, { ended: game.ended, row }, seq),
    ]);
  }

  /** Show what the figures were made with in the place of the ways, or these. @param {boolean} isOpen */
  #inform(isOpen) {
    byId("replay-more").hidden = !isOpen;
    byId("replay-ways").hidden = isOpen || !this.mistake?.card?.ways.length;
    setAttr(this.info, "aria-expanded", String(isOpen));
  }

  /** @param {Graded | undefined} game @param {{first: number, last: number}} span */
  #draw(game, span) {
    this.span = span;
    byId("replay-mistakes").hidden = !game;
    setAttr(this.graph, "hidden", !game?.course.length);
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
    this.graph.replaceChildren(
      svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("polyline", { class: "course", points: points.join(" ") }),
      ...lucky,
      ...marks,
      this.cursor,
    );
    setAttr(this.graph, "aria-label", game.label || null);
    setText(byId("replay-made"), game.made_with);
    byId("replay-none").hidden = game.mistakes.length > 0;
    byId("replay-worst").replaceChildren(...game.worst.map((each) => this.#mistake(game.mistakes[each], game)));
    const luckiest = [...game.luck].sort((a, b) => Math.abs(b.points) - Math.abs(a.points)).slice(0, LUCKIEST);
    byId("replay-luck").replaceChildren(...luckiest.map((each) => this.#line(each)));
    byId("replay-lucky").hidden = !luckiest.length;
  }

  /** Return the line of a mistake, with its study and a deeper look. @param {Mistake} mistake @param {Graded} game */
  #mistake(mistake, game) {
    const { seq, row, study, deeper } = mistake;
    const line = this.#line(mistake, () => this.go(seq, false, mistake));
    if (study) line.append(h("a", { class: "button quiet", href: study }, byId("replay-worst").dataset.study));
    if (!deeper && this.deeper) line.append(deeperLook(this.deeper, { ended: game.ended, row }, seq));
    return line;
  }

  /** Return the line of a mistake or a roll: a button that shows its entry. */
  #line(/** @type {Mistake | Luck} */ { seq, text }, onclick = () => this.go(seq)) {
    return h("li", {}, h("button", { type: "button", class: "button quiet", data: { seq }, onclick }, text));
  }

  /** @param {number} seq @param {{first: number, last: number}} span */
  #x(seq, span) {
    return Math.round(((seq - span.first) / Math.max(span.last - span.first, 1)) * WIDTH * 10) / 10;
  }

  /** Show the next mistake of the table; after the last one the first. */
  #jump() {
    const { all, mistake, at } = this;
    const next = mistake ? all[all.indexOf(mistake) + 1] : all.find(({ seq }) => seq >= at);
    const found = next ?? all[0];
    if (found) this.go(found.seq, false, found);
  }
}
