// @ts-check
// Checks a roll file that the reader picks by throwing its dice again, without sending the file.
import { check } from "games/dice/roll_file.js";

const field = /** @type {HTMLInputElement} */ (document.getElementById("roll-file"));
const output = /** @type {HTMLElement} */ (document.getElementById("roll-verdict"));

/** @param {string} name of a sentence @param {Record<string, number>} [values] */
function sentence(name, values = {}) {
  return (output.dataset[name] ?? "").replace(/%\((\w+)\)s/g, (_, key) => String(values[key]));
}

/** Return the findings about a file's tables, one sentence each; the worst first. */
function verdict(/** @type {string} */ text) {
  const found = [...check(text)];
  if (!found.length) return [sentence("none")];
  /** @param {(each: import("games/dice/roll_file.js").Found) => number} of */
  const sum = (of) => found.reduce((total, [, each]) => total + of(each), 0);
  const wrong = found.filter(([, each]) => each.faults.length);
  const rolls = sum((each) => (each.sealed || each.faults.length ? 0 : each.rolls));
  const sealed = sum((each) => (each.sealed ? 1 : 0)), typed = sum((each) => each.typed);
  return [
    ...wrong.map(([name, each]) => `${sentence("wrong")} ${name}: ${each.faults.slice(0, 5).join("; ")}`),
    ...(rolls ? [sentence("same", { rolls, tables: found.length - wrong.length - sealed })] : []),
    ...(sealed ? [sentence("sealed", { tables: sealed })] : []),
    ...(typed ? [sentence("typed", { rolls: typed })] : []),
  ];
}

field.addEventListener("change", async () => {
  const [file] = field.files ?? [];
  if (!file) return;
  const lines = verdict(await file.text()).map((text) => {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  });
  output.replaceChildren(...lines);
});
