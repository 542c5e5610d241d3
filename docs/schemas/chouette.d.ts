// Written by `manage.py browser_types` from the declarations in Python.
declare namespace Chouette {
  /** The value of the doubled cubes. */
  type AboutAutomatic = { doubled: number };

  /**
   * A cube in words: its member, value, doubled value and price; of an extra the other side, too. `is_many`:
   * several cubes are asked about. `has_doubled`: its member has said double.
   */
  type AboutCube = {
    member: number;
    value: number;
    doubled: number;
    cost: number;
    is_many: boolean;
    against?: number;
    extra?: boolean;
    has_doubled?: boolean;
  };

  /** The cubes of the options. */
  type AboutCubes = { each: AboutCube[] };

  /** The seat that would be the partner. */
  type AboutPartner = { partner: number };

  /** A cube of a proposal, with the points that it brings or costs the answering player. */
  type AboutProposal = {
    member: number;
    value: number;
    doubled: number;
    cost: number;
    is_many: boolean;
    against?: number;
    extra?: boolean;
    has_doubled?: boolean;
    points: number;
    is_costing: boolean;
  };

  /** The proposing seat, the points of the first proposal to the seat, and each option's. */
  type AboutProposals = { by: number; points: number; each: AboutProposal[] };

  /** The first question, with the seat on its other side, and each option's. */
  type AboutReply = {
    kind: "extra" | "beaver" | "must_beaver" | "beavered" | "raccooned";
    value: number;
    other: number;
    each: AboutReplyTo[];
  };

  /** A cube and the kind of the question about it. */
  type AboutReplyTo = {
    member: number;
    value: number;
    doubled: number;
    cost: number;
    is_many: boolean;
    against?: number;
    extra?: boolean;
    has_doubled?: boolean;
    kind: string;
  };

  /** The points of the offered resignation for the seat. */
  type AboutResignation = { points?: number };

  /** The Box's answer to a double of all cubes. */
  type Agreement = { agree: boolean };

  /** An unanswered question after the takes; the ones listed in choices come first. */
  type AskView = {
    kind: "extra" | "beaver" | "must_beaver" | "beavered" | "raccooned";
    cube: number;
    seat: number;
    value: number;
  };

  /** The time of a seat: for a decision, or the grace time again for one that comes late. */
  type AskedTime = { late: boolean };

  /** A play in notation, "" where none is possible. */
  type ChosenPlay = { play: string };

  /**
   * Game clocks: the reserves by seat in milliseconds, as last pressed, and the seat whose clock runs. `turn` is on
   * a real board the seat on turn, `delay` the free milliseconds of a turn. The flags of `fallen` have fallen.
   */
  type ClockView = {
    left: number[];
    runs: number | null;
    turn: number | null;
    delay: number;
    fallen: number[];
  };

  /** The kind of game clocks that a seat would like; null for none any more. */
  type ClockWish = { clock: string | null };

  /** A request to the other side since the last play; `by` is the seat that refused or accepted. */
  type ClosedRequest = {
    what: "settlement" | "take_back";
    became: "accepted" | "refused" | "lapsed";
    cube: number | null;
    by: number | null;
  };

  /** A yes or no of a seat. */
  type Consent = { accept: boolean };

  /** A yes or no of a seat to a proposal for a cube. */
  type ConsentForCube = { cube: number; accept: boolean };

  /** The answer to a double. */
  type CubeAnswer = { cube: number; take: boolean; beaver?: boolean };

  /** The reply to a question after the takes. */
  type CubeReply = { cube: number; reply: string };

  /**
   * A cube. `worth` are the points of a single game, a gammon and a backgammon on it as it is now (Jacoby).
   * `result` are the member's points. `holder` decides for the member's side (the caretaker of the cube, if they
   * left). `how` is "" while it is in the game.
   */
  type CubeView = {
    cube: number;
    member: number;
    against: number;
    holder: number;
    value: number;
    worth: number[];
    owner: "centre" | "member" | "against";
    turned: boolean;
    extra: boolean;
    result: number | null;
    how: string;
  };

