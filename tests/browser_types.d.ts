/** What Django's catalogue of texts, and the scripts of the installed packages, add to a page. */
declare function gettext(text: string): string;
declare function ngettext(one: string, many: string, count: number): string;
declare function pgettext(context: string, text: string): string;
declare function npgettext(context: string, one: string, many: string, count: number): string;
declare function interpolate(text: string, values: Record<string, unknown>, named: true): string;

/** Django's catalogue of texts, as the page's own script keeps it. */
declare const django: {
  catalog: Record<string, string | string[]>;
  pluralidx: (count: number) => number;
  /** The address of the texts that a table shows later; a page that was sent every text has none. */
  later?: string;
  sentences: Record<"events" | "phrases" | "choices", Record<string, any>>;
};
