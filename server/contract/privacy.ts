import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** The cookie that marks a browser with a signed-in user. It grants no access. */
export const signedInCookie = 'waypost_signed_in=1';
/** As long as sessions last; renewed at each start of the app and with each URL opened from it. */
export const signedInSeconds = 30 * 86_400;

/**
 * The URL that the app opens instead of a short link for a signed-in user: it sets the cookie on the link's host, which
 * the app cannot access otherwise, and redirects to the link.
 */
export function openedAddress(shortUrl: string): string {
  const [origin = ''] = /^[^/]*\/\/[^/?#]*/.exec(shortUrl) ?? [];
  const path = shortUrl.slice(origin.length);
  return `${origin}/?notrack=signed-in&to=${encodeURIComponent(path.startsWith('/') ? path : `/${path}`)}`;
}

/** What is stored of a visit: a click with its details, only a count, or nothing. */
export const keptLevels = ['clicks', 'counts', 'nothing'] as const;

/** Data not collected about visits. An account can only be stricter than its instance. */
export const privacyChoice = z.object({
  /** No referrers. */
  noReferrer: z.boolean(),
  /** No browser, operating system, device and language. */
  noBrowser: z.boolean(),
  /** No country, region, city and IP address. */
  noPlace: z.boolean(),
  /**
   * Ignores visits by signed-in users where that is detectable: on the instance's own host, and on other hosts after
   * opening a link there from the app.
   */
  noSignedIn: z.boolean(),
  /** `counts` stores only the time of a click, and nothing that distinguishes visitors. */
  keep: z.enum(keptLevels),
});
export type PrivacyChoice = z.output<typeof privacyChoice>;

/** Data missing from the statistics of new visits. */
export const omitted = ['referrer', 'browser', 'place', 'visitors', 'clicks', 'signedin'] as const;
export type Omitted = (typeof omitted)[number];

export const getPrivacy = endpoint({
  method: 'GET',
  path: '/api/privacy',
  summary: 'Get which visit data the instance and the account do not store.',
  scope: 'stats',
  alsoReads: ['domains'],
  reply: z.object({
    data: z.object({
      instance: privacyChoice,
      account: privacyChoice,
      /** URLs that exclude the browser opening them from the statistics of their host. */
      uncount: z.array(z.string()),
    }),
  }),
});

export const updatePrivacy = endpoint({
  method: 'PUT',
  path: '/api/privacy',
  summary: 'Choose what is not kept of visits to what the account has; omitted fields are unchanged.',
  scope: 'stats',
  acts: 'manage',
  body: privacyChoice.partial(),
  reply: z.object({ message: z.string(), data: privacyChoice }),
});
