// @ts-check
/** Under the sheet of a match on a real board: what is struck from it, and the way to where results are corrected. */
import { h } from "games/kit/page/dom.js";

export class Results {
  /** @param {import("chouette/table.js").Acts} acts */
  constructor(acts) {
    this.note = h("p", { class: "bt-d-note", hidden: true },
      gettext("Crossed out is what was played after the end of the match: it counts for nothing."));
    const attrs = { type: "button", class: "button quiet bt-sheet-results" };
    const open = () => acts.emit("open-results", {});
    this.button = h("button", { ...attrs, onclick: open }, gettext("Correct a result"));
    this.el = h("div", {}, this.note, this.button);
  }

  /** @param {import("chouette/table.js").Now} now */
  show({ view, me, isHost }) {
    this.note.hidden = !view.sheet.some((row) => row.struck);
    this.button.hidden = !view.sheet.length || (me === null && !isHost);
  }
}
