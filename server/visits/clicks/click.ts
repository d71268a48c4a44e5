/** A visitor, as far as known without storing an address. Shared by all clicks of the same visitor. */
export interface Visitor {
  /** 31 bits of a hash with a salt that is valid for one UTC day. */
  readonly hash: number;
  readonly bot: boolean;
  /** Known during the visit and never stored from here; '' without a visitor. */
  readonly address: string;
  /** ISO code; '' if unknown, like all other texts here. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly browser: string;
  readonly os: string;
  /** Desktop, Mobile, Tablet or TV. */
  readonly device: string;
  /** Two- or three-letter code. */
  readonly language: string;
  /** The ids of these texts, in the order of `visitorTokens`; set when first recorded. */
  codes: VisitorCodes | undefined;
  /** The same visitor without the data that was last omitted (`omissions.ts`). */
  lessKnown?: { readonly omissions: number; readonly visitor: Visitor } | undefined;
}

export interface VisitorCodes {
  country: number;
  region: number;
  city: number;
  browser: number;
  os: number;
  device: number;
  language: number;
}

/** A visit's referrer. Shared by all clicks with the same Referer header. */
export interface Referrer {
  readonly host: string;
  readonly path: string;
  codes: { host: number; path: number } | undefined;
  /** The values that rules compare; computed on first use. */
  tokens: readonly string[] | undefined;
}

/** The ids of UTM values; `rare` are the rarer ones, in the order of `rareColumns`. */
export interface UtmCodes {
  source: number;
  medium: number;
  campaign: number;
  rare: readonly number[] | undefined;
}

/** The UTM values of a URL. */
export interface Utm {
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  readonly term: string;
  readonly content: string;
  /** The account's own parameters by slot, as `name=value`; empty if the visit has none. */
  readonly own: readonly string[];
  codes: UtmCodes | undefined;
}

/** A click that waits for its group's commit. */
export interface NewClick {
  linkId: number;
  /** UTC milliseconds. */
  at: number;
  /** Number in `sources`. */
  source: number;
  /** Index of the matching rule. */
  rule: number | null;
  visitor: Visitor;
  /** The visitor's address if the instance stores it, otherwise null. */
  address: string | null;
  referrer: Referrer;
  utm: Utm;
  /** Whether the link has a click limit, which is decremented in the same transaction. */
  limited: boolean;
  /** Whether the click is logged; a limit is decremented either way. */
  counted: boolean;
}

export const noReferrer: Referrer = { host: '', path: '', codes: { host: 0, path: 0 }, tokens: [] };
export const noUtm: Utm = {
  source: '',
  medium: '',
  campaign: '',
  term: '',
  content: '',
  own: [],
  codes: { source: 0, medium: 0, campaign: 0, rare: undefined },
};
