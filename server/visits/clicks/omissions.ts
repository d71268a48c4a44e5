import type { Omitted, PrivacyChoice } from '../../contract/privacy.ts';
import { type NewClick, noReferrer, noUtm, type Visitor } from './click.ts';

/** Data of visits that is not stored, as bit flags: those of the instance and the account are combined. */
export type Omissions = number;

// The numbers are stored in the database.
const bits = {
  referrer: 1,
  browser: 2,
  place: 4,
  visitors: 8,
  clicks: 16,
  signedin: 32,
} as const satisfies Record<Omitted, number>;

/** No visitor: clicks that are only counted have this instead of a hash, and none of them is unique. */
export const nobody = 0;

export function omissionsOf(choice: PrivacyChoice): Omissions {
  const { noReferrer: from, noBrowser, noPlace, noSignedIn, keep } = choice;
  return (
    (from ? bits.referrer : 0) |
    (noBrowser ? bits.browser : 0) |
    (noPlace ? bits.place : 0) |
    (keep === 'counts' ? bits.visitors : 0) |
    (keep === 'nothing' ? bits.clicks : 0) |
    (noSignedIn ? bits.signedin : 0)
  );
}

export function choiceOf(omissions: Omissions): PrivacyChoice {
  const omits = (name: Omitted) => (omissions & bits[name]) !== 0;
  return {
    noReferrer: omits('referrer'),
    noBrowser: omits('browser'),
    noPlace: omits('place'),
    noSignedIn: omits('signedin'),
    keep: omits('clicks') ? 'nothing' : omits('visitors') ? 'counts' : 'clicks',
  };
}

/** What statistics report as missing. */
export function omittedNames(omissions: Omissions): Omitted[] {
  return (Object.keys(bits) as Omitted[]).filter((name) => (omissions & bits[name]) !== 0);
}

/** Whether a visit is counted at all. */
export function isKept(omissions: Omissions): boolean {
  return (omissions & bits.clicks) === 0;
}

/** Whether visits from browsers of signed-in users are counted. */
export function countsSignedIn(omissions: Omissions): boolean {
  return (omissions & bits.signedin) === 0;
}

/** Whether returning visitors may be recognized. */
export function knowsVisitors(omissions: Omissions): boolean {
  return (omissions & bits.visitors) === 0;
}

/** Whether the referrer may be stored. */
export function knowsReferrers(omissions: Omissions): boolean {
  return (omissions & (bits.referrer | bits.visitors)) === 0;
}

/** Whether the location may be stored. */
export function knowsPlaces(omissions: Omissions): boolean {
  return (omissions & (bits.place | bits.visitors)) === 0;
}

/**
 * Removes the omitted data from a click before it is written: everything stored, counted, sent to webhooks or shown
 * live is read from what was written (decision 0083).
 */
export function leaveOut(click: NewClick, omissions: Omissions): void {
  if (omissions === 0) return;
  const countsOnly = !knowsVisitors(omissions);
  if (!knowsReferrers(omissions)) click.referrer = noReferrer;
  if (countsOnly) {
    click.utm = noUtm;
    click.rule = null;
  }
  if (countsOnly || (omissions & bits.place) !== 0) click.address = null;
  if (countsOnly || (omissions & (bits.place | bits.browser)) !== 0) {
    click.visitor = lessKnown(click.visitor, omissions);
  }
}

/** A visitor without the omitted data; cached, so that the remaining texts are interned once. */
function lessKnown(visitor: Visitor, omissions: Omissions): Visitor {
  if (visitor.lessKnown?.omissions === omissions) return visitor.lessKnown.visitor;
  const countsOnly = !knowsVisitors(omissions);
  const less: Visitor = {
    ...visitor,
    codes: undefined,
    lessKnown: undefined,
    ...((countsOnly || (omissions & bits.place) !== 0) && noPlace),
    ...((countsOnly || (omissions & bits.browser) !== 0) && noBrowser),
    ...(countsOnly && { hash: nobody }),
  };
  visitor.lessKnown = { omissions, visitor: less };
  return less;
}

const noPlace = { country: '', region: '', city: '' } satisfies Partial<Visitor>;
const noBrowser = { browser: '', os: '', device: '', language: '' } satisfies Partial<Visitor>;
