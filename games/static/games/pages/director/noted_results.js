// @ts-check
// A director's page whose house is out of reach: results are noted on the device in the forms of their matches, and
// entered when the house is back. The page's connections tell by `house` events whether it is (kit/page/reach.js).
import { byId } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";
import { NotKept, openList } from "games/kit/played/device_list.js";
import { OutOfReach, ResultsList } from "games/pages/director/results_list.js";
import { showPanel, textOf } from "games/pages/director/results_panel.js";

class NotedResults {
  /** @param {HTMLElement} panel @param {ResultsList} results */
  constructor(panel, results) {
    this.panel = panel;
    this.results = results;
    this.isAway = this.isBusy = false;
    this.said = "";
    document.addEventListener("house", (event) => this.#told(/** @type {CustomEvent} */ (event).detail.isThere));
    // Before htmx hears of it.
    document.addEventListener("submit", (event) => this.#sent(event), { capture: true });
    for (const name of ["htmx:sendError", "htmx:timeout"])
      document.addEventListener(name, (event) => this.#failed(/** @type {CustomEvent} */ (event)));
    addEventListener("beforeunload", (event) => this.#leaves(event));
    results.list.onChange(() => this.show());
    // The parts of the page that came anew know nothing of the list.
    document.addEventListener("htmx:oobAfterSwap", () => queueMicrotask(() => this.show()));
    this.show();
  }

  show() {
    const { isAway, isBusy, said, results } = this;
    const { left, list } = results;
    const shown = { all: results.all(), left, said, isAway, isBusy, isKept: list.where !== "memory" };
    showPanel(this.panel, shown, {
      enter: () => this.#ask(() => results.enterAll()),
      replace: (id) => this.#ask(() => results.replace(id)),
      drop: (id) => results.drop(id),
    });
  }

  /** @param {boolean} isThere */
  #told(isThere) {
    if (this.isAway === !isThere) return;
    this.isAway = !isThere;
    this.#say("");
  }

  /** @param {SubmitEvent} event */
  #sent(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!this.isAway || !form.closest(".tournament")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.dataset.result) this.#note(form, /** @type {HTMLButtonElement | null} */ (event.submitter)?.value ?? "");
    else this.#say(gettext("This waits for the house; results can be noted."));
  }

  /**
   * Note a result that was on its way when the house was lost: entered twice it counts once.
   * @param {CustomEvent} event
   */
  #failed({ detail: { elt, requestConfig } }) {
    const winner = requestConfig?.parameters?.winner;
    if (elt instanceof HTMLFormElement && elt.dataset.result && winner) this.#note(elt, winner);
  }

  /** @param {BeforeUnloadEvent} event */
  #leaves(event) {
    const isKept = this.results.list.where !== "memory" && !this.isAway;
    if (isKept || !this.results.all().length) return;
    event.preventDefault();
    event.returnValue = "";
  }

  /** @param {HTMLFormElement} form @param {string} winner */
  async #note(form, winner) {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("points"));
    const { result: match = "", length = "0", one = "", other = "" } = form.dataset;
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll("button[name=winner]"));
    const points = field.value ? Number(field.value) : -1, most = Number(length) - 1;
    if (most >= 0 && points > most) return this.#say(fill(gettext("The loser has at most %(most)s points."), { most }));
    const keys = [...buttons].map(({ value }) => value);
    const result = { match, keys, names: [one, other], winner, points, length: Number(length) };
    try {
      await this.results.note(result);
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      return this.#say(error.message);
    }
    field.value = "";
    form.closest("details")?.removeAttribute("open");
    this.#say(fill(gettext("Noted: %(result)s"), { result: textOf(result) }));
  }

  /** @param {string} text */
  #say(text) {
    this.said = text;
    this.show();
  }

  /** Do something that asks the house. @param {() => Promise<void>} act */
  async #ask(act) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.#say("");
    const done = await act().then(() => "", (error) => whyNot(error));
    this.isBusy = false;
    this.#say(done || (this.results.all().length ? "" : gettext("All results are entered.")));
    document.body.dispatchEvent(new Event("changed"));
  }
}

/** @param {unknown} error @returns {string} */
function whyNot(error) {
  if (error instanceof OutOfReach) return gettext("The house did not answer: what is not entered is still here.");
  return error instanceof Error && error.message || gettext("That did not work. Try again in a while.");
}

const panel = byId("t-noted");
const { lists = "", tournament = "", acts = "" } = panel.dataset;
const token = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"];
const [list, ...joined] = lists.split(" ");
openList(list, joined).then((kept) => new NotedResults(panel, new ResultsList(kept, { tournament, acts, token })));
