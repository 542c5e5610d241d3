// @ts-check
/**
 * The room that an element has: the names of its sizes as words of `data-fit`, and a hundredth of its width and of its
 * height as custom properties. A style sheet asks for them, `:where([data-fit~=narrow]) .x` and `24 * var(--felt-w)`,
 * where it would ask a container: that is younger than the oldest browsers in which a table is played.
 */
import { setAttr, setVars } from "games/kit/page/dom.js";

/**
 * @typedef {object} Room the content box of an element
 * @property {number} width in CSS pixels
 * @property {number} height
 * @property {number} ratio width by height
 * @property {number} text the size of the page's letters, in CSS pixels
 */

/** @typedef {Record<string, (room: Room) => boolean>} Sizes when an element has which size, by the sizes' names */

/** @type {WeakMap<Element, {name: string, sizes: Sizes}>} */
const watched = new WeakMap();

// Told after the layout and before the frame is painted: nobody sees an element with the sizes of another room. Those
// within one that has changed are told in the same frame.
const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) fit(target, contentRect);
});

/**
 * Keep the sizes of an element written on it from the next frame on: `data-fit`, and `--<name>-w` and `--<name>-h`. Its
 * own size must not depend on them (`contain: size`, or a place in a grid).
 * @param {HTMLElement} element
 * @param {string} name of its custom properties: those of an element around it are read inside it, too
 * @param {Sizes} [sizes]
 */
export function watchRoom(element, name, sizes = {}) {
  watched.set(element, { name, sizes });
  observer.observe(element);
}

/**
 * Write the sizes of an element at once: for what is measured before the next frame.
 * @param {HTMLElement} element one that is watched and has neither border nor padding
 */
export function fitNow(element) {
  fit(element, element.getBoundingClientRect());
}

/** @param {Element} element @param {{width: number, height: number}} room */
function fit(element, { width, height }) {
  const known = watched.get(element);
  // What is not drawn keeps its sizes: it comes back into the same room.
  if (!known || (!width && !height)) return;
  const text = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const { name, sizes } = known, room = { width, height, ratio: width / height, text };
  const fitting = Object.keys(sizes).filter((size) => sizes[size](room));
  setAttr(element, "data-fit", fitting.join(" ") || null);
  const hundredths = { [`--${name}-w`]: `${width / 100}px`, [`--${name}-h`]: `${height / 100}px` };
  setVars(/** @type {HTMLElement} */ (element), hundredths);
}