  /**
   * The Team's cube window while it is open. `may_double` are the cubes in the order in which they speak, `spoken`
   * those that have, in an open order; sealed words are not shown. The ring waits for `asked`, `thinking` have a
   * time of their own.
   */
  type CubeWindow = {
    may_double: number[];
    spoken: number[];
    ring: RingView | null;
    asked: number[];
    thinking: number[];
    waits: WaitView[];
  };

  /** A word about a cube. */
  type CubeWord = { cube: number; double: boolean };

  /** The seats that roll and move in place of the Box or Captain. */
  type DeputiesView = { box: number | null; team: number | null };

  /** A die that a seat has thrown. */
  type DieView = { seat: number; die: number };

  /** The end of the session; `leaders` have `best` points. `score` is the match's, the winner's first. */
  type EndOfSession = {
    reason: "closed" | "too_few" | "match_won" | "time" | "time_limit";
    winner: number | null;
    best: number;
    leaders: number[];
    score: number[];
    headline: [string, Record<string, any>];
  };

  /**
   * The next Box with the reason; `now` and `next` are seats of those who will be there, `box` and `captain` of
   * those who were.
   */
  type Following = {
    why: "rolled" | "drawn" | "by_hand" | "box_stays" | "captain_wins" | "last_captain_wins" | "box_below_even" | "moved_up" | "passed_on";
    now: number | null;
    next: number;
    box: number;
    captain: number;
    stood_in: number | null;
  };

  /**
   * A game. On stage `wood` it runs on a real board; on `result` `told` waits. `on_roll` rolls and moves for the
   * side on turn. `single`: the Team has a single cube: `cubes` are the stakes in it, all alike, and the Captain's
   * stands for it in choices. `outs` are the cubes in the order in which they went out.
   */
  type GameView = {
    points: number[];
    off: number[];
    pips: number[] | null;
    position_id: string;
    dice: number[];
    last_play: LastPlayView | null;
    batch: number[];
    window: CubeWindow | null;
    reopened: SecondChance[];
    answered: number[];
    asks: AskView[];
    resignation: ResignationView | null;
    proposals: ProposalView[];
    requests: RequestView[];
    asked: number[];
    number: number;
    running: boolean;
    box: number;
    captain: number;
    first_captain: number;
    partner: number | null;
    stage: "opening" | "automatic" | "window" | "offer" | "answers" | "replies" | "roll" | "move" | "ended" | "wood" | "result";
    turn: "box" | "team" | "";
    on_roll: number | null;
    deputies: DeputiesView;
    opening: DieView[];
    ties: number;
    single: boolean;
    cubes: CubeView[];
    outs: number[];
    told: ToldView | null;
  };

  /** Points of the score beside the games: given at the start (game 0), or for time in that game. */
  type GivenPoints = { seat: number; points: number; game: number };

  /** On a real board the act, a choice, that may be taken back. */
  type LastAct = { seat: number; act: string };

  /** The last game; `side` has won, "" if neither. */
  type LastGame = {
    number: number;
    reason: string;
    winner: "box" | "team";
    box: number;
    captain: number;
    last_captain: number;
    partner: number | null;
    points: number[];
    why: "rolled" | "drawn" | "by_hand" | "box_stays" | "captain_wins" | "last_captain_wins" | "box_below_even" | "moved_up" | "passed_on";
    line_before: number[];
    line_after: number[];
    loser: number;
    side: "box" | "team" | "";
    headline: [string, Record<string, any>];
    following: Following;
  };

  /** The last play; `before` are the 26 points before it. */
  type LastPlayView = {
    seat: number;
    side: "box" | "team";
    dice: number[];
    play: string;
    before: number[];
    asked_back: boolean;
  };

  /** The seat that would look after one's cube, null for none. */
  type NamedProxy = { seat: number | null };

  /** The cubes that the Box turns. */
  type OfferedCubes = { cubes: number[] };

