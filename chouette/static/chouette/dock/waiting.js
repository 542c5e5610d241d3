// @ts-check
/** What stands in the dock of whoever waits: their stakes, the race, and greetings by one tap. */
import { greetingsOf } from "games/kit/greetings.js";
import { h } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/** Return my stakes and the race in a line, "" where there is nothing to tell. @param {Scene} scene */
export function standText(scene) {
  const isPlaying = scene.view.phase === "playing" && scene.me !== null && scene.game.stage !== "opening";
  return isPlaying ? [stakesText(scene), raceText(scene)].filter(Boolean).join(" · ") : "";
}

/**
 * Return what the cubes are worth that I win or lose by, with a gammon where it counts for more.
 * @param {Pick<Scene, "game" | "me">} scene
 */
export function stakesText({ game, me }) {
  const own = game.cubes.filter(({ member, against, result }) =>
    result === null && [member, against].includes(me ?? -1));
  if (!own.length) return "";
  const [points, gammon] = [0, 1].map((level) => own.reduce((sum, { worth }) => sum + worth[level], 0));
  const [{ value }] = own, count = own.length;
  const cubes = count === 1 ? fill(gettext("Cube at %(value)s: ±%(points)s"), { value, points })
    : fill(ngettext("%(count)s cube: ±%(points)s", "%(count)s cubes: ±%(points)s", count), { count, points });
  return gammon > points ? fill(gettext("%(cubes)s, gammon %(gammon)s"), { cubes, gammon }) : cubes;
}

/** Return my side's pips and its lead, "" where the house rules hide them. @param {Pick<Scene, "game" | "me">} scene */
export function raceText({ game: { pips, box, partner }, me }) {
  if (!pips) return "";
  const [theirs, own] = me !== null && [box, partner].includes(me) ? [pips[1], pips[0]] : pips;
  const params = { own, theirs, lead: Math.abs(own - theirs) };
  if (own === theirs) return fill(gettext("pips %(own)s, level"), params);
  const text = own < theirs ? gettext("pips %(own)s, %(lead)s ahead") : gettext("pips %(own)s, %(lead)s behind");
  return fill(text, params);
}

/** Return the greetings for a player of whom nothing is asked, as a row. @param {Scene} scene */
export function greetingRow(scene) {
  const all = greetingsOf(scene.now, (text) => scene.acts.emit("greet", { text }), scene.redraw);
  const buttons = all.map(({ text, off, run }) =>
    scene.button({ id: `greet ${text}`, label: text, off, run, kind: "bt-d-small bt-d-greet" }));
  if (!buttons.length) return [];
  return [h("li", { class: "bt-d-greets", role: "group", "aria-label": gettext("Greetings") }, buttons)];
}
