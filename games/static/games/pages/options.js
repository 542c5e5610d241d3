// @ts-check
// The form of the house rules: an option without a meaning under the others is switched off,
// with the reason beside it. The server checks everything again.

const form = /** @type {HTMLFormElement} */ (document.getElementById("options-form"));

function valueOf(/** @type {string} */ id) {
  const field = form.elements.namedItem(`o-${id}`);
  if (field instanceof HTMLInputElement && field.type === "checkbox") return field.checked;
  return field && "value" in field ? field.value : undefined;
}

// A form that shows some house rules alone: the others are given.
function isElsewhere(/** @type {string} */ id) {
  return form.elements.namedItem(`o-${id}`) === null;
}

function rowOf(/** @type {string} */ id) {
  return form.querySelector(`[data-option="${CSS.escape(id)}"]`);
}

/** @param {Element | null} row @returns {boolean} */
function isActive(row) {
  const needs = row instanceof HTMLElement && row.dataset.needs;
  if (!needs) return true;
  return JSON.parse(needs).every((/** @type {[string, unknown[]]} */ [id, values]) =>
    isElsewhere(id) || (values.some((v) => String(v) === String(valueOf(id))) && isActive(rowOf(id))));
}

function update() {
  for (const row of form.querySelectorAll("[data-needs]")) {
    const active = isActive(row);
    row.classList.toggle("off", !active);
    row.querySelector(".why")?.toggleAttribute("hidden", active);
    for (const field of row.querySelectorAll("input, select")) field.toggleAttribute("disabled", !active);
  }
}

form.addEventListener("change", update, true);
update();
