// @ts-check
// Times and days of a page in the reader's time zone, language and region; the server writes them in the house's.

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const FORMS = {
  date: { dateStyle: "long" },
  // A day is the same in every zone.
  day: { dateStyle: "long", timeZone: "UTC" },
  time: { timeStyle: "short" },
  second: { timeStyle: "medium" },
  datetime: { dateStyle: "medium", timeStyle: "short" },
};
/** @type {Intl.DateTimeFormatOptions} */
const FULL = { dateStyle: "full", timeStyle: "long" };

/** Note the page's language as the browser's region has it (en-GB, not en), for a table's modules too. */
function noteRegion() {
  const { dataset, lang } = document.documentElement;
  dataset.region = navigator.languages.find((one) => one.startsWith(`${lang}-`)) ?? lang;
}

/**
 * Form of a time → what writes it: making one takes longer than writing a hundred times.
 * @type {Map<object, Intl.DateTimeFormat>}
 */
const writers = new Map();

/** @param {Intl.DateTimeFormatOptions} form @returns {Intl.DateTimeFormat} */
function writer(form) {
  const made = writers.get(form) ?? new Intl.DateTimeFormat(document.documentElement.dataset.region, form);
  writers.set(form, made);
  return made;
}

/** Write the times of a part; the title has day, time and zone in full. @param {ParentNode} part */
function show(part) {
  for (const element of part.querySelectorAll("time[data-when]")) {
    const moment = new Date(element.getAttribute("datetime") ?? "");
    const form = FORMS[element.getAttribute("data-when") ?? ""];
    if (!form || Number.isNaN(moment.getTime())) continue;
    const text = writer(form).format(moment);
    // A screen reader would say a text anew that is written again.
    if (element.textContent === text && element.hasAttribute("title")) continue;
    element.textContent = text;
    if (form !== FORMS.day) element.setAttribute("title", writer(FULL).format(moment));
  }
}

noteRegion();
show(document);
document.addEventListener("htmx:oobAfterSwap", (event) => show(/** @type {Element} */ (event.target)));
