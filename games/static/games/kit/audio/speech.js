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
