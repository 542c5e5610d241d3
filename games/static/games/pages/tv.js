// @ts-check
import { sound } from "games/kit/audio/sound.js";

// The slides of the big screen, one after the other: one fades into the next. When the page's part is
// replaced, the shown slide stays.

const EACH_MS = 9000;
let at = 0;

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

// A new match of a tournament is called up with a sound, where somebody has tapped the screen once.
let called = matches();

function matches() {
  const found = document.querySelectorAll("[data-match]");
  return new Set([...found].map((each) => each.getAttribute("data-match")));
}

function callUp() {
  const now = matches();
  if ([...now].some((match) => !called.has(match))) sound("turn");
  called = now;
}
