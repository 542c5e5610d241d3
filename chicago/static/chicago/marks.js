// @ts-check
/** What the boxes of Chicago's table hold, as its style sheets ask for it. */

/** @type {import("games/kit/page/marks.js").Marks} */
export const MARKS = {
  ".ct-answers": { many: ":scope > :nth-child(5)" },
  ".ct-mid": {
    many: ".ct-last li:nth-child(4)",
    declaration: ".ct-declare:not([hidden])",
    greetings: ":scope > .ct-greets:not([hidden])",
    notice: ":scope > .ct-notices :is(.notice:not([hidden]), .banner)",
  },
  ".ct": {
    seven: ".ct-seat:nth-child(7)",
    eleven: ".ct-seat:nth-child(11)",
    outcome: ".ct-outcome:not([hidden])",
    strip: ":scope > .ct-strip > .strip:not([hidden])",
  },
  ".ct-dock": { seat: ".ct-notices :is(#join-bar, #accept-bar):not([hidden])" },
  ".ct-notices": { notice: ".notice:not([hidden]), .banner" },
  ".ct-strip": { strip: ":scope > .strip:not([hidden])" },
  ".ct-last ol": { many: ":scope > :nth-child(4)", none: ":scope > .muted" },
  ".ct-seat": {
    sign: ':scope > .ct-badge:is([data-kind="high"], [data-kind="low"]):not([hidden])',
    word: ':scope > .ct-badge:not([data-kind="high"], [data-kind="low"], [hidden])',
    end: '.ct-badge:is([data-kind="pays"], [data-kind="safe"]):not([hidden])',
    result: ".ct-result:not(:empty)",
    mats: ".ct-stack:not([hidden])",
    strokes: ".ct-stack[hidden]",
    room: ":scope > .ct-has + .ct-badge[hidden]",
  },
  ".ct-card": { great: ".ct-great", crowd: ".ct-ranking > :nth-child(9)" },
  ".ct-info": { advice: ".ct-advice:not([hidden])", long: ".ct-need[data-long]" },
  ".ct-ranking": { many: ":scope > :nth-child(4)", crowd: ":scope > :nth-child(7)" },
  "body": { headline: ".headlines:not([hidden])" },
};
