// Written by `manage.py browser_types` from the declarations in Python.
declare namespace House {
  /** An open decision; `basis` is the entry that opened it. */
  type SentChoice = {
    options?: Record<string, any>[];
    sets?: House.SentSets;
    about?: Record<string, any>;
    name: string;
    seat: number | null;
    basis: number;
    required: boolean;
    seconds: number | null;
  };

  /** Options `{name: [id, …]}`, ids ascending: the sets of things in `of` that no law forbids. */
  type SentSets = {
    name: string;
    of: number[];
    may_be_empty: boolean;
    laws: House.SentLaw[];
    marks?: House.SentMarks;
  };

  type SentLaw = {
    why: string;
    alike?: number[][];
    any?: number[];
    needs?: number;
    least?: number;
    or?: number[][];
  };

  /** Things of a chosen set that may be marked besides: those in `of`; a set in `forced` is marked whole. */
  type SentMarks = { name: string; of: number[]; forced: number[][]; why: string };

  /** A headline of a big screen. */
  type SentHeadline = {
    text: [string, Record<string, any>];
    kind: "line" | "turn" | "result";
    detail?: [string, Record<string, any>];
    people?: House.SentGain[];
  };

  /** A part of a headline about one player. */
  type SentGain = { seat: number; text: string; tone: "" | "plus" | "minus" };

  /**
   * The members of a view that the kit knows; a game leaves out what it does not have. `asked` is the name of the
   * choice that the game waits for. `over` is whether the game has ended, `options` are the house rules.
   */
  type KitView = {
    seats?: House.KitSeat[];
    waiting_for?: number[];
    asked?: string;
    dice?: (number | House.KitDie)[];
    over?: boolean;
    options?: Record<string, any>;
  };

  /** What the kit shows of a seat. */
  type KitSeat = { seat?: number; points?: number };

  /** A die with its colour: red, green, blue, black, white or yellow. */
  type KitDie = { value: number; colour?: string };

  /** The arguments of a choice that has none. */
  type NoArguments = {};

  /** Faces of real dice, the highest first; with `server` in their place the house throws. */
  type TypedFaces = { dice?: number[]; server?: boolean };

  /** A choice of a game, by its name, its arguments and the data of its words. */
  type ChoiceOf<Name extends string, Args, About = undefined> =
    Omit<SentChoice, "name" | "options" | "about"> & { name: Name; options?: Args[]; about?: About };
  /** An event that not everybody may read, and those of the house. */
  type OtherEvent = { type: "hidden"; data?: undefined } | { type: `table.${string}`; data: any };
  /** The events of a game, from the shapes of their data by their names. */
  type EventOf<Events> =
    { [Name in keyof Events]: { type: Name; data: Events[Name]; v?: number; private?: boolean } }[keyof Events];
}