  /** A cube. */
  type OneCube = { cube: number };

  /** Dice that were thrown together for the first line. */
  type OrderRolls = { rolls: DieView[] };

  /** A seat. */
  type OtherSeat = { seat: number };

  type OwnAnswer = { for: number; takes: boolean; beavers: boolean };

  type OwnReply = { for: number; reply: string };

  /** The part of a view for the seat alone. `auto`: auto no double. */
  type OwnView = {
    talk: TalkLine[];
    suggestions: SuggestedPlay[];
    may_talk: boolean;
    hears: number[];
    words: OwnWord[];
    given: OwnAnswer[];
    replied: OwnReply[];
    resigned_to: boolean | null;
    closed: ClosedRequest[];
    auto: boolean;
  };

  type OwnWord = { for: number; says: boolean };

  /** The Box's answer to the question for a partner. */
  type PartnerTaken = { take: boolean };

  /** The pause after a game: the entry that began it, its length, which of the next Box and Captain have gone on. */
  type PauseView = { opened: number; seconds: number; ready: number[]; waiting: number[] };

  /** A proposal to settle a cube for points to its member. */
  type ProposalView = { cube: number; by: number; points: number };

  /** Points for a cube's member; any whole number is accepted, not the listed ones alone. */
  type ProposedPoints = { cube: number; points: number };

  /**
   * An open request: the seat that asks (`by`) and the seats that have not answered yet (`to`). The game goes on
   * without their answers. Everybody sees it, but not the points of a settlement.
   */
  type RequestView = { what: "settlement" | "take_back"; by: number; to: number[] };

  /** An offer to resign; `waiting` are the cubes without an answer. */
  type ResignationView = { by: number; level: number; waiting: number[] };

  /** The level at which a seat resigns: 1 to 3. */
  type ResignedLevel = { level: number };

  /** The time in which the others may still double once the Captain has asked to roll. */
  type RingView = { opened: number; seconds: number; over: boolean };

  /** Box and Captain of the running game, else of the next one, with the reasons. */
  type RolesView = {
    box: number;
    captain: number;
    box_why: "rolled" | "drawn" | "by_hand" | "box_stays" | "captain_wins" | "last_captain_wins" | "box_below_even" | "moved_up" | "passed_on";
    captain_why: "rolled" | "drawn" | "by_hand" | "next_in_line" | "stood_in" | "partner" | "passed_on";
  };

  /** A die that a seat has thrown for a place. */
  type RolledDie = { seat: number; die: number };

  /** A payment that corrects the score sheet; other points and reasons are accepted, too. */
  type RowToCorrect = { payer: number; payee: number; points: number; reason: string };

  /** A text for the seat's side; any of 1 to 200 characters is accepted, not the listed ones alone. */
  type SaidText = { text: string };

  /** A row of the score sheet; `score` is of the match, after it. */
  type ScoreRowView = {
    game: number | null;
    seq: number;
    by: number | null;
    reason: string;
    line: number[];
    winner: "box" | "team" | "";
    crawford: boolean;
    struck: boolean;
    without_house: boolean;
    transfers: SheetTransfer[];
    points: number[];
    totals: number[];
    check: number;
    score: number[] | null;
  };

  /** A seat whose time has run out once in this decision; `then` is the effect of the next time, `points` its cost. */
  type SecondChance = {
    seat: number;
    opened: number;
    seconds: number;
    then: "drop" | "leave";
    points: number | null;
  };

  /** The end of the session under the shell's name for the end of a game that was played out. */
  type SessionOutcome = { reason: string; winner?: number | null };

  /** Points from a payer to a payee. */
  type SheetTransfer = { payer: number; payee: number; points: number; why: string };

  /** The start of the first game, in the Box's view (as in `BoardView`). */
  type StartView = {
    points: number[];
    off: number[];
    dice: number[];
    value: number;
    owner: string;
  };

  /** A suggested play. */
  type SuggestedPlay = { seat: number; play: string };

