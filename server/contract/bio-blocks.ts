import { z } from 'zod';
import { composed } from './composed.ts';
import { identifier } from './envelope.ts';
import { email, plainLine } from './sessions.ts';

const line = (max: number) => plainLine(max).pipe(z.string().min(1, 'Enter a text.'));
const optionalLine = (max: number) => plainLine(max).nullable().optional();
/** Multi-line text. */
export const lines = (max: number) =>
  z
    .string()
    .transform((text) => composed(text).replaceAll('\r\n', '\n').trim())
    .pipe(
      z
        .string()
        .max(max, `Use at most ${max} characters.`)
        .regex(/^(?:[^\p{Cc}]|[\t\n])*$/u, 'Remove the control characters.'),
    );
/** A URL: http, https, and for links also `mailto:` and `tel:`. Validated by the server. */
const address = z.string().min(1, 'Enter a URL.').max(8192, 'Use a URL of at most 8192 characters.');
const optionalAddress = z.string().max(8192, 'Use a URL of at most 8192 characters.').nullable().optional();

/** Social networks with an icon, and their names. */
export const socialNetworks = {
  website: 'Website',
  email: 'E-mail',
  phone: 'Phone',
  instagram: 'Instagram',
  facebook: 'Facebook',
  x: 'X',
  threads: 'Threads',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  twitch: 'Twitch',
  spotify: 'Spotify',
  soundcloud: 'SoundCloud',
  bandcamp: 'Bandcamp',
  github: 'GitHub',
  gitlab: 'GitLab',
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  signal: 'Signal',
  discord: 'Discord',
  snapchat: 'Snapchat',
  pinterest: 'Pinterest',
  reddit: 'Reddit',
  medium: 'Medium',
  substack: 'Substack',
  patreon: 'Patreon',
} as const;
export type SocialNetwork = keyof typeof socialNetworks;
const networkNames = Object.keys(socialNetworks) as [SocialNetwork, ...SocialNetwork[]];

/** How a heading groups the blocks below it: as a section, or collapsible and initially closed or open. */
export const bioGroups = ['together', 'open', 'fold'] as const;
export type BioGroup = (typeof bioGroups)[number];

/**
 * Whether visitors get a button to copy the block's URL or show its QR code. Social profiles have one each, and a
 * contact card one for its file. Headings, texts, dividers, contact forms and images without a URL have no target, so
 * they have none.
 */
const sharing = { share: z.boolean().optional() };

/** The fields of each block type (decision 0018). All text is plain; images are PNG or JPEG. */
export const bioBlockFields = {
  link: z.object({
    title: line(120),
    url: address,
    description: optionalLine(200),
    image: optionalAddress,
    highlight: z.boolean().optional(),
    ...sharing,
  }),
  /** With a group, the blocks up to the next heading or divider belong to it. */
  heading: z.object({ text: line(120), group: z.enum(bioGroups).nullable().optional() }),
  text: z.object({ text: lines(2000).pipe(z.string().min(1, 'Enter a text.')) }),
  /** `alt` is the alternative text. */
  image: z.object({ image: address, alt: optionalLine(300), url: optionalAddress, ...sharing }),
  divider: z.object({}),
  socials: z.object({
    items: z
      .array(z.object({ network: z.enum(networkNames, 'Choose one of the networks.'), url: address }))
      .min(1, 'Add at least one profile.')
      .max(20, 'Add at most 20 profiles.'),
    ...sharing,
  }),
  vcard: z.object({
    name: line(120),
    role: optionalLine(120),
    organization: optionalLine(120),
    email: z
      .union([email, z.literal('')])
      .nullable()
      .optional(),
    phone: optionalLine(40),
    website: optionalAddress,
    address: optionalLine(300),
    note: optionalLine(500),
    ...sharing,
  }),
  /** Shows a preview image that links to the video, so that the page makes no third-party requests. */
  video: z.object({ title: line(120), url: address, image: optionalAddress, ...sharing }),
  /** The id of one of the account's files. */
  file: z.object({ file: identifier, title: optionalLine(120), ...sharing }),
  contact: z.object({ title: line(120), button: optionalLine(60) }),
};
export type BioBlockType = keyof typeof bioBlockFields;
export const bioBlockTypes = Object.keys(bioBlockFields) as BioBlockType[];

const common = {
  /** The id of an existing block, which keeps its clicks; a block without an id is new. */
  id: identifier.optional(),
  /** A disabled block is kept but hidden from visitors. */
  enabled: z.boolean().optional(),
};

export const newBioBlock = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.literal('link'), ...bioBlockFields.link.shape }),
  z.object({ ...common, type: z.literal('heading'), ...bioBlockFields.heading.shape }),
  z.object({ ...common, type: z.literal('text'), ...bioBlockFields.text.shape }),
  z.object({ ...common, type: z.literal('image'), ...bioBlockFields.image.shape }),
  z.object({ ...common, type: z.literal('divider'), ...bioBlockFields.divider.shape }),
  z.object({ ...common, type: z.literal('socials'), ...bioBlockFields.socials.shape }),
  z.object({ ...common, type: z.literal('vcard'), ...bioBlockFields.vcard.shape }),
  z.object({ ...common, type: z.literal('video'), ...bioBlockFields.video.shape }),
  z.object({ ...common, type: z.literal('file'), ...bioBlockFields.file.shape }),
  z.object({ ...common, type: z.literal('contact'), ...bioBlockFields.contact.shape }),
]);
export type NewBioBlock = z.output<typeof newBioBlock>;

/**
 * A block in responses: the fields of its type, plus these. `link` is the id if a link block's URL is one of the
 * account's short links, else null.
 */
export const bioBlock = z.looseObject({
  id: z.number().int(),
  type: z.string(),
  enabled: z.boolean(),
  clicks: z.number().int(),
});
export type BioBlock = z.output<typeof bioBlock>;
