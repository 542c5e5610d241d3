// @ts-check
/** Synthesized sounds: no files, silence before the first tap and when muted. */
import { fetched } from "games/kit/page/fetched.js";
import { wants } from "games/kit/page/preferences.js";

/** @type {AudioContext | null} */
let context = null;

/** The sounds' module, loaded at the first tap. @type {Promise<typeof import("games/kit/audio/tunes.js")> | null} */
let tunes = null;

function wake() {
  tunes ??= fetched(() => import("games/kit/audio/tunes.js"));
  context ??= typeof AudioContext === "undefined" ? null : new AudioContext();
  if (context?.state === "suspended") context.resume().catch(() => {});
}

for (const name of ["pointerdown", "keydown"]) addEventListener(name, wake, { passive: true });

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
