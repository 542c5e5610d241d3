// @ts-check
/** A greeting flies to the seat of whoever says it, and stands there for a moment. */
import { h, setVars } from "games/kit/page/dom.js";
import { isCalm } from "games/kit/page/motion.js";

const STAYS_MS = 2600;
/** Pixels between it and the edge of the screen. */
const EDGE = 4;

/** The greetings that stand at seats. @type {Map<Element, HTMLElement>} */
const standing = new Map();

/** @param {string} text @param {Element} seat */
export function fly(text, seat) {
  standing.get(seat)?.remove();
  const words = h("span", { class: "greeting", "aria-hidden": "true" }, text);
  document.body.append(words);
  standing.set(seat, words);
  const { left, top, width, height } = seat.getBoundingClientRect(), { offsetWidth, offsetHeight } = words;
  const x = Math.max(EDGE, Math.min(left + (width - offsetWidth) / 2, innerWidth - offsetWidth - EDGE));
  const y = Math.max(EDGE, top + (height - offsetHeight) / 2);
  setVars(words, { "--x": `${Math.round(x)}px`, "--y": `${Math.round(y)}px` });
  const there = `translate(${x}px, ${y}px)`, from = `translate(${(innerWidth - offsetWidth) / 2}px, ${innerHeight}px)`;
  const flight = [
    { transform: from, opacity: 0 },
    { transform: there, opacity: 1, offset: 0.2 },
    { transform: there, opacity: 1, offset: 0.9 },
    { transform: there, opacity: 0 },
  ];
  const still = [{ opacity: 1 }, { opacity: 1 }];
  words.animate(isCalm() ? still : flight, { duration: STAYS_MS }).onfinish = () => {
    words.remove();
    if (standing.get(seat) === words) standing.delete(seat);
  };
}
