// @ts-check
/** A deeper look at a mistake: asked for by a button beside its sentence, looked for until it is there. */
import { h, setText } from "games/kit/page/dom.js";
import { locale } from "games/kit/page/text.js";

const PAUSE_MS = 5_000;
const MOST_TIMES = 60;

/**
 * Return the button that asks, with the line that says what came of it.
 * @param {string} url @param {{ended: number, row: number}} choice @param {number} seq the entry to come back to
 */
export function deeperLook(url, choice, seq) {
  const said = h("span", { role: "status", class: "muted" });
  const button = h("button", { type: "button", class: "button quiet", onclick: ask }, gettext("Look deeper"));

  async function ask() {
    button.disabled = true;
    setText(said, gettext("The engine is asked …"));
    const answer = await send(url, choice);
    if (!answer.state) {
      setText(said, answer.message ?? gettext("That did not work. Try again in a while."));
      button.disabled = false;
    } else if (!show(answer.state)) {
      await wait();
    }
  }

  async function wait() {
    const query = new URLSearchParams({ ended: String(choice.ended), row: String(choice.row) });
    for (let times = 0; times < MOST_TIMES; times += 1) {
      await new Promise((done) => setTimeout(done, PAUSE_MS));
      const found = await fetch(`${url}?${query}`).then((r) => (r.ok ? r.json() : null)).catch(() => null);
      if (found && show(found.state)) return;
    }
    setText(said, gettext("It is still awaited: come back later."));
  }

  /** Show what there is; tell whether that is the end of it. @param {string} state */
  function show(state) {
    if (state === "asked") {
      setText(said, gettext("The engine looks deeper when the games that wait have their grades …"));
      return false;
    }
    if (state === "done") said.replaceChildren(h("a", { href: `?at=${seq}` }, gettext("The deeper figure is there.")));
    else setText(said, gettext("The engine had no answer."));
    return true;
  }

  return h("span", { class: "deeper" }, button, said);
}

/**
 * Ask; return the answer, of a refusal too; {} without one.
 * @param {string} url @param {object} choice @returns {Promise<{state?: string, message?: string}>}
 */
function send(url, choice) {
  const csrf = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
  const headers = { ...csrf, "Content-Type": "application/json", "Accept-Language": locale() };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(choice) }).then((r) => r.json()).catch(() => ({}));
}
