// @ts-check
/**
 * Announcements: to screen readers by live regions (one polite, one assertive, both in the
 * template), and spoken in the page's language, which is off by default.
 */
import { byId, h } from "games/kit/page/dom.js";
import { wants } from "games/kit/page/preferences.js";

const KEPT_MS = 8000;
/** Texts that can be asked for again. */
const MOST_LATELY = 12;
/** What was said since the player acted. @type {string[]} */
const lately = [];

/**
 * @param {string} text
 * @param {boolean} [isUrgent] only a lost line, and ten seconds before a flag falls or somebody is out
 */
export function announce(text, isUrgent = false) {
  if (!text) return;
  lately.push(text);
  lately.splice(0, lately.length - MOST_LATELY);
  put(text, isUrgent);
}

/** Return what was said since the player acted. */
export const saidLately = () => [...lately];

/** Begin anew what can be asked for again: the player has acted. */
export const forgetSaid = () => { lately.length = 0; };

/** Answer a question of the player: heard and spoken, and not said again later. @param {string} text */
export function answer(text) {
  put(text, false);
  speak(text);
}

/** @param {string} text @param {boolean} isUrgent */
function put(text, isUrgent) {
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
  const line = utteranceOf(text);
  // An outdated announcement must not be spoken: the newest one only.
  speechSynthesis.cancel();
  speechSynthesis.speak(line);
}

/** Return what says a text in the page's language. @param {string} text */
export function utteranceOf(text) {
  const line = new SpeechSynthesisUtterance(text);
  line.lang = document.documentElement.lang || "en";
  line.voice = voiceOf();
  return line;
}

/** Return a voice of this browser for the page's language, or null. @returns {SpeechSynthesisVoice | null} */
export function voiceOf() {
  if (!canSpeak()) return null;
  const language = document.documentElement.lang.slice(0, 2).toLowerCase() || "en";
  // A Norwegian voice may call its language by the older name of all its forms.
  const names = language === "nb" ? ["nb", "no"] : [language];
  return speechSynthesis.getVoices().find((voice) => names.includes(voice.lang.slice(0, 2).toLowerCase())) ?? null;
}
