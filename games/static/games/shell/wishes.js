// @ts-check
/** Wishes for this browser: sound, vibration, speech, a screen that stays on, keys, and what a game does by itself. */
import { h, put } from "games/kit/page/dom.js";
import { changes, read, setLook, setWish, wants } from "games/kit/page/preferences.js";
import { canSpeak, speak } from "games/kit/audio/speech.js";
import { fill } from "games/kit/page/text.js";
import { canKeepOn } from "games/shell/wake_lock.js";

/**
 * A wish of a game: a switch, on until switched off or as `isOn` says, or one of several `looks` by their words.
 * `shared` says why it does not count where several share the device.
 * @typedef {{name: string, label: string, shared?: string, isOn?: boolean, looks?: [string, string][]}} OwnWish
 */

/**
 * Show the wishes that this browser supports.
 * @param {Element} box
 * @param {string} keys the game's shortcuts in words, "" where it has none
 * @param {OwnWish[]} more the game's own
 * @param {boolean} isShared several share this device: the game's own do not count, as `shared` says
 */
export function showWishes(box, keys, more, isShared) {
  const say = gettext("G how the game stands, L last move, W whose turn, and the other letters of Ask");
  const wishes = [
    ["sound", gettext("Sound")],
    ["vibrate", gettext("Vibration")],
    ["speech", gettext("Speak the announcements")],
    ["awake", gettext("Keep the screen on")],
    ["left", gettext("For the left hand: buttons the other way round")],
    ["greetings", gettext("Greetings at the seats")],
    ["keys", fill(gettext("Keyboard shortcuts (%(keys)s)"), { keys: [keys, say].filter(Boolean).join(", ") })],
  ];
  /** @type {Record<string, boolean>} */
  const has = {
    sound: true,
    vibrate: "vibrate" in navigator,
    speech: canSpeak(),
    awake: canKeepOn(),
    left: true,
    keys: true,
    greetings: true,
  };
  const own = more.map(({ name, label, shared, isOn = true, looks }) =>
    looks ? choice(name, label, looks) : wish(name, label, { isOn, why: isShared ? shared : "" }));
  put(box, wishes.filter(([name]) => has[name]).map(([name, label]) => wish(name, label)), own);
}

/** @param {string} name @param {string} label @param {[string, string][]} looks */
function choice(name, label, looks) {
  const options = looks.map(([value, text]) => h("option", { value }, text));
  const box = h("select", { onchange: () => setLook(name, box.value) }, options);
  box.value = read(localStorage, name) ?? "";
  return h("label", { class: "wish", data: { wish: name } }, h("span", {}, label), box);
}

/**
 * @param {string} name @param {string} label
 * @param {{isOn?: boolean, why?: string}} [about] what holds by default; why it does not count now
 */
function wish(name, label, { isOn, why = "" } = {}) {
  const box = h("input", { type: "checkbox", checked: !why && wants(name, isOn), disabled: why !== "" });
  box.addEventListener("change", () => {
    setWish(name, box.checked);
    if (name === "speech" && box.checked) speak(gettext("Announcements are spoken now."));
  });
  changes.addEventListener(name, () => { box.checked = !why && wants(name, isOn); });
  return h("label", { class: "wish", data: { wish: name } }, box, h("span", {}, why ? `${label}. ${why}` : label));
}
