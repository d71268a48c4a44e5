import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { day, domainReference, listOf, paging, timestamp } from './envelope.ts';

/** What an unmatched visit requested: an unknown alias, a bare domain, or a vulnerability probe. */
export const unmatchedKinds = ['unknown', 'bare', 'probe'] as const;
export type UnmatchedKind = (typeof unmatchedKinds)[number];

/** Filters; days are inclusive and in the account's time zone. */
const filter = {
  kind: z.enum(unmatchedKinds).optional(),
  /** `own` is the instance's own host. */
  domain: z.union([z.literal('own'), domainReference]).optional(),
  path: z.string().max(400).optional(),
  from: day.optional(),
  to: day.optional(),
};

/** The visits to one path of a domain, or a single visit (`visits` is then 1). */
export const unmatchedVisit = z.object({
  /** The id of the latest visit. */
  id: z.number().int(),
  path: z.string(),
  /** `https://<host>`; null for the instance's own host. */
  domain: z.string().nullable(),
  kind: z.enum(unmatchedKinds),
  /** The alias that a link here would need; null if the path is not a valid alias. */
  alias: z.string().nullable(),
  /** Whether the alias is taken by now. */
  taken: z.boolean(),
  visits: z.number().int(),
  bots: z.number().int(),
  /** The referrer of the latest visit; empty if unknown. */
  referrer: z.string(),
  first: timestamp,
  date: timestamp,
});
export type UnmatchedVisit = z.output<typeof unmatchedVisit>;

export const listUnmatchedVisits = endpoint({
  method: 'GET',
  path: '/api/visits/orphans',
  summary: 'List visits that reached no link: unknown aliases, bare domains and probes.',
  scope: 'stats',
  alsoReads: ['domains'],
  query: z.object({
    ...paging,
    ...filter,
    /** `path` groups by path, most visited first; `none` returns individual visits, newest first. */
    group: z.enum(['path', 'none']).default('path'),
  }),
  reply: listOf('visits', unmatchedVisit),
});

export const deleteUnmatchedVisits = endpoint({
  method: 'DELETE',
  path: '/api/visits/orphans/delete',
  summary: 'Delete visits that reached no link: those of a filter, or all that you may see.',
  scope: 'stats',
  acts: 'manage',
  query: z.object(filter),
  reply: z.object({ message: z.string(), deleted: z.number().int() }),
});
