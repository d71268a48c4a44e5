import type { LinkRecord } from './link-record.ts';
import { type Answer, isTestOver, ownDestination } from './resolve.ts';

/** What the preview of a link (`/alias+`) says. */
export interface Preview {
  /** Null if the password protects it. */
  destination: string | null;
  /** Whether visitors may be led elsewhere by rules, a running test, or their phone's store. */
  varies: boolean;
}

/**
 * The preview of a link, by the answer to a visit; undefined if it leads nowhere now. One that has ended or not started
 * may lead to another URL, which a preview shows too: who asks first where a link leads must not be led there.
 */
export function previewOf(
  link: LinkRecord,
  found: Answer,
  at: number,
  safeRedirectUrl: (text: string) => string | undefined,
): Preview | undefined {
  switch (found.kind) {
    case 'archived':
      return undefined;
    case 'early':
    case 'expired':
      return found.location === undefined ? undefined : { destination: found.location, varies: false };
    default: {
      const { rules, tests, stores, passwordHash } = link;
      const hasStore = stores.apple !== undefined || stores.google !== undefined;
      const varies = rules.length > 0 || hasStore || (tests.length > 0 && !isTestOver(link, at));
      const destination = passwordHash === null ? (ownDestination(link, at, safeRedirectUrl) ?? '') : null;
      return { destination, varies };
    }
  }
}
