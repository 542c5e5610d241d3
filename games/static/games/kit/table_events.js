// @ts-check
/** The house's own events in words: acts of the host, joining, leaving. */
import { fill } from "games/kit/page/text.js";

// The placeholder of a deleted name is stored in English (docs/decisions/deleted-names.md).
const DELETED = "Deleted player";

/** Return a name in the reader's language. @param {string} name */
const nameFor = (name) => (name === DELETED ? gettext("Deleted player") : name);

/** Return a table with the names in the reader's language. @param {any} table */
export function named(table) {
  const renamed = (/** @type {any} */ one) => ({ ...one, name: nameFor(one.name) });
  const seats = table.seats.map((/** @type {any} */ seat) =>
    ({ ...renamed(seat), before: seat.before?.map(renamed) }));
  return { ...table, seats };
}

/**
 * @param {{type: string, data: any}} event
 * @returns {string | null} null for an event without words
 */
export function describeHouse({ type, data: raw = {} }) {
  // An event for other readers comes without its data.
  const data = { ...raw, name: nameFor(raw.name), before: nameFor(raw.before) };
  switch (type) {
    case "table.started":
      return gettext("The game begins.");
    case "table.paused":
      if (data.why === "host_away") return gettext("Paused: the host is away.");
      if (data.why === "house") return gettext("The staff of the house has paused the game.");
      return gettext("The host has paused the game.");
    case "table.resumed":
    case "table.reopened":
      return gettext("The game goes on.");
    case "table.joined":
      return fill(gettext("%(name)s joins the table."), data);
    case "table.accepted":
      return data.by
        ? fill(gettext("%(by)s accepts the rules for %(name)s."), { ...data, by: nameFor(data.by) })
        : fill(gettext("%(name)s accepts the rules card."), data);
    case "table.entered":
      return fill(gettext("Entered by %(by)s:"), { by: nameFor(data.by) });
    case "table.taken_over":
      return fill(gettext("%(name)s plays on with a phone."), data);
    case "table.scorekeeper_named":
      return fill(gettext("%(name)s is the scorekeeper."), data);
    case "table.left":
      return fill(gettext("%(name)s has left the table."), data);
    case "table.kicked":
      return fill(gettext("The host has taken %(name)s off the seat."), data);
    case "table.substituted":
      return fill(gettext("%(name)s takes the seat of %(before)s."), data);
    case "table.forfeited":
      return fill(gettext("The seat of %(name)s is given up."), data);
    case "table.played_on":
      return fill(gettext("The host lets the clock play for %(name)s."), data);
    case "table.nudged":
      return fill(gettext("%(name)s is nudged."), data);
    case "table.closed":
      return gettext("The host closes the table.");
    case "table.taken_back":
      return fill(gettext("The host takes back what %(name)s told last."), data);
    case "table.result_stated":
      return gettext("The host states the result.");
    case "table.placed":
      return fill(gettext("The host gives %(name)s another place."), data);
    case "table.closing_announced":
      return data.on
        ? gettext("The table closes after this game.")
        : gettext("The table goes on after this game.");
    case "table.broken_off":
      return gettext("The host has broken the game off.");
    default:
      return null;
  }
}
