// @ts-check
// The form of a past game: fields that mean nothing under the others are hidden, such as the name of
// somebody new beside a known person. The server checks everything again.

const form = /** @type {HTMLFormElement} */ (document.getElementById("past-form"));

/** @param {string} name @param {string} line @returns {string} */
function valueOf(name, line) {
  const field = form.elements.namedItem(`${name}-${line}`);
  return field && "value" in field ? field.value : "";
}

function update() {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-line]"))) {
    const line = row.dataset.line ?? "";
    row.querySelector("[data-new]")?.toggleAttribute("hidden", valueOf("who", line) !== "new");
    for (const field of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("[data-only]"))) {
      const [id, word] = (field.dataset.only ?? "").split(":");
      field.toggleAttribute("hidden", valueOf(id, line) !== word);
    }
  }
}

form.addEventListener("change", update);
update();
