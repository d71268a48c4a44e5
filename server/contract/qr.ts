import { z } from 'zod';
import { color } from './colors.ts';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import {
  acknowledged,
  alwaysSent,
  domainReference,
  fieldProblem,
  identifier,
  listOf,
  loosened,
  paging,
  substring,
  timestamp,
} from './envelope.ts';
import { linkMetrics } from './links.ts';
import { qrTypes } from './qr-content.ts';
import { correctionLevels } from './qr-images.ts';
import { plainLine } from './sessions.ts';
import { edited } from './versions.ts';

/** The shapes of all styles. Each of them is decoded again in test/server/content/qr-decode.test.ts. */
export const moduleShapes = ['square', 'rounded', 'dots', 'leaf', 'vertical', 'horizontal'] as const;
export const eyeShapes = ['square', 'rounded', 'circle', 'leaf'] as const;
export const frameShapes = ['none', 'border', 'bottom', 'top', 'bubble'] as const;

/** A color as `#RGB`, `#RRGGBB` or, from clients of other installations, `rgb(0, 0, 0)`. */
const paint = z
  .string()
  .transform((text) => {
    const [, ...parts] = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i.exec(text.trim()) ?? [];
    if (parts.length === 0 || parts.some((part) => Number(part) > 255)) return text;
    return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
  })
  .pipe(color);

export const gradient = z.object({
  type: z.enum(['linear', 'radial']),
  from: paint,
  to: paint,
  /** Degrees clockwise; 0 is left to right. Linear gradients only. */
  angle: z.number().int().min(0).max(359).default(0),
});
export type Gradient = z.output<typeof gradient>;

/** A code's style. null resets a field to its default. */
const styleFields = {
  foreground: paint,
  background: z.union([z.literal('transparent'), paint]),
  /** Replaces the foreground color. */
  gradient: gradient.nullable(),
  modules: z.enum(moduleShapes),
  eyes: z.enum(eyeShapes),
  pupils: z.enum(eyeShapes),
  eyecolor: paint.nullable(),
  pupilcolor: paint.nullable(),
  /** URL of a PNG or JPEG, or a `data:` URL. */
  logo: z.string().max(900_000, 'Use a picture of at most 600 kB.').nullable(),
  /** Percentage of the code's width. */
  logosize: z.number().int().min(10, 'Choose 10 to 30 percent.').max(30, 'Choose 10 to 30 percent.'),
  frame: z.enum(frameShapes),
  caption: plainLine(40).nullable(),
  framecolor: paint.nullable(),
  captioncolor: paint.nullable(),
  /** `auto` selects the most robust level that does not make the code larger. */
  correction: z.enum(['auto', ...correctionLevels]),
  /** Quiet zone around the code in modules; the standard requires 4. */
  margin: z.number().int().min(2, 'Choose 2 to 10.').max(10, 'Choose 2 to 10.'),
};

const style = z.object(styleFields);
/** A style as stored; the logo image is stored separately. */
export type QrStyle = Omit<z.output<typeof style>, 'logo'>;

const shared = {
  name: plainLine(120),
  /** Whether the code contains a URL of this instance, so that scans are counted and the destination can be changed. */
  dynamic: z.boolean(),
  /** The path after /qr/ in the URL. */
  custom: z.string().max(400).nullable(),
  domain: domainReference.nullable(),
  ...z.object(styleFields).partial().shape,
};

/** `data` is validated by type: see `qrContents`. */
export const newQr = z.object({
  type: z.enum(qrTypes),
  data: z.unknown(),
  ...z.object(shared).partial().shape,
});
export type NewQr = z.output<typeof newQr>;
export const qrChange = z.object({ type: z.enum(qrTypes), data: z.unknown(), ...shared }).partial();
export type QrChange = z.output<typeof qrChange>;

/** A list entry (decision 0017), with our additions. */
export const qrCode = z.object({
  id: z.number().int(),
  /** The code's own URL; append `.png`, `.jpg` (or `.jpeg`), `.svg` or `.pdf` for the image. */
  link: z.string(),
  scans: z.number().int(),
  name: z.string(),
  date: timestamp,
  type: z.enum(qrTypes),
  dynamic: z.boolean(),
  /** The destination or content, in one line. */
  target: z.string(),
  /** Changes whenever the image does. */
  revision: z.number().int(),
  ...editInfo,
});
export type QrCode = z.output<typeof qrCode>;

