// @ts-check
/** Toasts that disappear, and banners that stay until their cause is over. */
import { announce } from "games/kit/audio/speech.js";
import { byId, h, put, setText } from "games/kit/page/dom.js";

const TOAST_MS = 6000;

/**
 * Show a toast for some seconds, and announce it to screen readers once.
 * @param {string} text
 * @param {"info" | "error"} [kind]
 */
export function toast(text, kind = "info") {
  const holder = byId("toasts");
  for (const old of [...holder.children]) if (old.textContent === text) old.remove();
  const line = h("p", { class: `toast ${kind}`, onclick: () => line.remove() }, text);
  holder.append(line);
  while (holder.childElementCount > 3) holder.firstElementChild.remove();
  setTimeout(() => line.remove(), TOAST_MS);
  announce(text);
}

/**
 * @typedef {object} Banner
 * @property {string | ((seconds: number) => string)} text a function is called every second
 * @property {"info" | "warn" | "stop"} [kind]
 * @property {{label: string, act: () => void, kind?: string}[]} [buttons]
 * @property {boolean} [isUrgent] of a lost line alone
 * @property {(seconds: number) => void} [onTick] seconds since it came up
 */

/** @type {Map<string, {el: HTMLElement, timer: number, key: string}>} */
const banners = new Map();

/**
 * Show a banner under a name, or keep it as it is if it says the same.
 * @param {string} name
 * @param {Banner} banner
 */
export function showBanner(name, banner) {
  const key = typeof banner.text === "string" ? banner.text : "…";
  if (banners.get(name)?.key === key) return;
  clearBanner(name);
  const text = h("p", {});
  const buttons = (banner.buttons ?? []).map((b) =>
    h("button", { type: "button", class: `button ${b.kind ?? ""}`, onclick: b.act }, b.label),
  );
  const el = h(
    "div",
    { class: `notice ${banner.kind ?? "info"}`, data: { name } },
    text,
    h("div", { class: "row" }, buttons),
  );
  const since = Date.now();
  const tick = () => {
    const seconds = Math.floor((Date.now() - since) / 1000);
    setText(text, typeof banner.text === "string" ? banner.text : banner.text(seconds));
    banner.onTick?.(seconds);
  };
  byId("banners").append(el);
  const timer = window.setInterval(tick, 1000);
  banners.set(name, { el, timer, key });
  tick();
  announce(text.textContent ?? "", banner.isUrgent);
}

/** @param {string} name */
export function clearBanner(name) {
  const banner = banners.get(name);
  if (!banner) return;
  clearInterval(banner.timer);
  banner.el.remove();
  banners.delete(name);
}

/**
 * Ask before something that can't be undone.
 * @param {string} question
 * @param {string} yes the label of the button that does it
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes) {
  const dialog = byId("confirm");
  setText(byId("confirm-text"), question);
  put(byId("confirm-yes"), yes);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
