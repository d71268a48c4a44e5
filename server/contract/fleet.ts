import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { timestamp } from './envelope.ts';

/** Machine-readable reasons why an engine is unusable, for programs and translations. */
export const engineReasons = [
  'address',
  'unreachable',
  'no_engine',
  'ended',
  'credentials',
  'rights',
  'no_jetstream',
  'tls',
  'no_tls',
  'old_engine',
  'no_room',
  'clicks_full',
  'taken',
  'locked',
  'failed',
] as const;
export type EngineReason = (typeof engineReasons)[number];

/** Machine-readable reasons why an edge is out of date or cannot send. */
export const edgeReasons = [
  'update',
  'disk_full',
  'clock_ahead',
  'clock_behind',
  'unreadable',
  'no_room',
  'clicks_full',
  'failed',
] as const;
export type EdgeReason = (typeof edgeReasons)[number];

const shown = z.object({
  enabled: z.boolean(),
  /** The engine's URL; null if not set. */
  url: z.string().nullable(),
  /** The user name for the engine; passwords, tokens and keys are never returned. */
  user: z.string().nullable(),
  /** The authentication method. */
  signin: z.enum(['none', 'user', 'token', 'credentials']),
  /** The user name that edges sign in with. */
  edgeuser: z.string().nullable(),
  /** Whether a signing key is stored, which gives each edge its own permissions on the engine. */
  signingkey: z.boolean(),
  /** Whether an operator key is stored, with which the engine itself rejects revoked edges. */
  operatorkey: z.boolean(),
  state: z.enum(['off', 'connecting', 'connected', 'unreachable', 'refused']),
  /** Why it is not connected, or why the engine's limits are too low; null if all is well. */
  problem: z.string().nullable(),
  /** The same as a code, with the values in the sentence: a URL, a version, the engine's message. */
  reason: z.enum(engineReasons).nullable(),
  detail: z.string().nullable(),
  /** What can be done about it: `fleet_taken` is fixed by taking over the fleet. */
  code: z.enum(['fleet_unreachable', 'fleet_taken']).nullable(),
  /** Zeros while the engine is unreachable. */
  engine: z.object({
    servers: z.int(),
    streams: z.int(),
    bytes: z.int(),
    /** When the oldest change that the engine still keeps was published; null if it keeps none. */
    oldest: timestamp.nullable(),
  }),
  /** The last change confirmed by the engine. */
  position: z.int(),
  /** Incremented when edges must start from a new snapshot, for example after a restore. */
  epoch: z.int(),
});
export type ShownFleet = z.output<typeof shown>;

const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]*$/u, 'Remove the control characters.')
    .nullable()
    .optional();

/** Omitted fields are unchanged; null deletes a value. */
const engineFields = {
  /** `nats://`, `tls://`, `ws://` or `wss://`; several are separated by commas. */
  url: text(2_000),
  user: text(200),
  password: text(1_000),
  token: text(1_000),
  /** The content of a credentials file. */
  credentials: z.string().min(1).max(10_000).nullable().optional(),
};

/** The credentials of edges. */
const edgeFields = {
  /** A second user of the engine, with an edge's permissions. */
  edgeuser: text(200),
  edgepassword: text(1_000),
  /**
   * Instead of that user: the seed in `signing.key`, with or without a trailing line break. Each edge gets its own
   * user.
   */
  signingkey: z.string().trim().min(1).max(200).nullable().optional(),
  /** The content of `operator.key`, with which the engine itself rejects revoked edges. */
  operatorkey: z.string().min(1).max(10_000).nullable().optional(),
};

export const getFleet = endpoint({
  method: 'GET',
  path: '/api/fleet',
  summary: 'Get the state of the fleet and its engine.',
  access: 'admin',
  scope: 'fleet',
  reply: z.object({ data: shown }),
});

/** Security-sensitive: the engine determines the destinations of all links. */
export const updateFleet = endpoint({
  method: 'PUT',
  path: '/api/fleet/update',
  summary: 'Turn the fleet on or off, or change its engine; omitted fields are unchanged.',
  access: 'admin',
  scope: 'fleet',
  body: z.object({
    enabled: z.boolean().optional(),
    ...engineFields,
    ...edgeFields,
    /** Makes this server the fleet's writer instead of the current one. */
    takeover: z.boolean().optional(),
  }),
  reply: z.object({ message: z.string(), data: shown }),
});

export const testFleet = endpoint({
  method: 'POST',
  path: '/api/fleet/test',
  summary: 'Test the connection to an engine; without a body, the one that is stored.',
  access: 'admin',
  scope: 'fleet',
  bodyOptional: true,
  body: z.object({ ...engineFields, ...edgeFields }),
  reply: z.object({ message: z.string() }),
});

const edge = z.object({
  id: z.int(),
  name: z.string(),
  region: z.string(),
  version: z.string().nullable(),
  addresses: z.array(z.string()),
  /** When it joined; null if its token is unused. */
  since: timestamp.nullable(),
  /** Requests per second. */
  rate: z.number(),
  lag: z.object({ messages: z.int(), ms: z.int() }),
  /** Clicks and form entries not yet sent. */
  waiting: z.int(),
  /** Visits that it answered since its start but could not count, because its disk is full. */
  lost: z.int(),
  state: z.enum(['waiting', 'current', 'behind', 'away', 'revoked']),
  /** Why it is out of date or cannot send; null if all is well. */
  problem: z.string().nullable(),
  /** The same as a code; also null if an older edge does not report one. */
  reason: z.enum(edgeReasons).nullable(),
  /** The value in the sentence: a clock's offset in minutes. */
  detail: z.string().nullable(),
  /**
   * The command that makes the engine reject a revoked edge; null if it already does, or if the edge has no user of its
   * own.
   */
  cutoff: z.string().nullable(),
});
export type FleetEdge = z.output<typeof edge>;

export const listEdges = endpoint({
  method: 'GET',
  path: '/api/fleet/edges',
  summary: 'List the edges of the fleet.',
  access: 'admin',
  scope: 'fleet',
  reply: z.object({ data: z.object({ edges: z.array(edge) }) }),
});

const label = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}]*$/u, 'Remove the control characters.');

export const addEdge = endpoint({
  method: 'POST',
  path: '/api/fleet/edge/add',
  summary: 'Add an edge; the join token in the reply is shown once and works for an hour.',
  access: 'admin',
  scope: 'fleet',
  body: z.object({ name: label(100).min(1, 'Enter a name.'), region: label(100).optional() }),
  reply: z.object({ id: z.int(), token: z.string(), command: z.string() }),
});

export const deleteEdge = endpoint({
  method: 'DELETE',
  path: '/api/fleet/edge/:id/delete',
  summary: 'Revoke an edge: it stops answering at once and can never join again.',
  access: 'admin',
  scope: 'fleet',
  reply: z.object({ message: z.string() }),
});
