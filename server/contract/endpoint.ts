import { z } from 'zod';
import type { ActsFor } from './roles.ts';

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
  'teams',
  'fleet',
] as const;
export type ScopeResource = (typeof scopeResources)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The names of a path's parameters: `/api/url/:id/update` has `id`. */
type ParamName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<Tail>
    : Rest
  : never;

/** What a caller writes into a path, by the names of its parameters. */
export type PathParams<Path extends string> = Readonly<Record<ParamName<Path>, string | number>>;

/** The schemas of path parameters that are not ids. */
type ParamSchemas = Readonly<Record<string, z.ZodType>>;

export interface Endpoint<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
  Path extends `/api/${string}`,
  Params extends ParamSchemas,
> {
  readonly method: Method;
  /** The path after the instance's address, with `:name` for every parameter. */
  readonly path: Path;
  /** One sentence for the API reference. */
  readonly summary: string;
  readonly access: Access;
  /** What a scoped key must be allowed to touch; GET reads, everything else writes. */
  readonly scope?: ScopeResource;
  /** What the answer shows beside its own resource: a scoped key must be allowed to read that too. */
  readonly alsoReads: readonly ScopeResource[];
  /** What a scoped key gets less, or needs more, by what it asks for: sentences for the API document. */
  readonly scopeRule?: string;
  /** For whom it works, and what a member of a team needs to be allowed; derived in `roles.ts` where it is not said. */
  readonly acts?: ActsFor;
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
  readonly params: Params;
  /** The media types of an answer that is no reply in an envelope, each with what it holds. */
  readonly answers?: Readonly<Record<string, z.ZodType>>;
  /** Whether that answer is a file to be saved under a name. */
  readonly isFile: boolean;
  /** Whether it takes an `Idempotency-Key` (decision 0078). */
  readonly isIdempotent: boolean;
  /** Statuses of refusals that do not follow from what is said above, for the OpenAPI document. */
  readonly refusals: readonly number[];
}

// biome-ignore lint/suspicious/noExplicitAny: the bound of "some endpoint"; each one keeps its own types.
export type AnyEndpoint = Endpoint<any, any, any, `/api/${string}`, any>;

export type QueryOf<E extends AnyEndpoint> = z.output<E['query']>;
export type BodyOf<E extends AnyEndpoint> = z.output<E['body']>;
export type ReplyOf<E extends AnyEndpoint> = z.output<E['reply']>;
/** What a caller writes into the query: numbers are allowed where the wire has digits. */
export type QueryInput<E extends AnyEndpoint> = z.input<E['query']>;
export type BodyInput<E extends AnyEndpoint> = z.input<E['body']>;
/** The ids in the path, by name. */
export type IdsOf<E extends AnyEndpoint> = Readonly<
  Record<Exclude<ParamName<E['path']>, keyof E['params']>, number>
>;
/** The parameters in the path that are not ids, as their schemas read them. */
export type ParamsOf<E extends AnyEndpoint> = {
  readonly [Name in keyof E['params']]: z.output<E['params'][Name]>;
};

const nothing = z.object({});
const noParams = {};

interface Description<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
  Path extends `/api/${string}`,
  Params extends ParamSchemas,
> {
  method: Method;
  path: Path;
  summary: string;
  access?: Access;
  scope?: ScopeResource;
  alsoReads?: readonly ScopeResource[];
  acts?: ActsFor;
  reachesAll?: boolean;
  scopeRule?: string;
  status?: 200 | 201;
  query?: Query;
  body?: Body;
  reads?: boolean;
  bodyOptional?: boolean;
  rawBody?: boolean;
  reply: Reply;
  params?: Params;
  answers?: Readonly<Record<string, z.ZodType>>;
  isFile?: boolean;
  isIdempotent?: boolean;
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
  const Path extends `/api/${string}` = `/api/${string}`,
  Params extends ParamSchemas = typeof noParams,
>(description: Description<Query, Body, Reply, Path, Params>): Endpoint<Query, Body, Reply, Path, Params> {
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
    params: noParams as Params,
    isFile: false,
    isIdempotent: false,
    refusals: [],
    ...description,
  };
}

/** The names of a path's parameters, in order: `/api/url/:id/update` has `['id']`. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/:([a-z]+)/g)].map((match) => match[1] as string);
}
