// @ts-check
/**
 * Choices whose options are stated as a rule: the sets of things that laws allow
 * (docs/protocol.md §3). The rules are evaluated here.
 */

/** @typedef {House.SentLaw} Law */
/** @typedef {House.SentMarks} Marks */
/** @typedef {House.SentSets} Sets */

/**
 * Return the laws that forbid a set; no law forbids the empty one.
 * @param {Sets} sets
 * @param {number[]} chosen
 * @returns {Law[]}
 */
export function broken(sets, chosen) {
  return chosen.length ? sets.laws.filter((law) => forbids(law, chosen)) : [];
}

/** @param {Sets | undefined} sets @param {number[]} chosen */
export function isAllowed(sets, chosen) {
  if (!sets || !chosen.every((one) => sets.of.includes(one))) return false;
  return chosen.length ? broken(sets, chosen).length === 0 : sets.may_be_empty;
}

/**
 * Return a set as arguments, with its marked members; with all of them if the set is forced to be marked.
 * @param {Sets} sets
 * @param {number[]} chosen
 * @param {number[]} [marked]
 * @returns {Record<string, number[]>}
 */
export function argsOf({ name, marks }, chosen, marked = []) {
  const some = isForced(marks, chosen) ? chosen : marked.filter((one) => marks?.of.includes(one));
  return { [name]: chosen, ...(marks && some.length ? { [marks.name]: some } : {}) };
}

/** @param {Marks | undefined} marks @param {number[]} chosen */
export function isForced(marks, chosen) {
  return Boolean(marks?.forced.some((some) => String(some) === String(chosen)));
}

/**
 * Return every allowed set as arguments without optional marks; at most 2 to the power of the things.
 * @param {Sets} sets
 * @returns {Record<string, number[]>[]}
 */
export function listed(sets) {
  const every = sets.of.reduce(
    (found, one) => [...found, ...found.map((some) => [...some, one])],
    /** @type {number[][]} */ ([[]]),
  );
  return every.filter((some) => isAllowed(sets, some)).map((some) => argsOf(sets, some));
}

/** @param {Law} law @param {number[]} chosen */
function forbids({ alike, any, needs, least, or }, chosen) {
  if (alike) return alike.some((group) => new Set(group.map((one) => chosen.includes(one))).size > 1);
  if (any && needs !== undefined) return !chosen.includes(needs) && any.some((one) => chosen.includes(one));
  return chosen.length < (least ?? 0) && !or?.some((some) => String(some) === String(chosen));
}
