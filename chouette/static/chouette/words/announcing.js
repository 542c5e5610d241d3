// @ts-check
/** Announcements and sounds of events: the lines of the log, each once. */
import { describe } from "chouette/words/describe.js";
import { nextGame } from "chouette/words/outcome.js";

/** @typedef {import("chouette/table.js").Now} Now */

/** Events that ask a question, and the choices that answer it. @type {Record<string, string[]>} */
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
 * @param {Now} now the table after them
 * @param {(type: string, detail: object) => void} emit
 */
export function announce(events, now, emit) {
  const isEnd = events.some(({ type }) => type === "game_ended");
  for (const event of events) {
    const text = describe(event, now.seats);
    if (!text) continue;
    const answer = OFFERS[event.type];
    if (answer) emit("say", { text, isUrgent: now.choices.some((c) => answer.includes(c.name)), aloud: true });
    else if (event.type === "game_ended" || event.type === "session_ended") {
      // There are roles only if another game follows.
      emit("say", { text: now.view.roles ? `${text} ${nextGame(now.view, now.seats)}` : text, aloud: true });
    }
    else if (!isEnd || isAnswer(event) || event.type !== "cube_settled") emit("say", { text });
  }
  const name = sounded(events);
  if (name) emit("sound", { name });
}

/** Tell whether a cube went out by an answer; the end of the game announces the other results. @param {any} event */
const isAnswer = ({ data }) => ["dropped", "beaver_dropped"].includes(data.how);

/** Return at most one sound for simultaneous events. @param {{type: string}[]} events */
function sounded(events) {
  const types = events.map((event) => event.type);
  if (types.includes("session_ended")) return "end";
  if (types.includes("game_ended")) return "win";
  if (types.some((type) => type in OFFERS)) return "offer";
  return types.includes("double_taken") ? "tap" : "";
}
