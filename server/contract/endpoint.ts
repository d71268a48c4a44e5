import { z } from 'zod';

/** How a request proves who it is. `public` needs no key, `admin` needs an administrator's. */
export type Access = 'public' | 'user' | 'admin';

/** The nouns that a key's scopes are made of (decision 0009). */
export const scopeResources = [
  'account',
  'links',
  'domains',
  'campaigns',
  'channels',
  'overlays',
  'splash',
  'files',
  'pixels',
  'qr',
  'bio',
  'stats',
  'users',
  'settings',
  'webhooks',
] as const;
export type ScopeResource = (typeof scopeResources)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint<Query extends z.ZodType, Body extends z.ZodType, Reply extends z.ZodType> {
  readonly method: Method;
  /** The path after the instance's address, with `:name` for every parameter. */
  readonly path: `/api/${string}`;
  /** One sentence for the API reference. */
  readonly summary: string;
  readonly access: Access;
  /** What a scoped key must be allowed to touch; GET reads, everything else writes. */
  readonly scope?: ScopeResource;
  /** What the answer shows beside its own resource: a scoped key must be allowed to read that too. */
  readonly alsoReads: readonly ScopeResource[];
  /** What a scoped key gets less, or needs more, by what it asks for: sentences for the API document. */
  readonly scopeRule?: string;
  /** Whether it reaches everything that the instance has, so that no list of scopes is enough. */
  readonly reachesAll: boolean;
  /** The status of a success: 200 but for campaign add and domain add (decision 0001). */
  readonly status: 200 | 201;
  readonly query: Query;
  readonly body: Body;
  /** The reply without `error`, which the server adds and the client takes off. */
  readonly reply: Reply;
  /** Whether the operation only reads although its method is not GET. */
  readonly reads: boolean;
  /** Whether a request may come without a body (its fields are then all absent). */
  readonly bodyOptional: boolean;
  /** Whether the body is a file and not JSON: the handler reads it as it arrives. */
  readonly rawBody: boolean;
  /** Path parameters that are not ids, with their schemas. Every other one is a positive integer. */
  readonly params: Readonly<Record<string, z.ZodType>>;
  /** The media types of an answer that is no reply in an envelope, each with what it holds. */
  readonly answers?: Readonly<Record<string, z.ZodType>>;
  /** Whether that answer is a file to be saved under a name. */
  readonly isFile: boolean;
  /** Statuses of refusals that do not follow from what is said above, for the OpenAPI document. */
  readonly refusals: readonly number[];
}

// biome-ignore lint/suspicious/noExplicitAny: the bound of "some endpoint"; each one keeps its own types.
export type AnyEndpoint = Endpoint<any, any, any>;

export type QueryOf<E> = E extends Endpoint<infer Query, z.ZodType, z.ZodType> ? z.output<Query> : never;
export type BodyOf<E> = E extends Endpoint<z.ZodType, infer Body, z.ZodType> ? z.output<Body> : never;
export type ReplyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer Reply> ? z.output<Reply> : never;
/** What a caller writes into the query: numbers are allowed where the wire has digits. */
export type QueryInput<E> = E extends Endpoint<infer Query, z.ZodType, z.ZodType> ? z.input<Query> : never;
export type BodyInput<E> = E extends Endpoint<z.ZodType, infer Body, z.ZodType> ? z.input<Body> : never;

const nothing = z.object({});

interface Description<Query extends z.ZodType, Body extends z.ZodType, Reply extends z.ZodType> {
  method: Method;
  path: `/api/${string}`;
  summary: string;
  access?: Access;
  scope?: ScopeResource;
  alsoReads?: readonly ScopeResource[];
  reachesAll?: boolean;
  scopeRule?: string;
  status?: 200 | 201;
  query?: Query;
  body?: Body;
  reads?: boolean;
  bodyOptional?: boolean;
  rawBody?: boolean;
  reply: Reply;
  params?: Readonly<Record<string, z.ZodType>>;
  answers?: Readonly<Record<string, z.ZodType>>;
  isFile?: boolean;
  refusals?: readonly number[];
}

/**
 * Describes one operation of the interface, once: the server's handler, the renderer's call, the tests and the
 * OpenAPI document all take their types and rules from it.
 */
export function endpoint<
  Reply extends z.ZodType,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof nothing,
>(description: Description<Query, Body, Reply>): Endpoint<Query, Body, Reply> {
  return {
    access: 'user',
    status: 200,
    query: nothing as unknown as Query,
    body: nothing as unknown as Body,
    reads: description.method === 'GET',
    bodyOptional: description.body === undefined,
    rawBody: false,
    alsoReads: [],
    reachesAll: false,
    params: {},
    isFile: false,
    refusals: [],
    ...description,
  };
}

/** The names of a path's parameters, in order: `/api/url/:id/update` has `['id']`. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/:([a-z]+)/g)].map((match) => match[1] as string);
}
