// @ts-check
/** The strip below the bar: one notice in a line; a tap opens the sheet with all of them and their buttons. */
import { byId, h, setAttr, setText } from "games/kit/page/dom.js";
import { StrayTaps } from "games/kit/stray_taps.js";

/** What has to be read first. */
const KINDS = [".stop", ".warn, .warning", "*"];

/** Show in the strip what stands in the sheet, and close the sheet when nothing stands in it any more. */
export function wireStrip() {
  const strip = byId("strip"), sheet = byId("banner-sheet"), line = h("span", {});
  strip.replaceChildren(line);
  // Its notices come and go by themselves.
  new StrayTaps(sheet);
  const show = () => {
    const all = [...sheet.querySelectorAll(".notice, .banner")].filter((one) => !one.closest("[hidden]"));
    const [first] = KINDS.flatMap((kind) => all.filter((one) => one.matches(kind)));
    const text = (first?.querySelector("p, span") ?? first)?.textContent?.trim().replace(/\s+/g, " ") ?? "";
    setText(line, all.length > 1 ? `${text} (+${all.length - 1})` : text);
    setAttr(strip, "title", text);
    setAttr(strip, "data-kind", KINDS.findIndex((kind) => first?.matches(kind)) === 0 ? "stop" : "warn");
    strip.hidden = !first;
    if (!first && sheet.open) sheet.close();
  };
  new MutationObserver(show).observe(sheet, { subtree: true, childList: true, characterData: true, attributes: true });
  show();
}
