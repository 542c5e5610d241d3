// @ts-check
/** What the boxes of backgammon's table hold, as its style sheets ask for it. */

/** @type {import("games/kit/page/marks.js").Marks} */
export const MARKS = {
  ".bt-strip": { strip: ":scope > .strip:not([hidden])" },
  ".bt-talk": { hidden: ":scope > [hidden]" },
  ".bt-mates": { winners: '[data-place="1"] ~ [data-place="1"] ~ [data-place="1"]' },
  ".bt-d-panel": {
    crowd: ".bt-d-rows > :nth-child(9)",
    many: "[data-many]",
    notes: ".bt-d-note ~ .bt-d-note",
    ends: '[data-act^="ends "]',
  },
  ".bt-d-rows": {
    ends: '[data-act^="ends "]',
    chip: ".bt-d-chip",
    greets: ":scope > .bt-d-greets",
    few: ":scope > :nth-child(-n + 4):last-child",
    crowd: ":scope > :nth-child(9)",
    gains: ":scope > :nth-child(9) > .bt-rank-gain",
  },
  ".bt-dock": {
    ends: '[data-act^="ends "]',
    play: ".bt-controls[data-open]",
    plays: ".bt-controls[data-plays]",
    all: '.bt-controls[data-plays="all"]',
    buttons: ":scope > .bt-d-buttons:not(:empty)",
    nothing: ":scope > .bt-d-panels > .bt-d-panel:empty:only-child",
    offer: ':scope > .bt-d-panels > [data-kind="offer"]',
    result: ':scope > .bt-d-panels > [data-kind="result"]',
    panel: ":scope > .bt-d-panels > .bt-d-panel:not(:empty)",
  },
  ".bt-d-row": { answers: ".bt-d-answers :is(small, :nth-child(3))" },
  ".bt-mate": { cube: ".bt-cube", result: ".bt-result:not([hidden])", tap: ":scope > .bt-mate-tap:not([hidden])",
    short: ":scope > .bt-mate-tap[data-short]:not([hidden])", mark: ".bt-mark[data-mark]:not([hidden])" },
  ".bt-mate-who": { clock: ":scope > .bt-clock:not([hidden])" },
  ".bt-members": { tap: ".bt-mate-tap:not([hidden])" },
  ".bt-panels": {
    dock: ":scope > .bt-dock:not([hidden])",
    begun: ":scope > .bt-dock[hidden] > .bt-play > [data-begun]",
  },
  ".bt-sheet-table": { small: "tbody th small" },
  ".bt-team": { chips: ".bt-team-chips > :not([hidden])" },
  ".bt-side": { plays: ".bt-team-suggested:not([hidden])", talk: ":scope > .bt-panels > .bt-dock[hidden]" },
  ".bt-wood": { score: ":scope > .bt-wood-score:not([hidden])" },
  ".bt-wood-line": { many: ":scope > :nth-child(6)", crowd: ":scope > :nth-child(9)" },
  "[data-phase]": {
    crowd: '[data-n="9"], [data-n="10"]', many: '[data-n="7"], [data-n="8"], [data-n="9"], [data-n="10"]',
    few: '[data-n="2"], [data-n="3"], [data-n="4"]',
  },
};
