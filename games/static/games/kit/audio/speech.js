// @ts-check
/**
 * Announcements: to screen readers by live regions (one polite, one assertive, both in the
 * template), and spoken in the page's language, which is off by default.
 */
import { byId, h } from "games/kit/page/dom.js";
import { wants } from "games/kit/page/preferences.js";

const KEPT_MS = 8000;

/**
 * @param {string} text
 * @param {boolean} [isUrgent] only a lost line, and ten seconds before a flag falls or somebody is out
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
  const line = new SpeechSynthesisUtterance(text);
  line.lang = document.documentElement.lang || "en";
  const voices = speechSynthesis.getVoices();
  line.voice = voices.find((v) => v.lang.toLowerCase().startsWith(line.lang.slice(0, 2))) ?? null;
  // An outdated announcement must not be spoken: the newest one only.
  speechSynthesis.cancel();
  speechSynthesis.speak(line);
}
