import type { Visit } from './conditions.ts';
import { forwardedQuery, withQuery } from './destinations.ts';
import type { LinkRecord } from './link-record.ts';
import { firstMatch, type Trace } from './rules.ts';
import { share } from './visitor-share.ts';

/** A visit to a link, with the state at the time of the visit. */
export interface LinkVisit extends Visit {
  readonly visitor: Visit['visitor'] & { readonly previewBot: boolean; readonly inApp: boolean };
  /** Whether the link has reached its click limit. */
  readonly exhausted: boolean;
  /** Whether the visitor has entered the link's password. */
  readonly unlocked: boolean;
}

export type Answer =
  /** `rule` is the index of the rule that chose the destination, or null; `by` is what chose it. */
  | {
      kind: 'redirect';
      location: string;
      rule: number | null;
      by: 'rule' | 'store' | 'test' | 'winner' | 'link';
      /** Whether the visitor, in an app's built-in browser, is offered the phone's browser first. */
      offersBrowser: boolean;
    }
  /** `planned`: on a scheduled date, which may also have moved it to the trash. */
  | { kind: 'archived'; planned: boolean }
  /** Not started, expired or at its click limit; `location` is where to redirect instead. */
  | { kind: 'early'; location: string | undefined }
  | { kind: 'expired'; location: string | undefined }
  | { kind: 'password' }
  /** A page with the link's title and picture, for link preview bots. */
  | { kind: 'card' }
  /** The stored destination must not be sent. */
  | { kind: 'unsafe' };

/**
 * The response to a visit to a link, in the order of decision 0021: archived, not started, expired or used up,
 * password, rules, A/B test, parameters and query. Types other than `direct` (frame, splash, overlay) are left to the
 * caller, by the link's `type`. Pure: the same visit always gets the same response. `trace` is called for each
 * evaluated condition; only the simulator has one.
 */
export function resolve(
  link: LinkRecord,
  visit: LinkVisit,
  safeRedirectUrl: (text: string) => string | undefined,
  trace?: Trace,
): Answer {
  if (link.archived) return { kind: 'archived', planned: false };
  // The job that archives it runs once a minute; visits do not wait for it.
  if (link.leavesAt !== null && visit.at >= link.leavesAt) return { kind: 'archived', planned: true };
  if (link.notBeforeAt !== null && visit.at < link.notBeforeAt)
    return { kind: 'early', location: link.earlyUrl };
  if (visit.exhausted || (link.expiresAt !== null && visit.at >= link.expiresAt)) return expired(link);
  if (visit.visitor.previewBot && wantsCard(link)) return { kind: 'card' };
  if (link.passwordHash !== null && !visit.unlocked) return { kind: 'password' };

  const ruleIndex = firstMatch(link.rules, visit, trace);
  const rule = link.rules[ruleIndex];
  const store = rule ? undefined : storeFor(link, visit);
  // A link with its own page is shown in the current browser.
  const offersBrowser = link.opensApps && !link.hasPage && visit.visitor.inApp;
  if (store !== undefined)
    return { kind: 'redirect', location: store, rule: null, by: 'store', offersBrowser };
  const isOver = isTestOver(link, visit.at);
  const tested = rule || isOver ? undefined : testedDestination(link, visit, safeRedirectUrl);
  const destination = rule ? rule.destination() : (tested ?? ownDestination(link, visit.at, safeRedirectUrl));
  if (!destination) return { kind: 'unsafe' };
  const forwarded = link.forwardQuery ? forwardedQuery(visit.query) : '';
  const isWon = isOver && link.testWinner !== null;
  const by = rule ? 'rule' : isWon ? 'winner' : tested === undefined ? 'link' : 'test';
  // The destination is already in sendable form, but the added query may not be.
  const location =
    link.parameters === '' && forwarded === ''
      ? destination
      : new URL(withQuery(withQuery(destination, link.parameters), forwarded)).href;
  return { kind: 'redirect', location, rule: rule ? ruleIndex : null, by, offersBrowser };
}

/** Whether a link's A/B test has ended. */
export function isTestOver({ testUntil }: LinkRecord, at: number): boolean {
  return testUntil !== null && at >= testUntil;
}

/** The destination without rules, stores and a running test: the winner of one that has ended, or the link's own. */
export function ownDestination(
  link: LinkRecord,
  at: number,
  safeRedirectUrl: (text: string) => string | undefined,
): string | undefined {
  const winner = isTestOver(link, at) ? link.testWinner : null;
  return winner === null ? link.destination : safeRedirectUrl(winner);
}

/** The response of a link that has expired or is used up. */
export function expired(link: Pick<LinkRecord, 'expirationUrl'>): Answer {
  return { kind: 'expired', location: link.expirationUrl };
}

/** Preview fetchers must not use up a limited link, nor see what is protected by a password. */
function wantsCard(link: LinkRecord): boolean {
  return link.meta !== undefined || link.limit !== undefined || link.passwordHash !== null;
}

function storeFor({ stores }: LinkRecord, { visitor }: LinkVisit): string | undefined {
  if (visitor.os === 'iOS') return stores.apple;
  return visitor.os === 'Android' ? stores.google : undefined;
}

/** The visitor's variant of an A/B test, the same all day; the rest of the 100 % keep the link's own destination. */
function testedDestination(
  link: LinkRecord,
  visit: LinkVisit,
  safeRedirectUrl: (text: string) => string | undefined,
): string | undefined {
  if (link.tests.length === 0) return undefined;
  let left = share(visit.visitor.hash, link.id, 'test');
  for (const { url, percentage } of link.tests) {
    if (left < percentage) return safeRedirectUrl(url);
    left -= percentage;
  }
  return undefined;
}
