// @ts-check
/** The score sheet: a column for each player, a row for each game and correction. */
import { h, put, setAttr, setText, setVars } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";
import { nameOf, twoLetters } from "games/kit/seats.js";
import { andList, fill } from "games/kit/page/text.js";
import { Line, role } from "chouette/line.js";
import { Correction } from "chouette/sheet/correction.js";
import { PositionText } from "chouette/sheet/position.js";
import { group, shortNames } from "chouette/sheet/rows.js";
import { signed } from "games/kit/page/sentences.js";
import { sign, timeText } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */

/** Width of a column in rem: for a name, and for two numbers side by side. */
const NAME_REM = 3.25;
const PAIR_REM = 5.6;

export class Sheet {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    /** @type {import("chouette/sheet/results_wood.js").Results | null} */
    this.results = null;
    this.line = new Line();
    this.correction = new Correction(acts);
    this.position = new PositionText();
    this.head = h("thead", {});
    this.totals = h("tr", {});
    this.check = h("td", { class: "bt-sheet-check" });
    this.foot = h("tfoot", {}, this.totals, h("tr", {}, this.check));
    this.table = h("table", { class: "bt-sheet-table" }, this.head, this.foot);
    this.scroll = h(
      "div",
      { class: "bt-sheet-scroll", tabindex: 0, role: "group", "aria-label": gettext("Score sheet") },
      this.table,
    );
    this.el = h(
      "section",
      { class: "bt-sheet", "aria-label": gettext("Score sheet") },
      this.scroll,
      this.line.el,
      this.correction.el,
      this.position.el,
    );
    /** @type {Set<number>} */
    this.opened = new Set();
    /** The seats across. @type {number[]} */
    this.columns = [];
    this.keys = { head: "", rows: "" };
    new ResizeObserver(() => this.#fit()).observe(this.el);
  }

  /** @param {Now} now */
  show(now) {
    const { view } = now;
    this.columns = view.seats
      .filter((s) => s.status !== "watching")
      .map((s) => s.seat);
    this.line.show(now);
    this.correction.show(now);
    this.position.show(now);
    this.#showHead(now);
    this.#showRows(now);
    this.#showCheck(now);
    this.#showResults(now);
  }

