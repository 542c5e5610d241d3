// @ts-check
/** The texts of what a table shows later than itself: its dice, what words mean. Loaded once, when first needed. */
import { byId, h } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";

/** @type {Promise<unknown> | null} */
let loading = null;

/** Load them, if they have not been; while the connection is down, try again and again. */
export function laterTexts() {
  const { laterTexts: src } = JSON.parse(byId("config").textContent).urls;
  loading ??= fetched(() => new Promise((done, failed) => {
    const onerror = () => failed(new TypeError("the texts have not come"));
    document.head.append(h("script", { src, onload: done, onerror }));
  }));
  return loading;
}
