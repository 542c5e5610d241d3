// @ts-check
/** From the view and the selection to where each die lies. */

/** @typedef {import("chicago/felt.js").Place} Place */
/** @typedef {import("chicago/selection.js").Selection} Selection */

/**
 * @param {any} view
 * @param {Selection} selection
 * @param {boolean} canAct
 * @returns {Place[]} three
 */
export function places(view, selection, canAct) {
  if (view.cup.throws === 0) return before(view);
  const laid = view.cup.laid.map((/** @type {number} */ value, /** @type {number} */ i) =>
    laidOut(`l${i}`, value, selection, canAct),
  );
  const rolled = view.cup.rolled.map((/** @type {number} */ value, /** @type {number} */ i) =>
    thrown(`r${i}`, value, selection, canAct),
  );
  return [...laid, ...rolled];
}

/** Before the first throw: the last result still lies there, or all dice are in the cup. @param {any} view */
function before(view) {
  const last = view.history[view.history.length - 1];
  const dice = last ? last.dice : [1, 1, 1];
  return dice.map((/** @type {number} */ value, /** @type {number} */ i) => ({
    key: `o${i}`, value, zone: last ? "tray" : "cup", look: "old", canToggle: false,
  }));
}

/**
 * @param {string} key
 * @param {number} value
 * @param {Selection} selection
 * @param {boolean} canAct
 * @returns {Place}
 */
function laidOut(key, value, selection, canAct) {
  if (!selection.returns) return { key, value, zone: "tray", look: "locked", canToggle: false };
  const isChosen = selection.chosen.has(key);
  return {
    key,
    value,
    zone: isChosen ? "tray" : "felt",
    look: isChosen ? "chosen" : "free",
    canToggle: canAct && selection.canToggle(key),
  };
}

/**
 * @param {string} key
 * @param {number} value
 * @param {Selection} selection
 * @param {boolean} canAct
 * @returns {Place}
 */
function thrown(key, value, selection, canAct) {
  if (selection.ones.includes(key)) return { key, value: 1, zone: "tray", look: "chosen", canToggle: false };
  if (selection.turned.includes(key)) return { key, value, zone: "cup", look: "free", canToggle: false };
  const isChosen = selection.chosen.has(key);
  return {
    key,
    value,
    zone: isChosen ? "tray" : "felt",
    look: isChosen ? "chosen" : "free",
    canToggle: canAct && selection.canToggle(key),
  };
}
