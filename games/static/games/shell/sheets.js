// @ts-check
/** The sheets opened by buttons. */
import { byId } from "games/kit/page/dom.js";
import { StrayTaps } from "games/kit/stray_taps.js";

/** Let `data-open` buttons open their sheets, and `data-close` buttons or a tap beside a sheet close it. */
export function wireSheets() {
  for (const button of document.querySelectorAll("[data-open]")) {
    button.addEventListener("click", () => {
      button.closest("dialog")?.close();
      byId(/** @type {HTMLElement} */ (button).dataset.open ?? "").showModal();
    });
  }
  for (const sheet of document.querySelectorAll("dialog.sheet")) {
    const dialog = /** @type {HTMLDialogElement} */ (sheet);
    dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
  // The second of two taps does not answer the question that the first has asked.
  new StrayTaps(byId("confirm"));
  if (location.hash === "#house-rules") byId("house-rules").showModal();
}
