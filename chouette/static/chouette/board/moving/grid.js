// @ts-check
/**
 * The board for keyboards and screen readers: a grid of two rows over the drawing, one cell for
 * each place, one of them with the focus. Only the focus is visible.
 */
import { h, setAttr, setVars } from "games/kit/page/dom.js";
import { OFF } from "chouette/board/state.js";
import { ROWS, W, columnBeside, columnBox } from "chouette/board/geometry.js";

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -13], End: [0, 13],
});

export class Grid {
  constructor() {
    /** @type {Map<number, HTMLElement>} */
    this.cells = new Map(ROWS.flatMap((row, r) => row.map((place) => [place, cell(place, r)])));
    this.lay();
    const rows = ROWS.map((row) =>
      h(
        "div",
        { role: "row", class: "bt-cells" },
        row.map((place) => this.cells.get(place) ?? null),
      ),
    );
    this.el = h(
      "div",
      { class: "bt-grid", role: "grid", "aria-label": gettext("Board"), "aria-readonly": "true" },
      rows,
    );
    this.current = 6;
    this.el.addEventListener("focusin", (/** @type {FocusEvent} */ event) => {
      const place = Number(/** @type {HTMLElement} */ (event.target).dataset.place);
      if (!Number.isNaN(place)) this.current = place;
      this.#rove();
    });
  }

  /**
   * @param {(place: number) => string} label
   * @param {(place: number) => boolean} isHeld
   * @param {boolean} isTv on a big screen nothing takes the focus
   */
  show(label, isHeld, isTv) {
    this.isTv = isTv;
    for (const [place, el] of this.cells) {
      setAttr(el, "aria-label", label(place));
      setAttr(el, "aria-selected", String(isHeld(place)));
    }
    this.#rove();
  }

  /** Move the focus by a key. @param {string} key @returns {boolean} whether it was an arrow key */
  arrow(key) {
    const step = STEPS[key];
    if (!step) return false;
    const row = ROWS.findIndex((places) => places.includes(this.current));
    const column = ROWS[row].indexOf(this.current);
    const clamp = (/** @type {number} */ n, /** @type {number} */ most) => Math.min(most, Math.max(0, n));
    this.focus(ROWS[clamp(row + step[0], 1)][clamp(columnBeside(column, step[1]), 13)]);
    return true;
  }

  /** Put the cells over the drawing. */
  lay() {
    for (const row of ROWS) row.forEach((place, column) => {
      const { x, width } = columnBox(column);
      setVars(/** @type {HTMLElement} */ (this.cells.get(place)), { "--x": x / W, "--w": width / W });
    });
  }

  /** @param {number} [place] */
  focus(place = this.current) {
    this.cells.get(place)?.focus({ preventScroll: true });
  }

  #rove() {
    for (const [place, el] of this.cells)
      setAttr(el, "tabindex", this.isTv ? null : place === this.current ? "0" : "-1");
  }
}

/** @param {number} place @param {number} row */
function cell(place, row) {
  const el = h("div", { class: "bt-cell", role: "gridcell", tabindex: place === OFF ? -1 : null, data: { place } });
  setVars(el, { "--row": row });
  return el;
}
