// @ts-check
// Asks the engine about the position in the form, and shows its answer when it is there.
import { byId } from "games/kit/page/dom.js";

const PAUSE_MS = 1_000;
const MOST_TIMES = 130;

const button = /** @type {HTMLButtonElement} */ (byId("ask-engine"));
const field = /** @type {HTMLInputElement} */ (byId("position"));
const said = byId("engine-says");
const url = button.dataset.url ?? "";
let asked = 0;

/** Show the answer if there is one; tell whether to look again. @param {Response | null} answer */
async function show(answer) {
  if (!answer || answer.status === 204) return true;
  const part = await answer.text();
  said.innerHTML = answer.headers.get("Content-Type")?.startsWith("text/html") ? part : "";
  if (!said.textContent?.trim()) said.textContent = gettext("That did not work. Try again in a while.");
  return false;
}

async function ask() {
  const mine = (asked += 1);
  const body = new FormData(/** @type {HTMLFormElement} */ (button.form));
  const position = field.value;
  said.textContent = gettext("The engine thinks …");
  button.disabled = true;
  let isOpen = await show(await fetch(url, { method: "POST", body }).catch(() => null));
  for (let times = 0; isOpen && times < MOST_TIMES && mine === asked; times += 1) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    const query = new URLSearchParams({ position });
    isOpen = await show(await fetch(`${url}?${query}`).catch(() => null));
  }
  if (isOpen && mine === asked) said.textContent = gettext("That did not work. Try again in a while.");
  button.disabled = false;
}

button.addEventListener("click", ask);
// Another position has another answer.
field.addEventListener("input", () => said.replaceChildren());
