// @ts-check
import { sound, wakeAgain } from "games/kit/audio/sound.js";
import { keepMarks } from "games/kit/page/marks.js";
import { read, write } from "games/kit/page/preferences.js";

// The slides of the big screen, one after the other: one fades into the next. When the page's part is
// replaced, the shown slide stays.

const EACH_MS = 9000;
/** @type {import("games/kit/page/marks.js").Marks} */
const MARKS = {
  ".tv-left": { many: ".tv-seats li:nth-child(7)" },
  ".tv-seats": { crowd: ":scope > :nth-child(11)" },
  ".tv-slide": { picture: ".tv-picture" },
};
let at = 0;
keepMarks(MARKS);

/** @param {boolean} isTurning whether to fade to the slide, or to show it at once */
function show(isTurning) {
  const holder = document.querySelector(".tv-slides");
  holder?.classList.toggle("is-turning", isTurning);
  const slides = [...document.querySelectorAll(".tv-slide")];
  slides.forEach((slide, i) => slide.toggleAttribute("data-shown", i === at % slides.length));
}

setInterval(() => {
  at += 1;
  show(true);
}, EACH_MS);

document.addEventListener("htmx:oobAfterSwap", () => {
  show(false);
  callUp();
});

// A new match of a tournament is called up with a sound, where somebody has tapped the screen once. The screen's page
// is loaded anew when a tournament begins, so the tab keeps which matches it has called.
const CALLED = "called";
/** @type {Set<string>} */
const called = new Set(JSON.parse(read(sessionStorage, CALLED) ?? "null") ?? matches());

/** Most new matches that are called by their names; of more, all look at the screen. */
const MOST_CALLED = 4;

function matches() {
  return [...document.querySelectorAll("[data-match]")].map(matchOf);
}

/** @param {Element} row */
function matchOf(row) {
  return row.getAttribute("data-match") ?? "";
}

function callUp() {
  const now = [...document.querySelectorAll("[data-match]")].filter((row) => !called.has(matchOf(row)));
  const words = now.map((row) => row.getAttribute("data-call") ?? "").filter(Boolean);
  if (now.length && document.getElementById("tv-bell")) {
    const heading = document.querySelector(".tv-tournament h2")?.textContent?.trim() ?? "";
    const text = [`${heading}.`, ...(words.length > MOST_CALLED ? [] : words.map((each) => `${each}.`))].join(" ");
    const call = { key: now.map(matchOf).join(), text, at: performance.now() };
    document.dispatchEvent(new CustomEvent("call", { detail: call }));
  } else if (now.length) sound("turn");
  for (const row of now) called.add(matchOf(row));
  write(sessionStorage, CALLED, JSON.stringify([...called]));
}

wakeAgain().then(callUp);
