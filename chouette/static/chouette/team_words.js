// @ts-check
/** Who hears whom, and why somebody may not talk (docs/rules-chouette.md §4.9). */
import { namesOf } from "games/kit/seats.js";
import { fill } from "games/text.js";

/** @typedef {import("chouette/table.js").Now} Now */

/** @param {Now} now @returns {string} my role in the running game; "" for spectators */
export function roleOf({ view, me }) {
  return me === null ? "" : (view.seats[me]?.role ?? "");
}

/** Tell whether I belong to a side that talks: for all others there is no channel. @param {Now} now */
export function hasChannel(now) {
  const role = roleOf(now);
  if (now.view.phase !== "playing" || now.view.format !== "chouette") return false;
  if (role === "box") return now.view.game.partner !== null;
  return ["captain", "stand_in", "member", "partner"].includes(role);
}

/** Why there is no channel for me; "" where nothing need be said. @param {Now} now */
export function whyNone(now) {
  if (now.me === null || now.view.format !== "chouette" || now.view.phase === "over") return "";
  if (now.view.phase === "between") return gettext("The Team talks while a game is played.");
  return (
    {
      box: gettext("You are the Box: you play alone and hear nothing of the Team's talk."),
      out: gettext("You are out of this game: you give no more advice and don't hear the Team."),
    }[roleOf(now)] ?? gettext("You are not in this game: its talk is not for you.")
  );
}

/** Who hears me, or why I may not talk. @param {Now} now */
export function whoHears(now) {
  const { view, seats, me } = now;
  const others = view.me.hears.filter((/** @type {number} */ seat) => seat !== me);
  if (!others.length) return whySilent(now);
  const names = namesOf(seats, others);
  const isTeam = view.game.box !== me && view.game.partner !== me;
  return fill(isTeam ? gettext("Heard by %(names)s, never by the Box.") : gettext("Heard by %(names)s alone."), {
    names,
  });
}

/** @param {Now} now */
function whySilent(now) {
  const { options, game, seats } = now.view;
  if (options.consultation === "none") return gettext("House rule: nobody advises the Captain.");
  const own = game.cubes[seats[/** @type {number} */ (now.me)].cube];
  const isBound = options.consultation === "own_cube_turned" && roleOf(now) === "member";
  if (!isBound || own?.turned || game.asked.includes(now.me))
    return gettext("Nobody of your side is left to talk with.");
  return options.captain_may_ask
    ? gettext("House rule: you may advise once your own cube has been offered and taken, or when the Captain asks you.")
    : gettext("House rule: you may advise once your own cube has been offered and taken.");
}

/** What the rules list to say is translated for whoever reads it. @param {string} text */
export function phrase(text) {
  /** @type {Record<string, string>} */
  const known = {
    "I would double.": gettext("I would double."),
    "No double yet.": gettext("No double yet."),
    "I would take.": gettext("I would take."),
    "I would drop.": gettext("I would drop."),
    "Your choice.": gettext("Your choice."),
  };
  return Object.hasOwn(known, text) ? known[text] : text;
}
