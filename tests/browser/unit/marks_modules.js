// What boxes hold is written on them, before the next frame.
import { equal } from "/unit/assert.js";
import { h } from "games/kit/page/dom.js";
import { keepMarks, markNow } from "games/kit/page/marks.js";

const told = () => new Promise((done) => { setTimeout(done); });

/** @param {...Node} children */
function box(...children) {
  const made = h("div", { class: "m-box" }, ...children);
  document.body.append(made);
  return made;
}

const MARKS = { ".m-box": { note: ":scope > .m-note:not([hidden])", many: ":scope > :nth-child(3)" } };

export async function testABoxSaysWhatItHoldsAndWhatComesLater() {
  const early = box(h("p", { class: "m-note" }));
  keepMarks(MARKS);
  equal(early.dataset.has, "note");
  const late = box();
  await told();
  equal(late.dataset.has, undefined);
  late.append(h("p", { class: "m-note" }), h("p", {}), h("p", {}));
  await told();
  equal(late.dataset.has, "note many");
}

export async function testAMarkGoesWithWhatItStandsFor() {
  const note = h("p", { class: "m-note" }), made = box(note);
  keepMarks(MARKS);
  await told();
  equal(made.dataset.has, "note");
  note.hidden = true;
  await told();
  equal(made.hasAttribute("data-has"), false);
  note.hidden = false;
  await told();
  equal(made.dataset.has, "note");
  made.className = "";
  await told();
  equal(made.hasAttribute("data-has"), false, "it is no box of these any more");
}

export async function testTwoListsMarkTheSameBox() {
  const made = box(h("b", {}), h("p", { class: "m-note" }));
  keepMarks({ ".m-box": { bold: "b" } });
  keepMarks(MARKS);
  await told();
  equal(made.dataset.has.split(" ").sort().join(" "), "bold note");
}

export async function testAnAttributeOfWhatIsHeldCounts() {
  const held = h("p", { "data-kind": "calm" }), made = box(held);
  keepMarks({ ".m-box": { result: '[data-kind="result"]' } });
  held.dataset.kind = "result";
  await told();
  equal(made.dataset.has, "result");
}

export function testWhatIsMeasuredAtOnceFindsTheMarks() {
  keepMarks(MARKS);
  const made = box(h("p", { class: "m-note" }));
  equal(made.dataset.has, undefined);
  markNow();
  equal(made.dataset.has, "note");
}
