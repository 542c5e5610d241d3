// @ts-check
/** Sentences: Django's `gettext` translates them, `fill` inserts the named values. */

/**
 * Fill `%(name)s` placeholders.
 * @param {string} sentence an already translated sentence
 * @param {Record<string, string | number>} params
 * @returns {string}
 */
export function fill(sentence, params) {
  return sentence.replace(/%\((\w+)\)s/g, (whole, name) => String(params[name] ?? whole));
}

/** Return the page's language with the region by which numbers, lists and times are written: "de-CH". */
export function locale() {
  return document.documentElement.dataset.locale ?? "en";
}

/**
 * Return names joined as in a sentence: "Ada, Bo and Cy", in the page's language.
 * @param {string[]} names
 */
export function andList(names) {
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(names);
}

/**
 * Return seconds as a clock shows them: 0:07, 1:30.
 * @param {number} seconds
 */
export function minutes(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Return a time of day as the pages write it, in the reader's time zone.
 * @param {string} at a time in JSON's form
 */
export function timeText(at) {
  return new Date(at).toLocaleTimeString(locale(), { timeStyle: "short" });
}