  /** Show what is said of results under the sheet of a match on a real board. @param {Now} now */
  async #showResults(now) {
    if (now.view.format !== "match" || now.view.options.board !== "wood") return;
    const { Results } = await fetched(() => import("chouette/sheet/results_wood.js"));
    if (!this.results) this.correction.el.after((this.results = new Results(this.acts)).el);
    this.results.show(now);
  }

  /** @param {Now} now */
  #showHead({ view, seats }) {
    const roles = this.columns.map((seat) =>
      view.phase === "playing" ? role(view, seat) : next(view, seat),
    );
    const names = this.columns.map((seat) => nameOf(seats, seat));
    const people = this.columns.map((seat) => peopleOf(seats, seat));
    const totals = this.columns.map((seat) => (view.score ?? view.totals)[seat]);
    const key = JSON.stringify([roles, people, totals, view.phase, view.line]);
    if (key === this.keys.head) return;
    this.keys.head = key;
    const [shorts, briefs] = [shortNames(names), twoLetters(names)];
    const box = view.line[0],
      hasRoles = view.format === "chouette";
    put(
      this.head,
      h(
        "tr",
        {},
        corner("col", gettext("Game"), "#"),
        this.columns.map((seat, i) =>
          h(
            "th",
            {
              scope: "col",
              class: `seat-${seat % 12}`,
              title: people[i],
              data: { box: hasRoles && seat === box ? "yes" : "no" },
            },
            h("span", { class: "visually-hidden" }, people[i]),
            h("span", { class: "bt-sheet-long", "aria-hidden": "true" }, shorts[i]),
            h("span", { class: "bt-sheet-brief", "aria-hidden": "true" }, briefs[i]),
            hasRoles && roles[i] && h("small", {}, roles[i]),
          ),
        ),
      ),
    );
    put(
      this.totals,
      corner("row", view.score ? gettext("Score") : gettext("Total"), "="),
      totals.map((/** @type {number} */ total) =>
        h("td", { data: { sign: view.score ? "zero" : sign(total) } }, view.score ? String(total) : signed(total)),
      ),
    );
    setAttr(this.check, "colspan", String(this.columns.length + 1));
    setVars(this.table, { "--cols": this.columns.length });
  }

  /** @param {Now} now */
  #showRows({ view, seats }) {
    const key = JSON.stringify([view.sheet, seats.map(({ name, before }) => [name, before]), this.columns]);
    if (key === this.keys.rows) return;
    this.keys.rows = key;
    const held = /** @type {HTMLElement | null} */ (
      this.table.contains(document.activeElement) ? document.activeElement : null
    )?.dataset.row;
    for (const body of [...this.table.tBodies]) body.remove();
    const bodies = view.sheet.map((row, i) =>
      group({
        row,
        i,
        seats,
        columns: this.columns,
        isOpen: this.opened.has(i),
        toggle: (open) => this.#remember(i, open),
      }),
    );
    this.foot.before(...bodies);
    if (held !== undefined) /** @type {HTMLElement | null} */ (
      this.table.querySelector(`button[data-row="${held}"]`)
    )?.focus({ preventScroll: true });
    this.isNew = true;
    this.#fit();
  }

  /** @param {number} i @param {boolean} open */
  #remember(i, open) {
    if (open) this.opened.add(i);
    else this.opened.delete(i);
  }

  /** Show the sum of all totals, which has to be 0; in a match its length instead. @param {Now} now */
  #showCheck({ view, clocks }) {
    const sum = view.totals.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
    const isRight = sum === 0 && view.sheet.every((row) => row.check === 0);
    const text = view.score
      ? matchTo(view, clocks)
      : fill(gettext("Sum %(sum)s"), { sum: signed(sum) }) + (isRight ? " ✓" : " ✗");
    setText(this.check, text);
    setAttr(this.check, "data-right", view.score ? null : isRight ? "yes" : "no");
  }

  /** Choose long or short names by the width of the columns. */
  #fit() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const column = this.el.clientWidth / ((this.columns.length || 2) + 1) / rem;
    setAttr(this.el, "data-columns", column < NAME_REM ? "tight" : column < PAIR_REM ? "mid" : "wide");
    this.#toNewest();
  }

  /** Scroll to the newest row once for new rows, as soon as the sheet can scroll. */
  #toNewest() {
    if (!this.isNew || !this.scroll.clientHeight) return;
    this.isNew = false;
    this.scroll.scrollTop = this.scroll.scrollHeight;
  }
}

/**
 * Return the people of a column: all that was ever won on a seat stands there, whoever sat on it.
 * @param {SeatInfo[]} seats @param {number} seat
 */
function peopleOf(seats, seat) {
  const name = nameOf(seats, seat);
  const { before = [] } = seats.find((one) => one.seat === seat) ?? {};
  const names = new Set(before.map((one) => nameOf([{ ...one, seat, player: null, bot: "" }], seat)));
  names.delete(name);
  return names.size ? fill(gettext("%(names)s, now %(name)s"), { names: andList([...names]), name }) : name;
}

/** @param {"row" | "col"} scope @param {string} word @param {string} short a sign for little room */
function corner(scope, word, short) {
  return h(
    "th",
    { scope },
    h("span", { class: "visually-hidden" }, word),
    h("span", { class: "bt-sheet-long", "aria-hidden": "true" }, word),
    h("span", { class: "bt-sheet-brief", "aria-hidden": "true" }, short),
  );
}

/**
 * Return the role of a seat in the next game: Box, Captain or none.
 * @param {Chouette.View} view @param {number} seat
 */
function next(view, seat) {
  if (view.phase === "over" || view.to_throw.length) return "";
  return [gettext("Box"), gettext("Captain")][view.line.indexOf(seat)] ?? "";
}

/** @param {Chouette.View} view @param {Record<string, number>} clocks */
function matchTo(view, clocks) {
  const text = fill(gettext("Match to %(points)s"), { points: view.match_length ?? 0 });
  const parts = [text, view.crawford && gettext("Crawford game: no doubling"), timeText(view, clocks)];
  return parts.filter(Boolean).join(" · ");
}
