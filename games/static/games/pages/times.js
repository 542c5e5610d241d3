// @ts-check
// Times of a page in the reader's time zone and language; the server writes them in the house's.

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const FORMS = {
  date: { dateStyle: "long" },
  time: { timeStyle: "short" },
  datetime: { dateStyle: "medium", timeStyle: "short" },
};
/** @type {Intl.DateTimeFormatOptions} */
const FULL = { dateStyle: "full", timeStyle: "long" };

/** Write the times; the title has day, time and zone in full. */
function show() {
  const { lang } = document.documentElement;
  for (const element of document.querySelectorAll("time[data-when]")) {
    const moment = new Date(element.getAttribute("datetime") ?? "");
    const form = FORMS[element.getAttribute("data-when") ?? ""];
    if (!form || Number.isNaN(moment.getTime())) continue;
    element.textContent = new Intl.DateTimeFormat(lang, form).format(moment);
    element.setAttribute("title", new Intl.DateTimeFormat(lang, FULL).format(moment));
  }
}

show();
document.addEventListener("htmx:oobAfterSwap", show);
