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

/** Write the times; the title has day, time and zone in full. */
function show() {
  const { region } = document.documentElement.dataset;
  for (const element of document.querySelectorAll("time[data-when]")) {
    const moment = new Date(element.getAttribute("datetime") ?? "");
    const form = FORMS[element.getAttribute("data-when") ?? ""];
    if (!form || Number.isNaN(moment.getTime())) continue;
    const text = new Intl.DateTimeFormat(region, form).format(moment);
    // A screen reader would say a text anew that is written again.
    if (element.textContent !== text) element.textContent = text;
    if (form !== FORMS.day) element.setAttribute("title", new Intl.DateTimeFormat(region, FULL).format(moment));
  }
}

noteRegion();
show();
document.addEventListener("htmx:oobAfterSwap", show);
