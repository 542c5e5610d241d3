// @ts-check
/** What a screen reader hears: one polite live region, one assertive, both in the template. */
import { byId, h } from "games/dom.js";

const KEPT_MS = 8000;

/**
 * @param {string} text
 * @param {boolean} [isUrgent] only for what must not be missed: offers, a nudge, a lost line
 */
export function announce(text, isUrgent = false) {
  if (!text) return;
  const line = h("p", {}, text);
  byId(isUrgent ? "assertive" : "polite").append(line);
  setTimeout(() => line.remove(), KEPT_MS);
}
