import { z } from 'zod';
import type { ActsFor } from './roles.ts';

/** The required authentication: `public` needs no key, `admin` an administrator's. */
export type Access = 'public' | 'user' | 'admin';

/** The resources that scopes consist of (decision 0009). */
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

/** The values of a path's parameters, by name. */
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
  /** The path below the instance's origin, with `:name` for each parameter. */
  readonly path: Path;
  /** One sentence for the API reference. */
  readonly summary: string;
  readonly access: Access;
  /** The scope that a key needs; GET requires read access, all others write access. */
  readonly scope?: ScopeResource;
  /** Other resources in the response, for which a scoped key needs read access too. */
  readonly alsoReads: readonly ScopeResource[];
  /** How the response or the required scopes depend on the request, in sentences for the API reference. */
  readonly scopeRule?: string;
  /** Whom it acts for, and the permission that a team member needs; derived in `roles.ts` if absent. */
  readonly acts?: ActsFor;
  /** Whether it can access everything in the instance, so that only a full key is sufficient. */
  readonly reachesAll: boolean;
  /** The success status: 200 except for campaign add and domain add (decision 0001). */
  readonly status: 200 | 201;
  readonly query: Query;
  readonly body: Body;
  /** The reply without `error`, which the server adds and the client removes. */
  readonly reply: Reply;
  /** Whether the operation is read-only although its method is not GET. */
  readonly reads: boolean;
  /** Whether the body may be missing (all its fields are then absent). */
  readonly bodyOptional: boolean;
  /** Whether the body is a file instead of JSON: the handler reads it as a stream. */
  readonly rawBody: boolean;
  /** Schemas of path parameters that are not ids. All others are positive integers. */
  readonly params: Params;
  /** Media types and schemas of a response that is not a JSON envelope. */
  readonly answers?: Readonly<Record<string, z.ZodType>>;
  /** Whether that response is a file download. */
  readonly isFile: boolean;
  /** Whether it accepts an `Idempotency-Key` (decision 0078). */
  readonly isIdempotent: boolean;
  /** Error statuses for the OpenAPI document that cannot be derived from the other fields. */
  readonly refusals: readonly number[];
}

// biome-ignore lint/suspicious/noExplicitAny: the bound of "some endpoint"; each one keeps its own types.
export type AnyEndpoint = Endpoint<any, any, any, `/api/${string}`, any>;

export type QueryOf<E extends AnyEndpoint> = z.output<E['query']>;
export type BodyOf<E extends AnyEndpoint> = z.output<E['body']>;
export type ReplyOf<E extends AnyEndpoint> = z.output<E['reply']>;
/** Query values as callers write them: numbers are allowed where the wire format has digits. */
export type QueryInput<E extends AnyEndpoint> = z.input<E['query']>;
export type BodyInput<E extends AnyEndpoint> = z.input<E['body']>;
/** The ids in the path, by name. */
export type IdsOf<E extends AnyEndpoint> = Readonly<
  Record<Exclude<ParamName<E['path']>, keyof E['params']>, number>
>;
/** The parsed path parameters that are not ids. */
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
 * Defines an API operation in one place: the server's handler, the renderer's call, the tests and the OpenAPI document
 * derive their types and validation from it.
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

/** The names of a path's parameters in order: `/api/url/:id/update` has `['id']`. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/:([a-z]+)/g)].map((match) => match[1] as string);
}
