import { z } from 'zod';
import { type LinkDetails, linkChange } from './links.ts';

/** Characters of an address as it is stored, where letters of other scripts take several. */
const storedAddress = z.string().max(8192);

/** What of a link has no column of its own in a CSV file, as the fields of `POST /api/url/add`. */
export const linkSettings = linkChange
  .pick({
    type: true,
    status: true,
    notbefore: true,
    clicklimit: true,
    expirationredirect: true,
    rules: true,
    abtesting: true,
    testuntil: true,
    testwinner: true,
    parameters: true,
    deeplink: true,
    metatitle: true,
    metadescription: true,
    metaimage: true,
    redirect: true,
    forwardquery: true,
    archived: true,
    locked: true,
  })
  .extend({
    metaimage: storedAddress.nullable().optional(),
    deeplink: z
      .object({
        auto: z.boolean().optional(),
        apple: storedAddress.optional(),
        google: storedAddress.optional(),
      })
      .nullable()
      .optional(),
  });
export type LinkSettings = z.output<typeof linkSettings>;

/** Ways to show a destination that every account has; the others are ids of pages that only one has. */
export const commonTypes: readonly string[] = ['direct', 'frame', 'splash'];

/** What is so unless it is said. */
const usual: LinkSettings = {
  status: 'public',
  redirect: 302,
  forwardquery: false,
  archived: false,
  locked: false,
};

/**
 * The settings of a link by which another account can make the same one; what is as usual is left out. Passwords are
 * stored as hashes, and pixels, overlays and splash pages belong to the account: they stay behind.
 */
export function settingsOf(link: LinkDetails): LinkSettings {
  // One by one: what a later version could not take costs itself alone.
  const read = Object.entries(linkSettings.shape).map(
    ([name, field]) => [name, field.safeParse(link[name as keyof LinkDetails]).data] as const,
  );
  const set = read.filter(
    ([name, value]) =>
      value !== null &&
      value !== undefined &&
      value !== usual[name as keyof LinkSettings] &&
      !(Array.isArray(value) && value.length === 0),
  );
  // Always said: an account may have another way as its default.
  const type = commonTypes.includes(link.type ?? 'direct') ? link.type : 'direct';
  return { ...Object.fromEntries<unknown>(set), type } as LinkSettings;
}
