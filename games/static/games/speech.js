// @ts-check
/** The table's announcements aloud, in the page's language; off until somebody wants it. */
import { wants } from "games/prefs.js";

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
