import { z } from 'zod';
import { color } from './colors.ts';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, alwaysSent, fieldProblem, listOf, paging, substring, timestamp } from './envelope.ts';
import { email, plainLine } from './sessions.ts';
import { edited } from './versions.ts';

/** Position of an overlay on the page. */
export const overlayPositions = [
  'topleft',
  'top',
  'topright',
  'center',
  'bottomleft',
  'bottom',
  'bottomright',
] as const;

export const overlayColors = z.object({ background: color, text: color, button: color, buttontext: color });
export type OverlayColors = z.output<typeof overlayColors>;

const line = (max: number) => plainLine(max).pipe(z.string().min(1, 'Enter a text.'));
/** Validated like a link's destination. */
const address = z.string().max(8192);

/** The content of each overlay type (decision 0016). All text is plain. */
export const overlayContents = {
  message: z.object({
    text: line(500),
    label: plainLine(60).nullable().optional(),
    link: address.nullable().optional(),
  }),
  contact: z.object({ title: line(120), button: line(60), email }),
  newsletter: z.object({ title: line(120), button: line(60) }),
  poll: z.object({
    question: line(200),
    answers: z
      .array(line(100))
      .min(2, 'Enter at least 2 answers.')
      .max(10, 'Enter at most 10 answers.')
      .refine((answers) => new Set(answers).size === answers.length, 'Enter each answer only once.')
      .meta({ uniqueItems: true }),
  }),
  coupon: z.object({ text: line(200), code: line(60) }),
  /** A PNG or JPEG; the server fetches it once and serves its own copy. */
  image: z.object({ image: address, link: address.nullable().optional() }),
};
export type OverlayType = keyof typeof overlayContents;
export const overlayTypes = Object.keys(overlayContents) as OverlayType[];

/** Contract, "CTA overlay": a list entry. Other servers have their own types. */
export const overlay = z.object({
  id: z.number().int(),
  type: z.string(),
  name: z.string(),
  date: timestamp,
  /** Ours: number of links that use it, and of visitor submissions. */
  links: alwaysSent(z.number().int()),
  answers: alwaysSent(z.number().int()),
  ...editInfo,
});
export type Overlay = z.output<typeof overlay>;

export const overlayDetails = z.object({
  ...overlay.shape,
  position: z.enum(overlayPositions),
  colors: overlayColors,
  content: z.looseObject({}),
  /** Ours: when it last reached a submission limit (1,000 per day are accepted; the latest 20,000 are kept). */
  limitreached: alwaysSent(timestamp.nullable()),
});
export type OverlayDetails = z.output<typeof overlayDetails>;

const name = plainLine(120).pipe(z.string().min(1, 'Enter a name for the overlay.'));
const shared = {
  name,
  position: z.enum(overlayPositions).optional(),
  /** Omitted colors keep their value, or get the default. */
  colors: overlayColors.partial().optional(),
};

const newOf = <Type extends OverlayType>(type: Type) =>
  z.object({ ...shared, type: z.literal(type), content: overlayContents[type] });
const draftOf = <Type extends OverlayType>(type: Type) =>
  newOf(type).extend({ name: plainLine(120).optional() });

export const newOverlay = z.discriminatedUnion('type', [
  newOf('message'),
  newOf('contact'),
  newOf('newsletter'),
  newOf('poll'),
  newOf('coupon'),
  newOf('image'),
]);
export type NewOverlay = z.output<typeof newOverlay>;

/** A draft for the preview; only the name may be missing, because visitors do not see it. */
export const overlayDraft = z.discriminatedUnion('type', [
  draftOf('message'),
  draftOf('contact'),
  draftOf('newsletter'),
  draftOf('poll'),
  draftOf('coupon'),
  draftOf('image'),
]);
export type OverlayDraft = z.output<typeof overlayDraft>;

/** `content` is replaced as a whole; changing the type requires new content. */
export const overlayChange = z.object({
  ...shared,
  name: name.optional(),
  type: z.enum(['message', 'contact', 'newsletter', 'poll', 'coupon', 'image']).optional(),
  content: z.looseObject({}).optional(),
});
export type OverlayChange = z.output<typeof overlayChange>;

export const listOverlays = endpoint({
  method: 'GET',
  path: '/api/overlay',
  summary: 'List CTA overlays, newest first.',
  scope: 'overlays',
  query: z.object({
    ...memberFilter,
    ...paging,
    /** Ours: filters by a substring of the name, and by type. */
    q: substring.optional(),
    type: z.enum(overlayTypes as [OverlayType, ...OverlayType[]]).optional(),
  }),
  reply: listOf('cta', overlay),
});

export const getOverlay = endpoint({
  method: 'GET',
  path: '/api/overlay/:id',
  summary: 'Get a CTA overlay with its content.',
  scope: 'overlays',
  reply: z.object({ data: overlayDetails }),
});

export const addOverlay = endpoint({
  method: 'POST',
  path: '/api/overlay/add',
  summary: 'Create a CTA overlay.',
  scope: 'overlays',
  body: newOverlay,
  reply: z.object({ id: z.number().int(), message: z.string() }),
});

/** Ours: submissions to a newsletter overlay (one email address each) or a poll (answers with vote counts). */
export const overlayAnswer = z.object({ value: z.string(), count: z.number().int(), date: timestamp });
export type OverlayAnswer = z.output<typeof overlayAnswer>;

export const listOverlayAnswers = endpoint({
  method: 'GET',
  path: '/api/overlay/:id/answers',
  summary: 'List the answers to a newsletter overlay or poll, newest first.',
  scope: 'overlays',
  query: z.object(paging),
  reply: listOf('answers', overlayAnswer),
});

/** The rendered page as one document with inlined images, and problems with these. */
export const pagePreview = z.object({ html: z.string(), problems: z.array(fieldProblem) });

export const previewOverlay = endpoint({
  method: 'POST',
  path: '/api/overlay/preview',
  summary: 'Preview an overlay as visitors would see it; nothing is stored.',
  scope: 'overlays',
  reads: true,
  body: overlayDraft,
  reply: z.object({ data: pagePreview }),
});

/** Ours: all submissions as a CSV file, one per line. */
export const exportOverlayAnswers = endpoint({
  method: 'GET',
  path: '/api/overlay/:id/export',
  acts: 'edit',
  summary: 'Export everything visitors sent to an overlay as CSV, oldest first.',
  scope: 'overlays',
  reply: z.object({ data: z.object({ filename: z.string(), content: z.string() }) }),
});

export const updateOverlay = endpoint({
  method: 'PUT',
  path: '/api/overlay/:id/update',
  summary: 'Update a CTA overlay; omitted fields are unchanged.',
  scope: 'overlays',
  body: overlayChange,
  reply: edited,
});

export const deleteOverlay = endpoint({
  method: 'DELETE',
  path: '/api/overlay/:id/delete',
  summary: 'Delete a CTA overlay; its links then redirect straight to their destinations.',
  scope: 'overlays',
  reply: acknowledged,
});

/** Ours: available for 30 days; restores the id, the submissions and the links it was used on. */
export const restoreOverlay = endpoint({
  method: 'POST',
  path: '/api/overlay/:id/restore',
  summary: 'Restore a deleted CTA overlay.',
  scope: 'overlays',
  bodyOptional: true,
  reply: acknowledged,
});
