// @ts-check
/** What is said and heard when something happens: what the log tells, each once. */
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
  result_told: ["answer_result"],
};

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
    else if (!isEnd || isAnswer(event) || event.type !== "cube_settled") emit("say", { text });
  }
  const name = sounded(events);
  if (name) emit("sound", { name });
}

/** Tell whether a cube went out by an answer: what the others came to, the end of the game says. @param {any} event */
const isAnswer = ({ data }) => ["dropped", "beaver_dropped"].includes(data.how);

/** At most one sound for what happens at once. @param {{type: string}[]} events */
function sounded(events) {
  const types = events.map((event) => event.type);
  if (types.includes("session_ended")) return "end";
  if (types.includes("game_ended")) return "win";
  if (types.some((type) => type in OFFERS)) return "offer";
  return types.includes("double_taken") ? "tap" : "";
}
