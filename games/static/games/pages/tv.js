// @ts-check
// The slides of the big screen take turns, calmly: one fades into the next, and when the page's part is
// drawn anew the one that was shown stays.

const EACH_MS = 9000;
let at = 0;

/** @param {boolean} isTurning whether to fade, or to show it as if it had been there */
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

document.addEventListener("htmx:oobAfterSwap", () => show(false));
