// @ts-check
/** The part of a director's page that lists the results noted on this device, with what the house has instead. */
import { h, put } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/pages/director/results_list.js").Noted} Noted */
/** @typedef {import("games/pages/director/results_list.js").Left} Left */
/** @typedef {import("games/pages/director/results_list.js").Result} Result */
/** @typedef {import("games/pages/director/results_list.js").SentMatch} SentMatch */
/**
 * @typedef {object} Shown
 * @property {Noted[]} all
 * @property {Map<string, Left>} left
 * @property {string} said what was just done or refused, in a sentence
 * @property {boolean} isAway
 * @property {boolean} isBusy
 * @property {boolean} isKept whether the list outlives the page
 */
/**
 * @typedef {object} Acts
 * @property {() => void} enter
 * @property {(id: string) => void} replace
 * @property {(id: string) => void} drop
 */

/**
 * Show the list, and mark its matches.
 * @param {HTMLElement} panel @param {Shown} shown @param {Acts} acts
 */
export function showPanel(panel, shown, acts) {
  mark(shown.all);
  // What the reader has open or selected stays while nothing of it changes.
  const now = JSON.stringify([shown, ...shown.left]);
  if (panel.dataset.shown === now) return;
  panel.dataset.shown = now;
  const hadFocus = panel.contains(document.activeElement);
  const { all, isAway, isBusy } = shown, isFull = all.length > 0;
  panel.hidden = !isAway && !isFull && !shown.said;
  const title = gettext("Results on this device");
  const lost = gettext("This browser keeps nothing: leave this page open until the results are entered.");
  put(
    panel,
    h("h2", { id: "t-noted-title" }, title, " ", h("span", { class: "count" }, all.length)),
    h("p", { role: "status" }, shown.said || hint(shown)),
    !shown.isKept && h("p", { class: "banner warning" }, lost),
    isFull && h("ul", { class: "plain t-list" }, all.map((noted) => row(noted, shown, acts))),
    isFull && !isAway && h("p", {}, button(gettext("Enter the results"), acts.enter, { id: "t-noted-enter", isBusy })),
    isFull && h("details", {}, h("summary", {}, gettext("As text")), asText(all)),
  );
  if (hadFocus) panel.focus();
}

/** Mark the matches whose results are noted. @param {Noted[]} all */
function mark(all) {
  for (const badge of document.querySelectorAll(".t-noted-badge")) badge.remove();
  for (const { result } of all) {
    const badge = h("span", { class: "badge good t-noted-badge" }, gettext("noted"));
    document.getElementById(`result-${result.match}`)?.before(badge);
  }
}

/** @param {Shown} shown @returns {string} */
function hint({ all, isAway }) {
  if (isAway) return gettext("The house is out of reach: results are noted here, and entered when it is back.");
  return all.length ? gettext("The house is back: each result is entered once.") : "";
}

/** @param {Noted} noted @param {Shown} shown @param {Acts} acts */
function row({ id, at, result }, { left, isAway, isBusy }, acts) {
  const { stands, why } = left.get(id) ?? {};
  const leave = stands ? gettext("The house's counts") : gettext("Leave it out");
  const there = stands && fill(gettext("The house has: %(result)s"), { result: textOf(standing(stands, result)) });
  const isOther = Boolean(stands) && !isAway;
  return h("li", { class: "stack" },
    h("div", {}, h("strong", {}, textOf(result)), " ", h("span", { class: "muted small" }, at)),
    (there || why) && h("p", { class: "banner warning" }, there || why),
    h("p", { class: "row" },
      button(leave, () => acts.drop(id), { isBusy }),
      isOther && button(gettext("Enter this one instead"), () => acts.replace(id), { isBusy })));
}

/** @param {string} label @param {() => void} act @param {{id?: string, isBusy: boolean}} how */
function button(label, act, { id, isBusy }) {
  return h("button", { type: "button", class: `button${id ? " go" : ""}`, id, disabled: isBusy, onclick: act }, label);
}

/** @param {Noted[]} all */
function asText(all) {
  const lines = all.map(({ at, result }) => `${at} ${textOf(result)}`);
  const rows = Math.min(12, lines.length + 1);
  const field = h("textarea", { readonly: true, rows, "aria-label": gettext("As text") });
  field.value = lines.join("\n");
  field.addEventListener("focus", () => field.select());
  return field;
}

/**
 * Return a match's result as the house has it.
 * @param {SentMatch} match @param {Result} result of the same match @returns {Result}
 */
function standing({ people, winner, score }, { match, keys, names, length }) {
  const told = score ? score[people.indexOf(length ? people.find((key) => key !== winner) ?? "" : winner ?? "")] : -1;
  return { match, keys, names, length, winner: winner ?? "", points: told };
}

/** Return a result in words: "Kari – Bruno: Kari won 7:3". @param {Result} result @returns {string} */
export function textOf({ keys, names, winner, points, length }) {
  const won = fill(gettext("%(pair)s: %(name)s won"), { pair: names.join(" – "), name: names[keys.indexOf(winner)] });
  if (points < 0) return won;
  const score = keys.map((key) => (key === winner ? length : points)).join(":");
  return `${won} ${length ? score : `+${points}`}`;
}
