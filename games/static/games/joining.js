// @ts-check
/** For those who watch: a seat at a table that takes newcomers; and the sheets that a button opens. */
import { byId } from "games/dom.js";

export class JoinBar {
  /** @param {(name: string, args: object) => void} send */
  constructor(send) {
    this.bar = byId("join-bar");
    byId("join").addEventListener("click", () => send("table.join", {}));
  }

  /** @param {boolean} isOpen whether we could join now */
  show(isOpen) {
    this.bar.hidden = !isOpen;
  }
}

/** Let `data-open` buttons open their sheets, `data-close` and a tap beside them close them. */
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
  if (location.hash === "#house-rules") byId("house-rules").showModal();
}
