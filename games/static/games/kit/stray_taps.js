// @ts-check
/**
 * Stray taps: what was meant for a button that stood there a moment ago. A button that has come, or has spread to where
 * it was not, is deaf there for a moment; longer if it costs something or somebody else has asked: `data-grave` on it
 * or around it. Where it stood all the time it hears, unless a sheet lay over the page and has closed, which may be by
 * itself: then it is deaf for a moment, too. Our own keys, which name the act, are always heard.
 */
import { setAttr } from "games/kit/page/dom.js";

/** Milliseconds for which a button is deaf. */
export const DEAF_MS = 400, GRAVE_MS = 1000;
/** Milliseconds between two looks for as long after a change: what slides moves buttons without one. */
const LOOK_MS = 100, LIVELY_MS = 3000;
/** Pixels that a button may spread and count as unmoved. */
const SLACK = 8;

/** The buttons that are watched: what is said in the chat costs nothing. */
const WATCHED = "button:not(.chat-greetings *, .chat-form *)";

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/**
 * Where a button is, until when it is deaf there; where it hears meanwhile, as it stood there before, and since when.
 * `scroll` is by how much what it stands in was scrolled.
 * @typedef {{act: string | undefined, box: DOMRect, scroll: number, until: number, sure: Box, since: number}} Stand
 */

/** No place. @type {Box} */
const NOWHERE = { left: 0, top: 0, right: 0, bottom: 0 };

export class StrayTaps {
  timer = 0;
  /** Until when buttons are looked at again and again. */
  lively = 0;
  /** When and where the pointer went down last. */
  down = { at: 0, x: 0, y: 0 };
  /** @type {WeakMap<Element, Stand>} */
  stands = new WeakMap();

  /** @param {HTMLElement} root the element whose buttons are watched */
  constructor(root) {
    this.root = root;
    // Not only before the next frame: a tap may come first.
    new MutationObserver(this.#changed).observe(root, { subtree: true, childList: true, attributes: true });
    new ResizeObserver(this.#changed).observe(root);
    const sheets = { subtree: true, attributeFilter: ["open"] };
    new MutationObserver((changes) => changes.some(this.#isUncoveredBy) && this.#uncovered()).observe(document, sheets);
    addEventListener("scroll", this.#scrolled, true);
    root.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.#pressed(event), true);
    root.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#clicked(event), true);
  }

  #changed = () => {
    this.lively = performance.now() + LIVELY_MS;
    this.#look();
  };

  /** A button that was scrolled has not moved: the finger has moved it. */
  #scrolled = () => {
    for (const button of this.root.querySelectorAll(WATCHED)) {
      const stand = this.stands.get(button);
      if (!stand) continue;
      const scroll = scrollOf(button);
      const box = button.getBoundingClientRect();
      stand.sure = common(movedBy(stand.sure, scrolledBy(stand, box, scroll)), box);
      stand.box = box;
      stand.scroll = scroll;
    }
  };

  /** Tell whether a sheet has closed that lay over the watched buttons. @param {MutationRecord} change */
  #isUncoveredBy = ({ target }) =>
    target instanceof HTMLDialogElement && !target.open && !target.contains(this.root);

  /** What was meant for a sheet comes to the buttons below it. */
  #uncovered() {
    const until = performance.now() + DEAF_MS;
    for (const button of this.root.querySelectorAll(WATCHED)) {
      const stand = this.stands.get(button);
      if (stand) Object.assign(stand, { until: Math.max(stand.until, until), sure: NOWHERE, since: until });
    }
    this.#look();
  }

  /** Find buttons that have come or moved since the last look; those that are deaf in the middle take no pointer. */
  #look = () => {
    clearTimeout(this.timer);
    const now = performance.now();
    let next = Infinity;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(WATCHED))) {
      const { until, box, sure } = this.#stand(button, now);
      const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
      setAttr(button, "data-deaf", until > now && !isAt(middle, sure));
      if (until > now) next = Math.min(next, until);
    }
    if (now < this.lively) next = Math.min(next, now + LOOK_MS);
    if (next < Infinity) this.timer = window.setTimeout(this.#look, next - now);
  };

  /** @param {HTMLElement} button @param {number} now @returns {Stand} */
  #stand(button, now) {
    const box = button.getBoundingClientRect();
    const { act } = button.dataset;
    const known = box.width ? this.stands.get(button) : undefined;
    const isKnown = known && known.act === act;
    const scroll = scrollOf(button);
    // What it stands in may have been scrolled since, which its event tells later.
    const by = known ? scrolledBy(known, box, scroll) : 0;
    const isSame = isKnown && isWithin(box, movedBy(known.box, by));
    const wait = button.closest("[data-grave]") ? GRAVE_MS : DEAF_MS;
    const until = isSame ? known.until : now + wait;
    const [before, since] = !isKnown ? [NOWHERE, until]
      : now < known.until ? [movedBy(known.sure, by), known.since] : [movedBy(known.box, by), known.until];
    const stand = { act, box, scroll, until: box.width ? until : 0, sure: common(box, before), since };
    this.stands.set(button, stand);
    return stand;
  }

  /** What has moved without a change of ours is found out when it is pressed. @param {PointerEvent} event */
  #pressed({ timeStamp, clientX, clientY }) {
    this.down = { at: timeStamp, x: clientX, y: clientY };
    this.#look();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(WATCHED));
    // Enter in a field presses its form's button.
    const isByField = event.detail === 0 && document.activeElement !== button;
    if (!button || !event.isTrusted || isByField) return;
    // A key presses at once; a pointer has meant what was there when it went down.
    const at = event.detail ? this.down.at : event.timeStamp;
    const { until, sure, since } = this.#stand(button, at);
    if (at >= until || (event.detail && at >= since && isAt(this.down, sure))) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }
}

/** Return by how many pixels what an element stands in is scrolled down. @param {Element} element */
function scrollOf(element) {
  let sum = 0;
  for (let at = element.parentElement; at; at = at.parentElement) sum += at.scrollTop;
  return sum;
}

/**
 * Return by how many pixels scrolling has moved a button down; by 0 one that sticks to the edge of what is scrolled.
 * @param {Stand} known @param {Box} box where it is now @param {number} scroll by how much that is scrolled now
 */
function scrolledBy(known, box, scroll) {
  const most = known.scroll - scroll;
  return Math.max(Math.min(0, most), Math.min(Math.max(0, most), box.top - known.box.top));
}

/** Return a box so many pixels further down. @param {Box} box @param {number} by @returns {Box} */
function movedBy({ left, top, right, bottom }, by) {
  return { left, top: top + by, right, bottom: bottom + by };
}

/** @param {Box} box @param {Box} before */
function isWithin(box, before) {
  return box.left > before.left - SLACK && box.top > before.top - SLACK
    && box.right < before.right + SLACK && box.bottom < before.bottom + SLACK;
}

/** Return the place that two boxes share. @param {Box} one @param {Box} other @returns {Box} */
function common(one, other) {
  return {
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  };
}

/** @param {{x: number, y: number}} point @param {Box} box */
function isAt({ x, y }, { left, top, right, bottom }) {
  return x >= left && x < right && y >= top && y < bottom;
}
