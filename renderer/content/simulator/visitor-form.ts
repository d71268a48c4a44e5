import type { SimulatedVisitor } from '../../../server/contract/simulator.ts';

/** Form state of the visitor; '' and undefined mean unknown. */
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
  /** In an in-app browser. */
  inapp: boolean;
  returning: boolean;
  unlocked: boolean;
  /** Random draw for percentages and A/B tests. */
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

/** The request: only the known properties of the visitor. */
export function visitorBody(form: VisitorForm): SimulatedVisitor {
  const said = Object.entries(form).filter(([, value]) => value && String(value).trim() !== '');
  const body = Object.fromEntries(said) as SimulatedVisitor;
  return body.at === undefined ? body : { ...body, at: body.at.replace('T', ' ') };
}

/** The form state of a stored visitor. */
export function visitorForm(visitor: SimulatedVisitor): VisitorForm {
  const { at, query, ...rest } = visitor;
  return {
    ...emptyVisitor(),
    ...rest,
    at: at ? at.replace(' ', 'T').slice(0, 16) : '',
    query: typeof query === 'string' ? query : new URLSearchParams(query).toString(),
  };
}
