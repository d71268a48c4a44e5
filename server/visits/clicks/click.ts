/** Who clicked, as far as it is known without storing an address. Shared by all clicks of the same visitor. */
export interface Visitor {
  /** 47 bits of a hash with a salt that lives one UTC day. */
  readonly hash: number;
  readonly bot: boolean;
  /** Known while the visit lasts and never stored from here; '' where there is no visitor. */
  readonly address: string;
  /** ISO code; '' when it is not known, like every other text here. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly browser: string;
  readonly os: string;
  /** Desktop, Mobile, Tablet or TV. */
  readonly device: string;
  /** Two- or three-letter code. */
  readonly language: string;
  /** The ids of these texts, in the order of `visitorTokens`; filled in when first recorded. */
  codes: VisitorCodes | undefined;
  /** The same visitor without what was last not to be kept of them (`omissions.ts`). */
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

/** Where a visitor came from. Shared by all clicks with the same Referer header. */
export interface Referrer {
  readonly host: string;
  readonly path: string;
  codes: { host: number; path: number } | undefined;
  /** What rules compare with; found out when the first of them asks. */
  tokens: readonly string[] | undefined;
}

/** The ids of campaign marks; `marks` are those of few clicks, in the order of `markColumns`. */
export interface UtmCodes {
  source: number;
  medium: number;
  campaign: number;
  marks: readonly number[] | undefined;
}

/** The campaign marks of an address. */
export interface Utm {
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  readonly term: string;
  readonly content: string;
  /** The account's own parameters by place, as `name=value`; empty where the visit has none. */
  readonly own: readonly string[];
  codes: UtmCodes | undefined;
}

/** One click that waits for its group's commit. */
export interface NewClick {
  linkId: number;
  /** UTC milliseconds. */
  at: number;
  /** Number in `sources`. */
  source: number;
  /** Index of the rule that fired. */
  rule: number | null;
  visitor: Visitor;
  /** The visitor's address where the instance stores it, else null. */
  address: string | null;
  referrer: Referrer;
  utm: Utm;
  /** Whether the link has a click limit, which is then used up by one in the same transaction. */
  limited: boolean;
  /** Whether the click is written into the log; a limit is used up either way. */
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
  codes: { source: 0, medium: 0, campaign: 0, marks: undefined },
};
