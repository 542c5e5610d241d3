// @ts-check
/** The page that takes games of another address along: it reads them behind its "#", and proposes them by one tap. */
import { byId } from "games/kit/page/dom.js";
import { SaidNo, say } from "games/kit/played/house.js";

const page = byId("handed"), form = page.querySelector("form"), name = byId("handed-name");
const fault = page.querySelector(".handed-fault"), away = page.querySelector(".handed-away");

/** Return what stands behind the "#"; null for nothing of the kind. */
function brought() {
  try {
    const found = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    const hasGames = Array.isArray(found?.games) && found.games.length > 0;
    return hasGames && /^[a-z0-9]+$/.test(found.table) ? found : null;
  } catch {
    return null;
  }
}

const told = brought();
form.hidden = !told;
page.querySelector(".handed-lost").hidden = Boolean(told);
if (told) {
  name.value = typeof told.name === "string" ? told.name : "";
  page.querySelector(".handed-count").textContent = String(told.games.length);
  page.querySelector(told.games.length === 1 ? ".handed-one" : ".handed-many").hidden = false;
}

form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  fault.hidden = away.hidden = true;
  try {
    const { table, seq, games } = told;
    const answer = await say(page.dataset.url.replace("TABLE", table), { name: name.value, seq, games });
    away.hidden = Boolean(answer);
    form.hidden = Boolean(answer);
    page.querySelector(".handed-done").hidden = !answer;
  } catch (error) {
    if (!(error instanceof SaidNo)) throw error;
    fault.textContent = error.message;
    fault.hidden = false;
  }
  button.disabled = false;
});
