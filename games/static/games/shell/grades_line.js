// @ts-check
/** The line about grades on the card of a result: it is asked for once a game has ended, until it is there. */

import { locale } from "games/kit/page/text.js";

/** Milliseconds between two questions, and for how many: grades come within minutes, or not while the page looks on. */
const PAUSE_MS = 5_000;
const MOST_TIMES = 60;

export class GradesLine {
  key = "";
  timer = 0;

  /** @param {string} url @param {(text: string) => void} changed gets each other text, "" while there is none */
  constructor(url, changed) {
    this.url = url;
    this.changed = changed;
  }

  /** Note which result is shown. @param {string} key "" while a game runs */
  see(key) {
    if (key === this.key) return;
    this.key = key;
    clearTimeout(this.timer);
    this.changed("");
    if (key) this.#ask(key, MOST_TIMES);
  }

  /** @param {string} key @param {number} times */
  async #ask(key, times) {
    const headers = { "Accept-Language": locale() };
    const found = await fetch(this.url, { headers }).then((r) => (r.ok ? r.json() : null)).catch(() => null);
    if (this.key !== key) return;
    if (found?.text) {
      this.changed(found.text);
    } else if (times > 1 && (!found || found.is_awaited)) {
      this.timer = window.setTimeout(() => this.#ask(key, times - 1), PAUSE_MS);
    }
  }
}
