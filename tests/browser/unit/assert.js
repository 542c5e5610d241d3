// @ts-check
/** What the unit tests of the scripts state. */

/** @param {any} found @param {any} wanted compared as JSON */
export function equal(found, wanted) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

/** @param {any} found @param {string} [what] */
export function holds(found, what = "the claim") {
  if (!found) throw new Error(`${what} does not hold`);
}