  /** A switch, on or off. */
  type SwitchedOn = { on: boolean };

  /**
   * A seat. `played_on` has left, and a bot plays their game out. `role` is of the running game; `stand_in` plays
   * for a Captain who has won and is out. `proxy` is the seat named to look after their cube, while that counts.
   * `sits_out`: not in the game that runs, or comes, and keeps the place in the line. `leaves` after this game.
   */
  type TableSeat = {
    seat: number;
    status: "in" | "coming" | "left" | "played_on" | "watching";
    role: "box" | "captain" | "stand_in" | "member" | "partner" | "out" | "none";
    total: number;
    cube: number | null;
    proxy: number | null;
    sits_out: boolean;
    leaves: boolean;
  };

  /** The cubes that the Box takes, and those of them that it beavers. */
  type TakenCubes = { take: number[]; beaver?: number[] };

  /** A line of talk. */
  type TalkLine = { seat: number; text: string };

  /** The result of a game on a real board. */
  type TellableResult = { winner: "box" | "team"; level: number };

  /** The time limit of a match; `over`: it has been reached. */
  type TimeLimitView = { minutes: number; over: boolean };

  /** The result on a real board that waits for the other side; `level` is 1 to 3. */
  type ToldView = { seat: number; winner: "box" | "team"; level: number };

  /** The view of a table. */
  type View = {
    score: number[] | null;
    match_length: number | null;
    phase: "order" | "pause" | "between" | "playing" | "over";
    pause: PauseView | null;
    roles: RolesView | null;
    last_act: LastAct | null;
    closes: boolean;
    options: Record<string, any>;
    format: "chouette" | "money" | "match";
    line: number[];
    order: OrderRolls[];
    to_throw: number[];
    question: "carry" | "partner" | "";
    seats: TableSeat[];
    given: GivenPoints[];
    time_limit: TimeLimitView | null;
    clock: ClockView | null;
    crawford: boolean;
    crawford_next: boolean;
    start: StartView | null;
    game: GameView | null;
    sheet: ScoreRowView[];
    totals: number[];
    ended: EndOfSession | null;
    outcome: SessionOutcome | null;
    waiting_for: number[];
    asked: string;
    me: OwnView | null;
    last_game: LastGame | null;
  };

  /** The time of a single seat; `seconds` null: no limit. */
  type WaitView = { seat: number; opened: number; seconds: number | null };

