import { type PixelType, pixelTag, pixelTags, pixelTypes } from '../../../server/contract/pixels.ts';

interface Vendor {
  /** Initials of the service, one or two letters. */
  readonly mark: string;
  /** The service's brand color, `#RRGGBB`. */
  readonly color: string;
  /** Patterns that match the id in the service's code snippet; the capture groups, joined by slashes, are the tag. */
  readonly snippet: readonly RegExp[];
}

/** Initials, color and snippet patterns of each service. Names are in the catalogue. */
export const vendors: Record<PixelType, Vendor> = {
  gtmpixel: { mark: 'TM', color: '#246FDB', snippet: [/\b(GTM-[A-Z0-9]{2,16})\b/] },
  gapixel: {
    mark: 'GA',
    color: '#E37400',
    snippet: [
      /config['"]\s*,\s*['"]((?:G|UA|GT)-[A-Z0-9-]{2,22})/,
      /\b((?:G|UA|GT)-[A-Z0-9]{2,16}(?:-\d{1,4})?)\b/,
    ],
  },
  fbpixel: {
    mark: 'f',
    color: '#0866FF',
    snippet: [/fbq\(\s*['"]init['"]\s*,\s*['"](\d{5,20})/, /\/tr\?id=(\d{5,20})/],
  },
  adwordspixel: {
    mark: 'Ad',
    color: '#188038',
    snippet: [/\b(AW-\d{5,15}\/[A-Za-z0-9_-]{4,40})/, /\b(AW-\d{5,15})\b/],
  },
  linkedinpixel: {
    mark: 'in',
    color: '#0A66C2',
    snippet: [/_linkedin_partner_id\s*=\s*['"](\d{4,12})/, /collect\/?\?pid=(\d{4,12})/],
  },
  twitterpixel: {
    mark: 'X',
    color: '#0F1419',
    snippet: [/twq\(\s*['"](?:config|init)['"]\s*,\s*['"]([a-z0-9-]{4,28})/, /txn_id=([a-z0-9-]{4,28})/],
  },
  adrollpixel: {
    mark: 'AR',
    color: '#C2185B',
    snippet: [
      /adroll_adv_id\s*=\s*['"]([A-Z0-9]{16,28})['"][\s\S]{0,200}?adroll_pix_id\s*=\s*['"]([A-Z0-9]{16,28})/,
    ],
  },
  quorapixel: {
    mark: 'Q',
    color: '#B92B27',
    snippet: [/qp\(\s*['"]init['"]\s*,\s*['"]([0-9a-f]{32})/, /\/_\/ad\/([0-9a-f]{32})\//],
  },
  pinterest: {
    mark: 'P',
    color: '#BD081C',
    snippet: [/pintrk\(\s*['"]load['"]\s*,\s*['"](\d{8,16})/, /[?&]tid=(\d{8,16})/],
  },
  bing: { mark: 'M', color: '#00809D', snippet: [/\bti\s*[:=]\s*['"]?(\d{5,12})/] },
  snapchat: {
    mark: 'S',
    color: '#FFFC00',
    snippet: [/snaptr\(\s*['"]init['"]\s*,\s*['"]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/],
  },
  reddit: { mark: 'r', color: '#D93A00', snippet: [/rdt\(\s*['"]init['"]\s*,\s*['"]([at]2_[a-z0-9]{4,16})/] },
  tiktok: {
    mark: 'T',
    color: '#111111',
    snippet: [/ttq\.load\(\s*['"]([A-Z0-9]{16,24})/, /[?&]sdkid=([A-Z0-9]{16,24})/],
  },
};

/** Whether this client knows a type; other servers may have their own. */
export function isKnownType(type: string): type is PixelType {
  return (pixelTypes as readonly string[]).includes(type);
}

/** Whether the server accepts a text as a tag (contract/pixels.ts), regardless of the service. */
export function isUsableTag(text: string): boolean {
  return pixelTag.test(text.trim());
}

/** Whether a tag has the usual format of the service's ids. */
export function isTag(type: PixelType, text: string): boolean {
  return pixelTags[type].pattern.test(text.trim());
}

/** The id in a pasted snippet of the service; undefined if there is none, or if the text is itself an id. */
export function tagInSnippet(type: PixelType, text: string): string | undefined {
  if (isTag(type, text)) return undefined;
  for (const pattern of vendors[type].snippet) {
    const parts = pattern.exec(text)?.slice(1);
    const tag = parts?.join('/');
    if (tag !== undefined && isTag(type, tag)) return tag;
  }
  return undefined;
}

/** The service and id of a pasted snippet, if exactly one service matches. */
export function readSnippet(text: string): { type: PixelType; tag: string } | undefined {
  const found = pixelTypes.flatMap((type) => {
    const tag = tagInSnippet(type, text);
    return tag === undefined ? [] : [{ type, tag }];
  });
  return found.length === 1 ? found[0] : undefined;
}
