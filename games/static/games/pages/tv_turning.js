// @ts-check
import { keepScreenOn } from "games/shell/wake_lock.js";

// What turns on a big screen besides its slides: the code and the Wi-Fi in the corner, and lists that are longer than
// the screen, page by page. And it stays awake where the browser allows that.

const CORNER_MS = [9000, 5000];
const PAGE_MS = 9000;
const LISTS = ".tv-pairs, .tv-places";
/** Pixels by which the last row of a page may be cut: the rounding of heights. */
const SLACK = 1;
let page = 0;

/** @param {Element} list @returns {HTMLElement[]} */
const rowsOf = (list) => /** @type {HTMLElement[]} */ ([...list.children]);

/**
 * Return the rows of a list by pages: as many on each as there is room for below where the list begins.
 * @param {Element} list
 * @param {number} bottom the end of the room, in pixels
 * @returns {HTMLElement[][]}
 */
function pagesOf(list, bottom) {
  const rows = rowsOf(list);
  for (const row of rows) row.hidden = false;
  const room = bottom - list.getBoundingClientRect().top;
  /** @type {HTMLElement[][]} */
  const pages = [];
  let begins = 0;
  for (const row of rows) {
    const { top, bottom: ends } = row.getBoundingClientRect();
    if (pages.length === 0 || ends - begins > room + SLACK) {
      // Rows of two columns begin at one height: a page begins with the first of them.
      pages.push([]);
      begins = top;
    }
    pages[pages.length - 1].push(row);
  }
  return pages;
}

/** Show one page of each long list; the number of the page stands beside its heading. */
function showPages() {
  const holder = document.querySelector(".tv-tournament");
  if (!holder) return;
  const bottom = holder.getBoundingClientRect().bottom;
  for (const list of holder.querySelectorAll(LISTS)) {
    const pages = pagesOf(list, endOf(list, bottom));
    const at = page % Math.max(1, pages.length);
    pages.forEach((rows, i) => { for (const row of rows) row.hidden = i !== at; });
    const heading = list.previousElementSibling;
    if (!(heading instanceof HTMLElement)) continue;
    if (pages.length > 1) heading.dataset.page = `${at + 1}/${pages.length}`;
    else delete heading.dataset.page;
  }
}

/**
 * Return where the room of a list ends: what stands below it in its section keeps its place.
 * @param {Element} list
 * @param {number} bottom
 */
function endOf(list, bottom) {
  let below = 0;
  for (let next = list.nextElementSibling; next; next = next.nextElementSibling) {
    below += next.getBoundingClientRect().height;
  }
  // The first of two lists leaves the second half the room at most.
  const room = bottom - list.getBoundingClientRect().top;
  return bottom - Math.min(below, room / 2);
}

function turn() {
  page += 1;
  showPages();
}

let turning = setInterval(turn, PAGE_MS);
let newest = firstMatch();

function firstMatch() {
  return document.querySelector("[data-match]")?.getAttribute("data-match");
}

document.addEventListener("htmx:oobAfterSwap", () => {
  if (newest !== firstMatch()) {
    // New matches stand first: their people are called at once.
    newest = firstMatch();
    page = 0;
    clearInterval(turning);
    turning = setInterval(turn, PAGE_MS);
  }
  showPages();
});
addEventListener("resize", showPages);

/** @param {number} at which of the corner's lines is shown */
function turnCorner(at) {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".tv-corner [data-turn]")]);
  if (all.length < 2) return;
  const lines = all.filter((line) => line.textContent?.trim());
  for (const line of all) line.hidden = line !== lines[at % lines.length];
  setTimeout(() => turnCorner((at + 1) % lines.length), CORNER_MS[Math.min(at, 1)]);
}

turnCorner(0);
document.fonts.ready.then(showPages);
keepScreenOn();
