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

/**
 * Return names joined as in a sentence: "Ada, Bo and Cy", in the page's language.
 * @param {string[]} names
 */
export function andList(names) {
  return new Intl.ListFormat(document.documentElement.lang || "en", { type: "conjunction" }).format(
    names,
  );
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
  const { lang } = document.documentElement;
  const region = navigator.languages.find((one) => one.startsWith(`${lang}-`)) ?? (lang || "en");
  return new Date(at).toLocaleTimeString(region, { timeStyle: "short" });
}
