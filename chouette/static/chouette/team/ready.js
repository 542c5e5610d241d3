// @ts-check
/** The rules' ready phrases, which advise like a suggested play: what one of them says of the present decision. */
import { fill } from "games/kit/page/text.js";

/** The stages in which the phrases make sense: of doubling before a roll, of answers while a double is open. */
export const FITS = /** @type {Record<string, string[]>} */ ({
  "I would double.": ["window", "offer", "roll"], "No double yet.": ["window", "offer", "roll"],
  "I would take.": ["answers", "replies"], "I would drop.": ["answers", "replies"],
});
/** The events that begin another decision. */
const BEGINS = ["game_started", "dice_rolled", "play_made", "doubled", "answers_opened"];

/** Tell whether a line is advice: screen readers hear it when they ask for it. @param {string} text */
export const isAdvice = (text) => Object.prototype.hasOwnProperty.call(FITS, text);

/** The advice of each seat on the present decision. */
export class Advice {
  /** @type {Map<number, string>} */
  bySeat = new Map();

  /** @param {Chouette.Event[]} events */
  hear(events) {
    for (const { type, data } of events) {
      if (BEGINS.includes(type)) this.bySeat.clear();
      if (type === "talked" && data && isAdvice(data.text)) this.bySeat.set(data.seat, data.text);
    }
  }
}

/** Return a line of talk in the page's language: the rules' ready phrases are translated. @param {string} text */
export function readyText(text) {
  /** @type {Record<string, string>} */
  const known = {
    "I would double.": gettext("I would double."),
    "No double yet.": gettext("No double yet."),
    "I would take.": gettext("I would take."),
    "I would drop.": gettext("I would drop."),
    "Your choice.": gettext("Your choice."),
  };
  return Object.prototype.hasOwnProperty.call(known, text) ? known[text] : text;
}

/** Return a line of talk with who says it. @param {string} name @param {string} text */
export const saidText = (name, text) => fill(gettext("%(name)s says: %(text)s"), { name, text });
