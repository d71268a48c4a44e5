import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { timestamp } from './envelope.ts';

/** Why an engine cannot be used, for programs and for pages in other languages than that of the sentence. */
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

/** The same of what an edge is not up to date for, or cannot send. */
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
  /** Where the engine is; null until one was entered. */
  url: z.string().nullable(),
  /** The name to sign in there with; passwords, tokens and keys are never shown. */
  user: z.string().nullable(),
  /** How to sign in there. */
  signin: z.enum(['none', 'user', 'token', 'credentials']),
  /** The name that edges sign in with. */
  edgeuser: z.string().nullable(),
  /** Whether a signing key is stored, so that each edge has rights of its own at the engine. */
  signingkey: z.boolean(),
  /** Whether an operator key is stored, so that the engine itself lets a revoked edge in no more. */
  operatorkey: z.boolean(),
  state: z.enum(['off', 'connecting', 'connected', 'unreachable', 'refused']),
  /** Why it is not connected, or why the engine keeps less than is set; null while nothing is wrong. */
  problem: z.string().nullable(),
  /** The same for programs, with what the sentence names: an address, a version, what the engine said. */
  reason: z.enum(engineReasons).nullable(),
  detail: z.string().nullable(),
  /** What can be done about it: `fleet_taken` goes away when this server takes the fleet over. */
  code: z.enum(['fleet_unreachable', 'fleet_taken']).nullable(),
  /** Zeros while the engine cannot be reached. */
  engine: z.object({ servers: z.int(), streams: z.int(), bytes: z.int() }),
  /** The last change that the engine has confirmed. */
  position: z.int(),
  /** Goes up when edges have to begin with a new snapshot, after a restore for example. */
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

/** Omitted fields are unchanged; null forgets one. */
const engineFields = {
  /** `nats://`, `tls://`, `ws://` or `wss://`; several with commas. */
  url: text(2_000),
  user: text(200),
  password: text(1_000),
  token: text(1_000),
  /** The text of a credentials file. */
  credentials: z.string().min(1).max(10_000).nullable().optional(),
};

/** As whom edges sign in there. */
const edgeFields = {
  /** A second user of the engine, with the rights of an edge. */
  edgeuser: text(200),
  edgepassword: text(1_000),
  /**
   * In place of that user: the seed in `signing.key`, with or without the end of its line. Each edge gets a user of its
   * own.
   */
  signingkey: z.string().trim().min(1).max(200).nullable().optional(),
  /** The text of `operator.key`: revoked edges are let in no more by the engine itself. */
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

/** Whoever names the engine decides where all links go. */
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
    /** Makes this server the one that writes the fleet, where another one does. */
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
  /** When it joined; null while its token was not used. */
  since: timestamp.nullable(),
  /** Requests a second. */
  rate: z.number(),
  lag: z.object({ messages: z.int(), ms: z.int() }),
  /** Clicks, and entries of forms, that are not shipped yet. */
  waiting: z.int(),
  state: z.enum(['waiting', 'current', 'behind', 'away', 'revoked']),
  /** Why it is not up to date, or cannot send what it has; null while nothing is wrong. */
  problem: z.string().nullable(),
  /** The same for programs; null also where an edge of an older version does not say. */
  reason: z.enum(edgeReasons).nullable(),
  /** What the sentence names: how many minutes a clock is off. */
  detail: z.string().nullable(),
  /**
   * The command that has the engine let a revoked edge in no more; null where it does so already, or has no user for it
   * alone.
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
