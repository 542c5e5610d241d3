// @ts-check
/**
 * What is told without looking: to screen readers by live regions (one polite, one assertive, both
 * in the template), and aloud in the page's language, which is off until somebody wants it.
 */
import { byId, h } from "games/kit/dom.js";
import { wants } from "games/kit/preferences.js";

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

/** Tell whether this browser can speak. */
export function canSpeak() {
  return "speechSynthesis" in window;
}

/** @param {string} text */
export function speak(text) {
  if (!text || !wants("speech") || !canSpeak() || document.hidden) return;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang || "en";
  const voices = speechSynthesis.getVoices();
  said.voice = voices.find((v) => v.lang.toLowerCase().startsWith(said.lang.slice(0, 2))) ?? null;
  // What is no longer true must not be said after it: the newest announcement only.
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
