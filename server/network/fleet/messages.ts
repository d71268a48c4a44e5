import { z } from 'zod';
import { edgeReasons } from '../../contract/fleet.ts';
import { dictionaryColumns, rareDimensions } from '../../visits/clicks/dimensions.ts';

/** Messages between a fleet's machines other than changes; each is JSON, encrypted for its subject. */

export const edgeState = z.object({
  state: z.enum(['waiting', 'joined', 'revoked']),
  installation: z.string().nullable(),
  name: z.string().max(200),
});
export type EdgeState = z.output<typeof edgeState>;

export const saltState = z.object({ salt: z.base64() });

export const snapshotState = z.object({
  epoch: z.int().min(1),
  position: z.int().min(0),
  /** The last message of the change stream before it was created. */
  sequence: z.int().min(0),
  schema: z.int().min(1),
  /** Its name in the object store. */
  name: z.string().regex(/^[a-z0-9-]{1,80}$/),
});
export type SnapshotState = z.output<typeof snapshotState>;

export const certificateState = z.object({
  host: z.string().max(253),
  /** PEM; null when it is presented no more. */
  pair: z.object({ key: z.string().max(20_000), chain: z.string().max(200_000) }).nullable(),
});

export type CertificateState = z.output<typeof certificateState>;

export const challengeState = z.object({ token: z.string().max(500), answer: z.string().max(1_000) });

export const limitState = z.object({ used: z.int().min(0) });

/** Machines may count limits, under this name. */
export const countingState = z.object({ counting: z.string().regex(/^[0-9a-f]{16}$/) });

/** An edge asks for the content of a file. */
export const fileQuestion = z.object({
  edge: z.int().min(1),
  installation: z.uuid(),
  storage: z.string().regex(/^[0-9a-f]{32}$/),
  /** Whether the engine's copy is unusable. */
  anew: z.boolean(),
});

export const fileReply = z.object({ state: z.enum(['there', 'coming', 'gone', 'full', 'failed']) });
export type FileState = z.output<typeof fileReply>['state'];

export const writerState = z.object({ run: z.string(), at: z.number() });

export const joinRequest = z.object({
  id: z.int().min(1),
  secret: z.string().max(100),
  installation: z.uuid(),
  version: z.string().max(50),
  /** The public key of its own NATS user, if it should get one. */
  user: z
    .string()
    .regex(/^U[A-Z2-7]{55}$/)
    .optional(),
});

export const joinReply = z.object({
  error: z.string().nullable(),
  name: z.string(),
  /** The authorization of that user. */
  jwt: z.string().max(20_000).optional(),
  /** Whether the edge may never answer again. */
  revoked: z.boolean().optional(),
});

export const report = z.object({
  installation: z.uuid(),
  version: z.string().max(50),
  addresses: z.array(z.string().max(100)).max(20),
  /** Requests a second. */
  rate: z.number().min(0),
  epoch: z.int().min(0),
  position: z.int().min(0),
  /** The last message of the stream of changes that it has. */
  sequence: z.int().min(0),
  /** Clicks that are not shipped yet. */
  waiting: z.int().min(0),
  /** Clicks that were answered since its start and could not be written; older versions do not say. */
  lost: z.int().min(0).optional(),
  /** Why it is outdated, or cannot send its data; null if nothing is wrong. */
  problem: z.string().max(500).nullable(),
  /** The same as a code; older versions do not say. */
  reason: z.enum(edgeReasons).nullable().optional(),
  /** What its clock shows; older versions do not say. */
  at: z.number().optional(),
});
export type EdgeReport = z.output<typeof report>;

const column = z.union([z.number(), z.string(), z.null()]);

export const unitForm = z.object({
  epoch: z.int().min(1),
  branch: z.string().max(100),
  schema: z.int().min(1),
  from: z.int().min(0),
  to: z.int().min(1),
  tables: z.record(
    z.string(),
    z.object({
      columns: z.array(z.string()),
      rows: z.array(z.array(column)),
      keys: z.array(z.array(column)),
    }),
  ),
});

export const checkForm = z.object({
  epoch: z.int(),
  schema: z.int(),
  position: z.int(),
  /** None if they come later, or if everything before that position is in a snapshot. */
  sums: z.record(z.string(), z.string()),
  /** Whether the sums come later. Older versions send them at once. */
  isAnnounced: z.boolean().optional(),
});

/** Clicks of one log of an edge; each text occurs once in `words`, and rows refer to its index. */
export const clickBatch = z.object({
  log: z.uuid(),
  edge: z.int().min(1),
  /** Whose links they are of: after a restore, an id may be given once more. */
  epoch: z.int().min(0),
  words: z.array(z.string().max(200)).max(20_000),
  rows: z
    .array(
      z.tuple([
        z.int().min(1),
        z.int().min(1),
        z.int().min(0),
        z.int().min(0),
        z.int().min(0).max(4),
        z.int().nullable(),
        z.union([z.literal(0), z.literal(1)]),
        // Followed by the rare dimensions, if any.
        z
          .array(z.int().min(0))
          .min(dictionaryColumns.length)
          .max(dictionaryColumns.length + rareDimensions.length),
        z.string().max(100).nullable(),
      ]),
    )
    .min(1)
    .max(2_000),
});
export type ClickBatch = z.output<typeof clickBatch>;

const id = z.int().min(1);
const moment = z.int().min(0);
const text = z.string().max(20_000);

/** A visitor's form entry on an edge, and the creation time of the overlay or bio page, because ids are reused. */
const formEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    createdAt: moment,
    overlay: id,
    sender: text,
    value: text,
    at: moment,
  }),
  z.object({
    kind: z.literal('message'),
    createdAt: moment,
    bio: id,
    block: z.int().min(0),
    name: text,
    email: text,
    message: text,
    at: moment,
  }),
]);
export type FormEntry = z.output<typeof formEntry>;

/** Entries of one log of an edge, each with its id there. */
export const entryBatch = z.object({
  log: z.uuid(),
  edge: id,
  entries: z
    .array(z.tuple([id, formEntry]))
    .min(1)
    .max(100),
});
export type EntryBatch = z.output<typeof entryBatch>;

/** Parses a message; undefined if invalid. */
export function readMessage<Form extends z.ZodType>(
  form: Form,
  body: Uint8Array | undefined,
): z.output<Form> | undefined {
  if (body === undefined) return undefined;
  try {
    const parsed = form.safeParse(JSON.parse(Buffer.from(body).toString('utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Not JSON: the sender is not of this fleet.
    return undefined;
  }
}