  /** The data of each event. */
  interface Events {
    act_noted: { seat: number; act: string };
    act_taken_back: { seat: number; act: string; by_host: boolean };
    answer_given: { seat: number; cubes: number[] };
    answer_sealed: { seat: number; cubes: number[]; takes: number[]; beavers?: number[] | null };
    answers_opened: { takes: number[]; drops: number[]; beavers: number[] };
    asks_opened: { asks: [string, number, number, number][] };
    auto_set: { seat: number; on: boolean };
    automatic_answered: { seat: number; agree: boolean };
    automatic_asked: { seat: number; value: number };
    batch_closed: {};
    beavered: {
      cube: number;
      value: number;
      forced: boolean;
      member: number;
      seat: number;
      extras: number[][];
    };
    box_changed: { seat: number; before: number };
    box_passed: { seat: number; to: number };
    captain_changed: { seat: number; before: number; why: string };
    carry_answered: { seat: number; agree: boolean; value: number };
    clock_agreed: { clock: string; clock_expiry: string };
    clock_pressed: { left: number[]; runs: number | null; turn?: number | null };
    clock_set: { left: number[]; game: number };
    clock_wished: { seat: number; clock: string | null };
    closing_announced: { on: boolean };
    cube_handed: { member: number; before: number; seat: number };
    cube_sealed: { seat: number; cube: number; double: boolean; auto?: boolean };
    cube_settled: { cube: number; member: number; against: number; points: number; how: string };
    cube_spoken: { seat: number; cube: number; says?: boolean | null };
    cubes_doubled: { value: number };
    cubes_told: { cubes: [number, number, number, boolean][] };
    deputy_ended: { deputy: number; side: string };
    deputy_named: { seat: number; deputy: number; side: string };
    dice_awaited: { seat: number };
    dice_rolled: { seat: number; dice: number[]; typed?: boolean | null };
    double_carried: {};
    double_taken: {
      cube: number;
      value: number;
      owner: string;
      member: number;
      seat: number;
      extras: number[][];
    };
    double_withdrawn: { seat: number; side: string; cubes: number[] };
    doubled: {
      side?: string | null;
      box: number;
      cubes: number[];
      members: number[];
      values: number[];
      by?: number | null;
    };
    extra_given: { seat: number; member: number; value: number; paid: number };
    extra_offered: { seat: number; member: number; cube: number };
    flag_fell: { seat: number; left: number[]; effect: string };
    game_ended: {
      number: number;
      reason: string;
      winner: string;
      box: number;
      captain: number;
      last_captain: number;
      stand_in: number | null;
      partner: number | null;
      points: number[];
      ranking: number[][];
      stats: Record<string, any>[];
      transfers: [number, number, number, string][];
      loser: number;
      why: string;
      line_before: number[];
      line_after: number[];
      without_house?: boolean;
    };
    game_started: {
      number: number;
      line: number[];
      partner: number | null;
      value: number;
      owner: string;
      crawford: boolean;
      position: number[];
      single?: boolean;
    };
    game_taken_back: { number: number; of: number | null; line: number[]; points: number[] };
    leaving_announced: { seat: number; on: boolean };
    line_set: { line: number[]; why: string };
    lots_drawn: { dice: number[][] };
    match_reopened: {};
    opening_die_rolled: { seat: number; die: number; typed?: boolean | null };
    opening_tied: { die: number | null; ties: number };
    order_die_thrown: { seat: number; die: number; typed?: boolean | null };
    order_rolled: { rolls: RolledDie[] };
    partner_chosen: { seat: number; partner: number | null };
    pause_began: { seconds: number };
    pause_ended: {};
    play_asked_back: { seat: number };
    play_back_agreed: { seat: number };
    play_back_lapsed: { seat: number };
    play_back_refused: { seat: number };
    play_made: { seat: number; play: string; dice: number[]; position: number[] };
    play_suggested: { seat: number; play: string };
    play_taken_back: { seat: number | null };
    points_given: { seat: number; points: number; game: number };
    proxy_named: { seat: number; proxy: number | null };
    raccooned: {
      cube: number;
      value: number;
      forced: boolean;
      member: number;
      seat: number;
      extras: number[][];
    };
    replied: { cube: number; kind: string; seat: number; reply: string };
    replies_opened: { replies: [number, string, number, string][] };
    reply_given: { cube: number; kind: string; seat: number };
    reply_sealed: { cube: number; kind: string; seat: number; reply: string };
    resignation_answer_given: { seat: number; cubes: number[] };
    resignation_answer_sealed: { seat: number; cubes: number[]; accept: boolean };
    resignation_answered: { seat: number; cubes: number[]; accept: boolean };
    resignation_closed: { accepted: number[]; refused: number[] };
    resignation_offered: { seat: number; level: number; cubes: number[] };
    result_agreed: { seat: number | null; winner: string; level: number };
    result_corrected: {
      seat: number | null;
      of: number;
      told: Record<string, any>;
      why: string;
      rows: Record<string, any>[];
      crawford: string;
      dropped: boolean;
      points: number[];
      score: number[];
    };
    result_refused: { seat: number };
    result_told: { seat: number; winner: string; level: number };
    ring_ended: {};
    ring_opened: { seat: number; seconds: number };
    row_corrected: {
      seat: number | null;
      transfers: [number, number, number, string][];
      why: string;
    };
    sat_out: { seat: number; on: boolean };
    seat_joined: { seat: number };
    seat_left: { seat: number; proxy: number | null; played_on?: boolean | null };
    session_ended: { reason: string; winner: number | null };
    settlement_asked: { seat: number; to: number; cube: number };
    settlement_lapsed: { seat: number; to: number; cube: number };
    settlement_proposed: { seat: number; to: number; cube: number; points: number; is_told?: boolean };
    settlement_refused: { seat: number; cube: number };
    talk_opened: { seat: number; by: number };
    talked: { seat: number; text: string };
    time_limit_reached: {};
    timed_out: { seat: number; again: boolean };
    turn_began: { side: string; seat: number | null; stage: string; dice: number[] };
    wait_asked: { seat: number; late: boolean };
    wait_ended: { seat: number };
    went_on: { seat: number };
    window_closed: { seat: number | null; doubles: number[] };
  }
  type Event = House.EventOf<Events>;

