// @ts-check
// Names for what Django's admin builds without one: parts of a date and time, their calendar and clock, searched lists.

/** @param {Element} part what the field around it is called */
function fieldOf(part) {
  const legend = [...(part.closest("fieldset")?.children ?? [])].some((child) => child.matches("legend"));
  const row = part.closest(legend ? "fieldset, .form-row, td" : ".form-row, td");
  return row?.querySelector("legend, label")?.textContent?.trim().replace(/:$/, "") ?? "";
}

/** "Expires at, date" for a part of a date and time; the word before it says which. */
function nameDates() {
  for (const part of document.querySelectorAll(".vDateField, .vTimeField")) {
    const which = part.previousSibling?.textContent?.trim().replace(/:$/, "") ?? "";
    part.setAttribute("aria-label", [fieldOf(part), which].filter(Boolean).join(", "));
  }
  for (const icon of document.querySelectorAll("a > :is(.date-icon, .clock-icon)[title]")) {
    icon.parentElement?.setAttribute("aria-label", `${fieldOf(icon)}: ${icon.getAttribute("title")}`);
  }
}

/** A list with a search has its field's name, and then what is chosen. */
function nameLists() {
  for (const box of document.querySelectorAll(".select2-selection[role='combobox']")) {
    const list = box.closest(".select2-container")?.previousElementSibling;
    const label = list?.id ? document.querySelector(`label[for="${CSS.escape(list.id)}"]`) : null;
    const shown = box.querySelector(".select2-selection__rendered");
    if (!label || !list || !shown) continue;
    label.id ||= `${list.id}_label`;
    shown.setAttribute("aria-labelledby", label.id);
    box.setAttribute("aria-labelledby", `${label.id} ${shown.id}`);
  }
}

/** The search of a list, whose picture is English in every language, and the signs beside the filters of a chooser. */
function nameSearches() {
  const field = document.querySelector("#searchbar");
  const word = field?.parentElement?.querySelector("input[type=submit]")?.getAttribute("value");
  if (field && word) {
    field.setAttribute("aria-label", word);
    field.parentElement?.querySelector("label img")?.setAttribute("alt", word);
  }
  for (const sign of document.querySelectorAll(".search-label-icon[aria-label]")) sign.setAttribute("role", "img");
}

function nameAll() {
  nameDates();
  nameLists();
  nameSearches();
}

// Django's own scripts build them at some time after the page, and further ones with every row that is added.
nameAll();
new MutationObserver(nameAll).observe(document.body, { childList: true, subtree: true });
