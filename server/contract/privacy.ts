import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** The cookie that marks a browser with a signed-in user. It grants no access. */
export const signedInCookie = 'waypost_signed_in=1';
/** As long as sessions last; renewed at each start of the app and with each URL opened from it. */
export const signedInSeconds = 30 * 86_400;

/**
 * The address that the app opens for somebody who is signed in in place of a short link of theirs: it leads on to the
 * link, and marks the browser on the link's host, which the app cannot reach otherwise.
 */
export function openedAddress(shortUrl: string): string {
  const [origin = ''] = /^[^/]*\/\/[^/?#]*/.exec(shortUrl) ?? [];
  const path = shortUrl.slice(origin.length);
  return `${origin}/?notrack=signed-in&to=${encodeURIComponent(path.startsWith('/') ? path : `/${path}`)}`;
}

/** What a visit leaves behind: a click with what is known of it, one that only counts, or nothing. */
export const keptLevels = ['clicks', 'counts', 'nothing'] as const;

/** What is not kept of visits. An account can only be stricter than its instance. */
export const privacyChoice = z.object({
  /** Where visitors come from. */
  noReferrer: z.boolean(),
  /** Browser, system, device and language. */
  noBrowser: z.boolean(),
  /** Country, region, city and address. */
  noPlace: z.boolean(),
  /**
   * Visits in browsers in which somebody is signed in, where that can be seen: on the instance's own address, and on
   * other hosts once a link of theirs was opened from the app.
   */
  noSignedIn: z.boolean(),
  /** `counts` keeps the time of a click and nothing that tells visitors apart. */
  keep: z.enum(keptLevels),
});
export type PrivacyChoice = z.output<typeof privacyChoice>;

/** What statistics do not have for new visits. */
export const omitted = ['referrer', 'browser', 'place', 'visitors', 'clicks', 'signedin'] as const;
export type Omitted = (typeof omitted)[number];

export const getPrivacy = endpoint({
  method: 'GET',
  path: '/api/privacy',
  summary: 'Get what is not kept of visits, by the instance and by the account.',
  scope: 'stats',
  alsoReads: ['domains'],
  reply: z.object({
    data: z.object({
      instance: privacyChoice,
      account: privacyChoice,
      /** Addresses that leave the browser which opens them out of all counts on their host. */
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