  /** Each choice. */
  interface Choices {
    answer: House.ChoiceOf<"answer", CubeAnswer, AboutCubes>;
    answer_batch: House.ChoiceOf<"answer_batch", TakenCubes>;
    answer_proposal: House.ChoiceOf<"answer_proposal", ConsentForCube, AboutProposals>;
    answer_resignation: House.ChoiceOf<"answer_resignation", Consent, AboutResignation>;
    answer_result: House.ChoiceOf<"answer_result", Consent>;
    answer_take_back: House.ChoiceOf<"answer_take_back", Consent>;
    ask_advice: House.ChoiceOf<"ask_advice", OtherSeat>;
    auto: House.ChoiceOf<"auto", SwitchedOn>;
    automatic: House.ChoiceOf<"automatic", Agreement, AboutAutomatic>;
    begin_game: House.ChoiceOf<"begin_game", House.NoArguments>;
    clock: House.ChoiceOf<"clock", ClockWish>;
    correct: House.ChoiceOf<"correct", RowToCorrect>;
    cube: House.ChoiceOf<"cube", CubeWord, AboutCubes>;
    double: House.ChoiceOf<"double", OneCube, AboutCubes>;
    leave_after: House.ChoiceOf<"leave_after", SwitchedOn>;
    move: House.ChoiceOf<"move", ChosenPlay>;
    name_deputy: House.ChoiceOf<"name_deputy", OtherSeat>;
    name_proxy: House.ChoiceOf<"name_proxy", NamedProxy>;
    next: House.ChoiceOf<"next", House.NoArguments>;
    offer: House.ChoiceOf<"offer", OfferedCubes>;
    opening_roll: House.ChoiceOf<"opening_roll", House.TypedFaces>;
    order_die: House.ChoiceOf<"order_die", House.TypedFaces>;
    partner: House.ChoiceOf<"partner", PartnerTaken, AboutPartner>;
    pass_box: House.ChoiceOf<"pass_box", House.NoArguments>;
    press: House.ChoiceOf<"press", House.NoArguments>;
    propose: House.ChoiceOf<"propose", ProposedPoints>;
    reply: House.ChoiceOf<"reply", CubeReply, AboutReply>;
    resign: House.ChoiceOf<"resign", ResignedLevel>;
    result: House.ChoiceOf<"result", TellableResult>;
    roll: House.ChoiceOf<"roll", House.NoArguments>;
    say: House.ChoiceOf<"say", SaidText>;
    sit_out: House.ChoiceOf<"sit_out", SwitchedOn>;
    start_study: House.ChoiceOf<"start_study", House.NoArguments>;
    suggest: House.ChoiceOf<"suggest", ChosenPlay>;
    take_back: House.ChoiceOf<"take_back", House.NoArguments>;
    tie: House.ChoiceOf<"tie", House.NoArguments>;
    type_dice: House.ChoiceOf<"type_dice", House.TypedFaces>;
    wait: House.ChoiceOf<"wait", AskedTime>;
    withdraw_double: House.ChoiceOf<"withdraw_double", House.NoArguments>;
  }
  type Choice = Choices[keyof Choices];
}
