// @ts-check
// The form of a past game: fields that mean nothing under the others are hidden, such as the name of
// somebody new beside a known person, and who is told by a line has the name that stands there. The server checks
// everything again.

const form = /** @type {HTMLFormElement} */ (document.getElementById("past-form"));

/** @param {string} name @returns {string} */
function valueOf(name) {
  const field = form.elements.namedItem(name);
  return field && "value" in field ? String(field.value) : "";
}

/** Return the name in a line, "" for nobody's. @param {string} line @returns {string} */
function nameIn(line) {
  const who = /** @type {HTMLSelectElement} */ (form.elements.namedItem(`who-${line}`));
  if (who.value === "new") return valueOf(`name-${line}`);
  return who.value ? who.selectedOptions[0].text : "";
}

function update() {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-line]"))) {
    const line = row.dataset.line ?? "";
    row.querySelector("[data-new]")?.toggleAttribute("hidden", valueOf(`who-${line}`) !== "new");
    for (const field of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("[data-only]"))) {
      const [id, word] = (field.dataset.only ?? "").split(":");
      field.toggleAttribute("hidden", valueOf(`${id}-${line}`) !== word);
    }
  }
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".past-told [data-only]"))) {
    const [name, word] = (field.dataset.only ?? "").split(":");
    field.toggleAttribute("hidden", valueOf(name) !== word);
  }
  for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (form.querySelectorAll("[data-people]"))) {
    for (const option of [...select.options].slice(1)) {
      const name = nameIn(option.value);
      if (name) option.text = name;
      option.hidden = option.disabled = !name;
    }
  }
}

form.addEventListener("change", update);
document.addEventListener("htmx:oobAfterSwap", update);
update();
