// Written by `manage.py browser_types` from the declarations in Python.
declare namespace Chicago {
  /** The forfeits of each leaver. */
  type AboutForfeits = { each: OwedForfeits[] };

  /** The worth of the dice by each declaration. */
  type AboutStand = { each: WorthView[] };

  /** The worth of the dice on the table, and by option the number of dice; `forced`: nothing else is open. */
  type AboutThrow = { value?: number; fish?: boolean; each: DiceToThrow[]; forced?: boolean };

  /** The announced result; `valuation` is the starter's. With `low_counts` the smallest number is best. */
  type Announcement = {
    kind: "high" | "low";
    seat: number;
    value: number;
    throws: number;
    fish: boolean;
    valuation: ValuationView | null;
    low_counts?: boolean;
  };

  /** A breach that `by` has called; `votes` are whether guilty, by seat. */
  type BreachView = {
    seat: number;
    by: number;
    breach: "spilling" | "not_in_one_go" | "foreign_object";
    voters: number[];
    votes: Record<string, boolean>;
    voted: number;
  };

  /** A breach of the rules, with the seat of the offender. */
  type CalledBreach = { seat: number; breach: "spilling" | "not_in_one_go" | "foreign_object" };

  /** A seat: the round's loser, or the leaver whose forfeits are taken. */
  type ChosenSeat = { seat: number };

  /** The dice laid out before the last throw, those that it shows, the throws so far, the dice in the cup. */
  type CupView = { laid: number[]; rolled: number[]; throws: number; in_cup: number };

  /** The number of dice that are thrown. */
  type DiceToThrow = { throws: number };

  /** The number of dice to type, and the dice laid out beside them. */
  type DiceToType = { count: number; laid: number[] };

  /**
   * Endings of the previous turn, the most important line first, and the starter of the next round or game. No
   * lines if that turn only had a result; `seq` is its entry in the log.
   */
  type EndingView = {
    seq: number;
    lines: [string, Record<string, any>][];
    is_chick: boolean;
    next: [string, Record<string, any>] | null;
  };

  /** A result of real dice. */
  type EnteredResult = { throws: number; value: number; kind: string };

  /** The dice to lay out, whether two sixes are turned into a one; `laid`: one of them was laid out before. */
  type LaidDice = { lay: number[]; turn: boolean; laid?: boolean };

  /** The round before this one. With `low_counts` the smallest number was best. */
  type LastRound = {
    round: number;
    reason: "full" | "chick" | "named" | "breach" | "one_left" | "abandoned";
    high: number | null;
    low: number | null;
    results: ResultView[];
    low_counts: boolean;
  };

  /** Forfeits of a leaver that others may take. */
  type OfferedForfeits = { seat: number; count: number };

  /** The result of the game; lists are by seat. Newcomers without a part in it are in no group of the ranking. */
  type OutcomeView = {
    reason: string;
    points: number[];
    unit: string;
    ranking: number[][];
    stats: Record<string, number>[];
    losers: number[];
    title: [string, Record<string, any>];
  };

  /** The number of a leaver's forfeits, and whether they have left for good. */
  type OwedForfeits = { count: number; has_left: boolean };

  /** The valuation in force where a result of real dice is entered. */
  type ResultToEnter = { valuation: ValuationView | null };

  /** A finished turn as JSON; `value` is 0 for a Fish where all Fish are equal. */
  type ResultView = {
    round: number;
    seat: number;
    dice: number[];
    value: number;
    throws: number;
    chick: boolean;
    fish: boolean;
  };

  /** A die that a seat has thrown for a place. */
  type RolledDie = { seat: number; die: number };

  /** The running throw, and the most that the turn may have. */
  type RunningThrow = { number: number; all: number };

  /**
   * A seat. `out` has thrown a Chick and is out of this round, `coming` plays from the next one on. `vacant`: its
   * player has paid for leaving.
   */
  type SeatView = {
    seat: number;
    status: "in" | "coming" | "out" | "safe" | "left";
    mats: number;
    mats_taken: number;
    result: ResultView | null;
    rounds_paid: number;
    forfeits: number;
    side_forfeits: number;
    chicks: number;
    fish: number;
    throws: number;
    must_refill: boolean;
    vacant: boolean;
  };

  /** The valuation that a starter declares by standing; nothing else declares one. */
  type StandingDeclaration = { ones?: number; sixes?: number; high?: boolean };

  /** A valuation as JSON: the worth of ones (100 or 1) and of sixes (60 or 6), and whether the high counts. */
  type ValuationView = { ones: number; sixes: number; high: boolean };

  /**
   * The view of a table, the same for every viewer: nothing is hidden in Chicago. `options` are the complete house
   * rules. `order` is round to the left, newcomers at the end. `stock` are the mats to be dealt, null without mats,
   * `mats_out` those that have left play. `target` is the T of §4.3, null unless mats are given away. `history` has
   * the last 12 turns, the oldest first. `asked` is the choice that the game waits for, "over" when it is.
   */
  type View = {
    round: number;
    starter: number;
    turn: number | null;
    throws_allowed: number | null;
    throws_left: number;
    throw: RunningThrow;
    exactly: boolean;
    declares: boolean;
    valuation: ValuationView | null;
    cup: CupView;
    to_type: DiceToType | null;
    to_enter: ResultToEnter | null;
    usual: number | null;
    waiting: number[];
    high: ResultView | null;
    low: ResultView | null;
    shared_low: number[];
    beat: ResultView | null;
    for_high: boolean;
    announcement: Announcement | null;
    naming: number | null;
    refill: number | null;
    breach: BreachView | null;
    offers: OfferedForfeits[];
    phase: "rounds" | "dealing" | "playing_off" | "over";
    options: Record<string, any>;
    order: number[];
    seats: SeatView[];
    stock: number | null;
    mats_out: number;
    target: number | null;
    last_round: LastRound | null;
    ending: EndingView | null;
    history: ResultView[];
    outcome: OutcomeView | null;
    waiting_for: number[];
    asked: string;
  };

