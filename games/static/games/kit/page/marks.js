// @ts-check
/**
 * What boxes of the page hold, as words of their `data-has`. A style sheet asks for them, `.ct-seat[data-has~="mats"]`,
 * where it would ask `.ct-seat:has(.ct-stack:not([hidden]))`: that is younger than the oldest browsers in which a table
 * is played.
 */
import { setAttr } from "games/kit/page/dom.js";

/**
 * @typedef {Record<string, Record<string, string>>} Marks boxes, by their selector: word → selector of what they then
 * hold, from `:scope` on
 */

/** What changes of attributes can change a mark; `data-has` must not be among them. */
const ATTRIBUTES = [
  "class", "hidden", "data-act", "data-begun", "data-kind", "data-long", "data-many", "data-n", "data-open",
  "data-phase", "data-place", "data-plays", "data-short",
];

/** @type {Marks[]} */
const all = [];

// Told before the next frame is worked out: nobody sees a box with the marks of what it held before.
const observer = new MutationObserver(markNow);

/**
 * Keep the marks of boxes written from now on, also of those that come later.
 * @param {Marks} marks
 */
export function keepMarks(marks) {
  if (all.includes(marks)) return;
  all.push(marks);
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ATTRIBUTES });
  markNow();
}

/** Write all marks at once: for what is measured before the next frame. */
export function markNow() {
  /** @type {Map<Element, string[]>} */
  const words = new Map([...document.querySelectorAll("[data-has]")].map((box) => [box, []]));
  for (const [selector, marks] of all.flatMap((each) => Object.entries(each))) {
    for (const box of document.querySelectorAll(selector)) {
      const held = Object.keys(marks).filter((word) => box.querySelector(marks[word]));
      words.set(box, [...(words.get(box) ?? []), ...held]);
    }
  }
  for (const [box, held] of words) setAttr(box, "data-has", held.join(" ") || null);
}
