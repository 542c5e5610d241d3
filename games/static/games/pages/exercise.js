// @ts-check
// Draws the way that is marked in the form of an exercise on its picture.
import { byId, setAttr } from "games/kit/page/dom.js";

const picture = byId("picture");
byId("ways").addEventListener("change", (/** @type {Event} */ event) => {
  if (event.target instanceof HTMLInputElement) setAttr(picture, "play", event.target.dataset.play || null);
});
