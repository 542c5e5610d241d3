// @ts-check
/** Synthesized sounds: no files, silence before the first tap and when muted. */
import { fetched } from "games/kit/page/fetched.js";
import { read, wants, write } from "games/kit/page/preferences.js";

/** Under this name a tab keeps that somebody has tapped it: its page may be loaded anew. */
const TAPPED = "tapped";

/** @type {AudioContext | null} */
let context = null;

/** The sounds' module, loaded at the first tap. @type {Promise<typeof import("games/kit/audio/tunes.js")> | null} */
let tunes = null;

function wake() {
  tunes ??= fetched(() => import("games/kit/audio/tunes.js"));
  context ??= typeof AudioContext === "undefined" ? null : new AudioContext();
  // Suspended before a tap; interrupted, in Safari, after a call or the lock screen.
  if (context && context.state !== "running" && context.state !== "closed") context.resume().catch(() => {});
}

function tapped() {
  write(sessionStorage, TAPPED, "1");
  wake();
}

/**
 * Tell whether somebody has tapped this tab, also before its page was loaded anew.
 * @param {boolean} [isStill] false: the browser does not know of it any more
 */
export function isTapped(isStill = true) {
  if (!isStill) write(sessionStorage, TAPPED, null);
  return read(sessionStorage, TAPPED) !== null;
}

/** Wake the sounds of a tab that was tapped before its page was loaded anew; it ends when they can be heard. */
export async function wakeAgain() {
  if (read(sessionStorage, TAPPED) === null) return;
  wake();
  await context?.resume().catch(() => {});
}

// Safari lets a page sound from the end of a tap on, not from its beginning.
for (const name of ["pointerup", "touchend", "click", "keydown"]) addEventListener(name, tapped, { passive: true });
document.addEventListener("visibilitychange", () => {
  if (context && !document.hidden) wake();
});

/**
 * Play a sound by name; an unknown one is silence.
 * @param {string} name
 */
export function sound(name) {
  const on = context;
  if (on?.state === "running" && wants("sound")) tunes?.then((found) => found.perform(on, name));
}

/**
 * Vibrate on devices that can.
 * @param {number | number[]} pattern
 */
export function buzz(pattern) {
  // Before the first tap browsers refuse, and complain in the console.
  if (context && wants("vibrate") && "vibrate" in navigator) navigator.vibrate(pattern);
}
