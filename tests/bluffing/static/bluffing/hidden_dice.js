// @ts-check
/** The events with dice that their owner alone may see until the table has ended (docs/fair-dice.md). */
export const HIDDEN_DICE = ["dice_seen"];
