import { z } from 'zod';
import { type LinkDetails, linkChange } from './links.ts';

/** Maximum length of a stored URL, in which non-ASCII letters are percent-encoded. */
const storedAddress = z.string().max(8192);

/** Link settings without their own CSV column, as fields of `POST /api/url/add`. */
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

/** Types available to every account; the others are ids of pages that belong to one account. */
export const commonTypes: readonly string[] = ['direct', 'frame', 'splash'];

/** Default values. */
const usual: LinkSettings = {
  status: 'public',
  redirect: 302,
  forwardquery: false,
  archived: false,
  locked: false,
};

/**
 * The settings needed to recreate a link in another account, without defaults. Not included: passwords, which are
 * stored as hashes, and pixels, overlays and splash pages, which belong to the account.
 */
export function settingsOf(link: LinkDetails): LinkSettings {
  // Parse each setting separately, so that an invalid one does not discard the others.
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
  // Always included, because an account may have a different default.
  const type = commonTypes.includes(link.type ?? 'direct') ? link.type : 'direct';
  return { ...Object.fromEntries<unknown>(set), type } as LinkSettings;
}
