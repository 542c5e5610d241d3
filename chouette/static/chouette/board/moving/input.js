// @ts-check
/** Fingers, mouse and keys on the board; the board decides the effect of each place. */
import { W } from "chouette/board/geometry.js";

/**
 * @typedef {object} Hands the board's handlers
 * @property {() => boolean} canPlay
 * @property {() => import("chouette/board/geometry.js").Layout} layout
 * @property {(isPickingUp: boolean) => number[]} places that can be used now
 * @property {(place: number, isByKey: boolean) => void} tap
 * @property {(x: number, y: number) => boolean} touch a tap that may be on a die or an arrow; whether it was
 * @property {(place: number) => boolean} lift a drag begins
 * @property {(x: number, y: number) => void} carry
 * @property {(place: number | null) => void} drop
 * @property {() => void} undo
 * @property {() => boolean} release puts the held checker down; whether there was one
 */

const DRAG_FROM = 7, REACH = 22, DROP_REACH = 60;

export class Input {
  /** @param {import("chouette/board/moving/grid.js").Grid} grid @param {Hands} hands */
  constructor(grid, hands) {
    this.grid = grid;
    this.hands = hands;
    /** @type {{id: number, x: number, y: number, isDrag: boolean} | null} */
    this.down = null;
    this.lastUp = -Infinity;
    /**
     * @template {keyof HTMLElementEventMap} Type
     * @param {Type} type @param {(event: HTMLElementEventMap[Type]) => void} act
     */
    const on = (type, act) => grid.el.addEventListener(type, act);
    on("pointerdown", (event) => this.#pressed(event));
    on("pointermove", (event) => this.#moved(event));
    on("pointerup", (event) => this.#lifted(event));
    on("pointercancel", () => this.#cancel());
    on("click", (event) => this.#clicked(event));
    on("keydown", (event) => this.#key(event));
    // The browser's own dragging of a selection would capture the pointer.
    on("dragstart", (event) => event.preventDefault());
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    this.down = { id: event.pointerId, x: event.clientX, y: event.clientY, isDrag: false };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const { down } = this;
    if (!down || event.pointerId !== down.id || !this.hands.canPlay()) return;
    if (!down.isDrag && Math.hypot(event.clientX - down.x, event.clientY - down.y) > DRAG_FROM) this.#begin(down);
    if (!down.isDrag) return;
    const { x, y } = this.#at(event.clientX, event.clientY);
    this.hands.carry(x, y);
  }

  /** @param {{id: number, x: number, y: number, isDrag: boolean}} down */
  #begin(down) {
    const { x, y } = this.#at(down.x, down.y);
    const place = this.hands.layout().nearest(this.hands.places(true), x, y, REACH);
    if (place === null || !this.hands.lift(place)) {
      this.down = null;
      return;
    }
    down.isDrag = true;
    this.grid.el.setPointerCapture(down.id);
  }

  /** @param {PointerEvent} event */
  #lifted(event) {
    const { down } = this;
    if (!down || event.pointerId !== down.id) return;
    this.down = null;
    this.lastUp = event.timeStamp;
    const { x, y } = this.#at(event.clientX, event.clientY);
    const layout = this.hands.layout();
    if (down.isDrag) return this.hands.drop(layout.nearest(this.hands.places(false), x, y, DROP_REACH));
    if (!this.hands.canPlay() || this.hands.touch(x, y)) return;
    this.hands.tap(layout.nearest(this.hands.places(false), x, y, REACH) ?? layout.placeAt(x, y), false);
  }

  #cancel() {
    if (this.down?.isDrag) this.hands.drop(null);
    this.down = null;
  }

  /** Handle a click without a pointer, by a screen reader. @param {MouseEvent} event */
  #clicked(event) {
    if (event.timeStamp - this.lastUp < 700 || !this.hands.canPlay()) return;
    const place = placeUnder(event.target);
    if (place !== null) this.hands.tap(place, true);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.grid.arrow(event.key) && !this.#act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key was used */
  #act({ key, target }) {
    if (!this.hands.canPlay()) return false;
    const place = placeUnder(target);
    if ((key === "Enter" || key === " ") && place !== null) this.hands.tap(place, true);
    else if (key === "u" || key === "Backspace") this.hands.undo();
    else return key === "Escape" && this.hands.release();
    return true;
  }

  /** Return a position in units of the drawing. @param {number} clientX @param {number} clientY */
  #at(clientX, clientY) {
    const box = this.grid.el.getBoundingClientRect();
    return { x: ((clientX - box.left) / box.width) * W, y: ((clientY - box.top) / box.width) * W };
  }
}

/** @param {EventTarget | null} target */
function placeUnder(target) {
  const { place } = target instanceof HTMLElement ? target.dataset : {};
  return place === undefined ? null : Number(place);
}