export const qrDetails = z.object({
  ...qrCode.shape,
  alias: z.string(),
  domain: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** The encoded text, as a scanner reads it. */
  encoded: z.string(),
  lastscan: timestamp.nullable(),
  /** Scans of the last 30 days (UTC), oldest first, without days that had none. */
  days: z.array(z.object({ date: z.string(), scans: z.number().int() })),
  ...style.shape,
});
export type QrDetails = z.output<typeof qrDetails>;

/** Problems that make a code hard to read for some scanners (decision 0017). Servers before 0.2 send none. */
const warnings = alwaysSent(z.array(fieldProblem));

export const listQr = endpoint({
  method: 'GET',
  path: '/api/qr',
  summary: 'List QR codes, newest first; `q` searches names and contents.',
  scope: 'qr',
  query: z.object({ ...paging, ...memberFilter, q: substring.optional(), type: z.enum(qrTypes).optional() }),
  reply: listOf('qrs', qrCode),
});

export const getQr = endpoint({
  method: 'GET',
  path: '/api/qr/:id',
  summary: 'Get a QR code with its content, style and scans, and the clicks of its link.',
  scope: 'qr',
  alsoReads: ['links'],
  reply: z.object({
    /** The list entry, for compatibility with other services. */
    details: alwaysSent(qrCode.pick({ id: true, link: true, scans: true, name: true, date: true })),
    data: z.object({ ...qrDetails.shape, ...loosened(linkMetrics).shape }),
  }),
});

export const addQr = endpoint({
  method: 'POST',
  path: '/api/qr/add',
  summary:
    'Create a QR code. A style that no decoder can read is rejected; one that some scanners may fail to read returns warnings.',
  scope: 'qr',
  body: newQr,
  reply: z.object({ id: z.number().int(), link: z.string(), message: z.string(), warnings }),
});

export const updateQr = endpoint({
  method: 'PUT',
  path: '/api/qr/:id/update',
  summary: 'Update a QR code; omitted fields are unchanged.',
  scope: 'qr',
  body: qrChange,
  reply: z.object({ ...edited.shape, id: z.number().int(), link: z.string(), warnings }),
});

export const deleteQr = endpoint({
  method: 'DELETE',
  path: '/api/qr/:id/delete',
  summary: 'Delete a QR code; its URL stops working.',
  scope: 'qr',
  reply: acknowledged,
});

/** Ours: available for 30 days; restores the id, URL, scans and channels. */
export const restoreQr = endpoint({
  method: 'POST',
  path: '/api/qr/:id/restore',
  summary: 'Restore a deleted QR code.',
  scope: 'qr',
  bodyOptional: true,
  reply: z.object({ id: z.number().int(), link: z.string(), message: z.string() }),
});

/** Output formats; each is also the URL's file extension. */
export const qrFormats = ['png', 'jpg', 'svg', 'pdf'] as const;
export type QrFormat = (typeof qrFormats)[number];

/** The format for a name, `jpeg` included; undefined for unknown names. */
export function qrFormatOf(name: string): QrFormat | undefined {
  const wanted = name === 'jpeg' ? 'jpg' : name;
  return qrFormats.find((each) => each === wanted);
}

/** Renders a code for clients that cannot load it from its URL: the desktop, and pages of another origin. */
export const renderQr = endpoint({
  method: 'GET',
  path: '/api/qr/:id/render',
  summary:
    'A rendering of a QR code, as base64; `size` is its width in pixels, or in millimetres as `40mm`. `jpeg` is another name of `jpg`.',
  scope: 'qr',
  query: z.object({
    format: z.enum([...qrFormats, 'jpeg']).default('png'),
    size: z.string().max(12).optional(),
  }),
  reply: z.object({
    data: z.object({ filename: z.string(), type: z.string(), base64: z.string() }),
  }),
});

export const previewQr = endpoint({
  method: 'POST',
  path: '/api/qr/preview',
  summary: 'Preview a QR code without storing it, and report whether it scans.',
  scope: 'qr',
  reads: true,
  body: z.object({ ...qrChange.shape, id: identifier.optional() }),
  reply: z.object({
    data: z.object({
      svg: z.string(),
      encoded: z.string(),
      correction: z.enum(correctionLevels),
      /** Modules per side, without the quiet zone. */
      size: z.number().int(),
      /** Why decoding fails. */
      problem: fieldProblem.nullable(),
      warnings,
    }),
  }),
});
