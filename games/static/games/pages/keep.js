// @ts-check
// Keeps the position that stands in the study's form when it is sent from the form beside it.
import { byId } from "games/kit/page/dom.js";

const form = /** @type {HTMLFormElement} */ (byId("keep"));
form.addEventListener("submit", () => {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("position"));
  field.value = /** @type {HTMLInputElement} */ (byId("position")).value;
});
