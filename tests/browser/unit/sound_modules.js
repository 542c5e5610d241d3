// @ts-check
/** Sounds of browsers that let a page sound from the end of a tap on (games/kit/audio/sound.js). */
import { equal } from "/unit/assert.js";

/** As Safari does it: not running until `resume` is asked for after a tap, and interrupted by a call. */
class StubbornAudio {
  /** @type {StubbornAudio[]} */
  static made = [];
  state = "suspended";
  asked = 0;

  constructor() {
    StubbornAudio.made.push(this);
  }

  resume() {
    this.asked += 1;
    this.state = "running";
    return Promise.resolve();
  }
}

Object.assign(globalThis, { AudioContext: StubbornAudio });
await import("games/kit/audio/sound.js");

/** The page's one audio after some events. */
function after(/** @type {string[]} */ ...names) {
  for (const name of names) dispatchEvent(new Event(name));
  equal(StubbornAudio.made.length, 1);
  return StubbornAudio.made[0];
}

export function test_the_beginning_of_a_tap_wakes_nothing() {
  const audio = after("click");
  audio.state = "suspended";
  equal(after("pointerdown").state, "suspended");
}

export function test_the_end_of_a_tap_wakes_the_sound() {
  equal(after("pointerup").state, "running");
}

export function test_what_runs_is_not_asked_again() {
  const { asked } = after("click");
  equal(after("touchend", "keydown").asked, asked);
}

export function test_a_tap_wakes_what_a_call_has_interrupted() {
  after("click").state = "interrupted";
  equal(after("touchend").state, "running");
}

export function test_a_page_that_comes_back_wakes_what_the_lock_screen_has_interrupted() {
  const audio = after("click");
  audio.state = "interrupted";
  document.dispatchEvent(new Event("visibilitychange"));
  equal(audio.state, "running");
}
