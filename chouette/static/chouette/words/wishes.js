// @ts-check
/** What a player may wish of backgammon, for the menu. */
import { OWN_TIME } from "chouette/dock/time_asked.js";

/** The name of the look that a player wishes. */
const LOOK = "chouette.look";

/** @returns {import("games/shell/wishes.js").OwnWish[]} */
export function wishes() {
  const shared = gettext("A device that several share does nothing by itself.");
  return [
    { name: "chouette.roll", label: gettext("Roll by itself where I cannot double, or on auto no double"), shared },
    {
      name: "chouette.confirm", label: gettext("Confirm by itself a play that hits nothing and breaks no point"),
      shared,
    },
    { name: "chouette.bear_off", label: gettext("Bear off by itself where one play is clearly the best"), shared },
    { name: "chouette.home_left", label: gettext("Home board on the left"), isOn: false },
    {
      name: LOOK, label: gettext("Look of the board"),
      looks: [["", gettext("Usual")], ["light", gettext("Lighter woods")], ["contrast", gettext("High contrast")]],
    },
    {
      name: OWN_TIME, label: gettext("My own time: ask for it whenever I may double before a roll"), shared,
      isOn: false,
    },
  ];
}
