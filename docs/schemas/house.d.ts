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

  /** An event as its reader may see it: only `{"type": "hidden"}` if they may not. */
  type SentEvent = { type: string; data?: Record<string, any>; v?: number; private?: boolean };

  /** A headline of a big screen; `rise`: from what to what a cube goes, `calls`: what is said aloud. */
  type SentHeadline = {
    text: [string, Record<string, any>];
    kind: "line" | "turn" | "result";
    detail?: [string, Record<string, any>];
    people?: House.SentGain[];
    rise?: number[];
    great?: boolean;
    calls?: [string, Record<string, any>][];
  };

  /** A part of a headline about one player. */
  type SentGain = { seat: number; text: string; tone: "" | "plus" | "minus" };

  /** The table object (docs/protocol.md §5). */
  type SentTable = {
    id: string;
    night: string;
    number: number;
    game: string;
    preset: string;
    house_rules: Record<string, any> | null;
    medium: string;
    status: "lobby" | "playing" | "paused" | "finished";
    host: number;
    broken_off: boolean;
    scorekeeper: House.SentPerson | null;
    seats: House.SentTableSeat[];
    successor: string | null;
    corrections: House.SentCorrection[];
    commitment: string;
    url: string;
  };

  /** A person of the night. */
  type SentPerson = { player: number | null; name: string };

  /**
   * A seat of the table object. `player` is null when nobody or a bot sits there, `gone`: it has left for good.
   * `accepted`: its person has accepted the rules. `keeper` acts for a person without a phone. `before` are its
   * earlier people, the oldest first.
   */
  type SentTableSeat = {
    id: string;
    seat: number;
    name: string;
    player: number | null;
    bot: string;
    accepted: boolean;
    gone: boolean;
    keeper: House.SentPerson | null;
    before?: House.EarlierSitter[];
  };

  /** An earlier person of a seat, with the entry by which the next one sat down. */
  type EarlierSitter = { name: string; upto: number };

  /**
   * A correction of a result that waits until those of `waiting` have agreed; `by` proposed it. With
   * `one_is_enough` the first answer decides. `told` is the result of a match on a real board.
   */
  type SentCorrection = {
    id: string;
    result: number;
    seat: number | null;
    points: Record<string, number>;
    told: Record<string, any> | null;
    reason: string;
    waiting: number[];
    one_is_enough: boolean;
    by: House.SentPerson | null;
    asked: House.SentPerson[];
  };

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

  /** The members of a seat that the kit shows. */
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
