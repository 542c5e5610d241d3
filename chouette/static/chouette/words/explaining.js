// @ts-check
/** What a word at the table means, in a sentence: shown when it is tapped. The rules have the rest. */

/**
 * Return the sentence for a word, "" where there is none.
 * @param {string} word a role of the view, "cube", or what may follow a take
 */
export function explanation(word) {
  /** @type {Record<string, string>} */
  const sentences = {
    box: gettext("The Box plays alone against all others, with the dark checkers."),
    captain: gettext("The Captain rolls and moves for the Team, with the light checkers."),
    stand_in: gettext("The stand-in is Captain for the rest of this game: the Captain has won their cube and is out."),
    member: gettext("A member is of the Team against the Box; the Captain rolls and moves for all of them."),
    partner: gettext("The partner advises the Box, has no cube, and shares its result half and half."),
    deputy: gettext("The deputy rolls and moves for the rest of this game; who owns a cube goes on deciding about it."),
    out: gettext("Whose cube was dropped or settled is out for the rest of this game."),
    cube: gettext("A cube says what the game counts. In the middle either side may double, at an end only who has it."),
    beaver: gettext("Beaver: who takes a double doubles again at once, and keeps the cube."),
    raccoon: gettext("Raccoon: who was beavered doubles once more; the cube stays where it is."),
    extra: gettext("Extra: who has dropped pays, and plays on with a second cube against the one who has taken."),
  };
  return sentences[word] ?? "";
}
