// @ts-check
/** What is said and heard when something happens: rolls and plays are said by the board. */
import { describe } from "chouette/describe.js";

/** @typedef {import("chouette/table.js").Now} Now */

/** What asks somebody something, and the choice by which they answer. @type {Record<string, string[]>} */
const OFFERS = {
  doubled: ["answer", "answer_batch"],
  beavered: ["reply"],
  raccooned: ["reply"],
  resignation_offered: ["answer_resignation"],
  play_asked_back: ["answer_take_back"],
  settlement_proposed: ["answer_proposal"],
};

const NEWS = [
  "game_started",
  "opening_tied",
  "cubes_doubled",
  "double_taken",
  "extra_given",
  "captain_changed",
  "play_taken_back",
  "play_back_refused",
  "play_back_lapsed",
  "settlement_refused",
  "settlement_lapsed",
  "resignation_closed",
  "seat_joined",
  "seat_left",
];

/**
 * @param {{type: string, data: any}[]} events
 * @param {Now} now as it is after them
 * @param {(type: string, detail: object) => void} emit
 */
export function announce(events, now, emit) {
  const isEnd = events.some(({ type }) => type === "game_ended");
  for (const event of events) {
    const text = describe(event, now.seats);
    if (!text) continue;
    const answer = OFFERS[event.type];
    if (answer) emit("say", { text, isUrgent: now.choices.some((c) => answer.includes(c.name)), aloud: true });
    else if (event.type === "game_ended" || event.type === "session_ended") emit("say", { text, aloud: true });
    else if (NEWS.includes(event.type) || (event.type === "cube_settled" && !isEnd)) emit("say", { text });
  }
  const name = sounded(events);
  if (name) emit("sound", { name });
}

/** At most one sound for what happens at once. @param {{type: string}[]} events */
function sounded(events) {
  const types = events.map((event) => event.type);
  if (types.includes("session_ended")) return "end";
  if (types.includes("game_ended")) return "win";
  if (types.some((type) => type in OFFERS)) return "offer";
  return types.includes("double_taken") ? "tap" : "";
}
