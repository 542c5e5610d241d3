// @ts-check
/** What a player may wish of backgammon, for the menu. */
import { OWN_TIME } from "chouette/dock/time_asked.js";

/** @returns {{name: string, label: string, shared: string, isOn?: boolean}[]} */
export function wishes() {
  const shared = gettext("A device that several share does nothing by itself.");
  return [
    { name: "chouette.roll", label: gettext("Roll by itself where nobody can double"), shared },
    { name: "chouette.bear_off", label: gettext("Bear off by itself where one play is clearly the best"), shared },
    { name: OWN_TIME, label: gettext("My own time: ask for it whenever I may double before a roll"), shared, isOn: false },
  ];
}