  /** The vote about a breach. */
  type Vote = { guilty: boolean };

  /** The worth of the dice on the table. */
  type WorthView = { value: number; fish: boolean };

  /** The data of each event. */
  interface Events {
    announced: {
      kind: string;
      seat: number;
      value: number;
      throws: number;
      fish: boolean;
      valuation: ValuationView | null;
      low_counts?: boolean | null;
    };
    breach_called: { seat: number; by: number; breach: string; voters: number[] };
    breach_settled: {
      seat: number;
      by: number;
      breach: string;
      guilty: boolean;
      silenced: number | null;
    };
    breach_voted: { seat: number; guilty: boolean };
    breach_voter_left: { seat: number };
    chick_thrown: {
      seat: number;
      dice: number[];
      throws: number;
      value: number;
      chick: boolean;
      fish: boolean;
    };
    chick_told: { seat: number };
    declared: { seat: number; valuation: ValuationView };
    dice_awaited: { seat: number; lay: number[]; turn: boolean; laid?: boolean };
    dice_thrown: {
      seat: number;
      throw: number;
      dice: number[];
      laid: number[];
      turned: boolean;
      typed?: boolean | null;
      for_person?: boolean | null;
    };
    forfeit_taken: {
      seat: number;
      count: number;
      reason: string;
      refill: boolean;
      with_turn?: boolean | null;
    };
    forfeits_taken_over: { seat: number; leaver: number; count: number; refill: boolean };
    game_ended: {
      reason: string;
      points: number[];
      unit: string;
      ranking: number[][];
      stats: Record<string, any>[];
      losers: number[];
      without_house?: boolean;
    };
    loser_named: { seat: number; loser: number };
    mat_discarded: { seat: number };
    mat_given: { seat: number; to: number };
    mat_taken: { seat: number; stock: number };
    mats_removed: { seat: number; count: number; to_stock: boolean };
    naming_won: {
      seat: number;
      dice: number[];
      throws: number;
      value: number;
      chick: boolean;
      fish: boolean;
      kind: string;
    };
    offer_made: { seat: number; count: number; until_round: number };
    phase_started: { phase: string; stock: number | null };
    player_left: { seat: number };
    player_safe: { seat: number; reason: string };
    refilled: { seat: number };
    result_entered: { seat: number; throws: number; value: number; kind: string };
    rolled_off: { seat: number; rolls: RolledDie[][] };
    round_ended: {
      round: number;
      reason: string;
      high: number | null;
      low: number | null;
      results: ResultView[];
    };
    round_lost: { round: number; seat: number };
    round_restated: {
      starter: number | null;
      throws_allowed: number | null;
      valuation: ValuationView | null;
    };
    round_started: {
      round: number;
      starter: number;
      order: number[];
      restart: boolean;
      valuation: ValuationView | null;
    };
    round_told: { round: number };
    rounds_taken_back: {};
    seat_joined: { seat: number; at_once: boolean; stock: number | null };
    seat_occupied: { seat: number };
    seat_vacated: { seat: number };
    side_forfeit_owed: { seat: number };
    sixes_turned: { seat: number; laid: number[]; forced: boolean };
    starter_drawn: { seat: number; reason: string; rolls: RolledDie[][] };
    stock_cut: { stock: number; removed: number };
    stood: {
      seat: number;
      dice: number[];
      throws: number;
      value: number;
      chick: boolean;
      fish: boolean;
      binds: boolean;
      valuation: ValuationView | null;
    };
    timed_out: { seat: number };
    turn_started: { seat: number; throws_allowed: number | null; exactly: boolean };
    turn_taken_back: { seat: number; by: string; turn: number };
  }
  type Event = House.EventOf<Events>;

  /** Each choice. */
  interface Choices {
    call_breach: House.ChoiceOf<"call_breach", CalledBreach>;
    declare: House.ChoiceOf<"declare", ValuationView>;
    enter_result: House.ChoiceOf<"enter_result", EnteredResult>;
    name_loser: House.ChoiceOf<"name_loser", ChosenSeat>;
    refill: House.ChoiceOf<"refill", House.NoArguments>;
    stand: House.ChoiceOf<"stand", StandingDeclaration, AboutStand>;
    take_back: House.ChoiceOf<"take_back", House.NoArguments>;
    take_for: House.ChoiceOf<"take_for", ChosenSeat, AboutForfeits>;
    throw: House.ChoiceOf<"throw", LaidDice, AboutThrow>;
    type_dice: House.ChoiceOf<"type_dice", House.TypedFaces>;
    vote_breach: House.ChoiceOf<"vote_breach", Vote>;
  }
  type Choice = Choices[keyof Choices];
}
