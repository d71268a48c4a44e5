import type { SimulatedVisitor } from '../../../server/contract/simulator.ts';

/** The visitor of the form: every field has a value, '' and undefined are "not known". */
export interface VisitorForm {
  country: string | undefined;
  device: string | undefined;
  language: string | undefined;
  os: string | undefined;
  browser: string | undefined;
  /** `YYYY-MM-DDTHH:MM` in the account's time zone. */
  at: string;
  region: string;
  city: string;
  query: string;
  referrer: string;
  ip: string;
  /** In an app's own browser. */
  inapp: boolean;
  returning: boolean;
  unlocked: boolean;
  /** Number in the draws of percentages and A/B tests. */
  draw: number;
}

export function emptyVisitor(): VisitorForm {
  return {
    country: undefined,
    device: undefined,
    language: undefined,
    os: undefined,
    browser: undefined,
    at: '',
    region: '',
    city: '',
    query: '',
    referrer: '',
    ip: '',
    inapp: false,
    returning: false,
    unlocked: false,
    draw: 0,
  };
}

/** What is sent: only what is known of the visitor. */
export function visitorBody(form: VisitorForm): SimulatedVisitor {
  const said = Object.entries(form).filter(([, value]) => value && String(value).trim() !== '');
  const body = Object.fromEntries(said) as SimulatedVisitor;
  return body.at === undefined ? body : { ...body, at: body.at.replace('T', ' ') };
}

/** The form of a visitor as the server keeps one. */
export function visitorForm(visitor: SimulatedVisitor): VisitorForm {
  const { at, query, ...rest } = visitor;
  return {
    ...emptyVisitor(),
    ...rest,
    at: at ? at.replace(' ', 'T').slice(0, 16) : '',
    query: typeof query === 'string' ? query : new URLSearchParams(query).toString(),
  };
}
