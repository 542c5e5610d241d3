/** What Django's catalogue of texts, and the scripts of the installed packages, add to a page. */
declare function gettext(text: string): string;
declare function ngettext(one: string, many: string, count: number): string;
declare function pgettext(context: string, text: string): string;
declare function npgettext(context: string, one: string, many: string, count: number): string;
declare function interpolate(text: string, values: Record<string, unknown>, named: true): string;

/** htmx, on pages that load it. */
interface Window {
  htmx: {
    swap: (target: Element, text: string, how: { swapStyle: string }) => void;
    process: (part: Element) => void;
  };
}

/** What a page's own JSON tells its script, as the views write it. */
declare namespace Page {
  /** Of a table's page, as much as its later modules read. */
  type Table = { urls: { nightSocket: string; people: string; admit: string; night: string } };
  type Replay = {
    table: House.SentTable;
    games: { number: number; first: number; last: number }[];
    /** My seat in each game, null in one of others. */
    seats: (number | null)[];
    grades: import("games/replay/grades.js").Graded[];
    deeper: string;
    frames: string;
    at: number;
  };
  /** A game's element, or the kit's own. */
  type GameElement = HTMLElement & {
    init?: (parts: object) => void;
    update: (now: object) => void;
    play?: (events: readonly object[], view: object) => Promise<void> | void;
    places?: Record<"notices" | "log" | "files", HTMLElement>;
    shownResult?: string;
  };
}

/** Django's catalogue of texts, as the page's own script keeps it. */
declare const django: {
  catalog: Record<string, string | string[]>;
  pluralidx: (count: number) => number;
  /** The address of the texts that a table shows later; a page that was sent every text has none. */
  later?: string;
  sentences: Record<"events" | "phrases" | "choices", Record<string, any>>;
};
