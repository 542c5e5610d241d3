// @ts-check
/** What a player may wish of backgammon, for the menu. */
import { laterTexts } from "games/kit/page/later_texts.js";

/** @returns {Promise<{name: string, label: string, shared: string}[]>} */
export async function wishes() {
  await laterTexts();
  const shared = gettext("A device that several share does nothing by itself.");
  return [
    { name: "chouette.roll", label: gettext("Roll by itself where nobody can double"), shared },
    { name: "chouette.bear_off", label: gettext("Bear off by itself where one play is clearly the best"), shared },
  ];
}
