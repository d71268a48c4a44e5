import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { day, domainReference, listOf, paging, timestamp } from './envelope.ts';

/** What a visit that found nothing came for: an alias that nobody has, a bare domain, or weak spots, as programs do. */
export const unmatchedKinds = ['unknown', 'bare', 'probe'] as const;
export type UnmatchedKind = (typeof unmatchedKinds)[number];

/** Which of them; days are those of the account's time zone, and both are included. */
const filter = {
  kind: z.enum(unmatchedKinds).optional(),
  /** `own` is the instance's own address. */
  domain: z.union([z.literal('own'), domainReference]).optional(),
  path: z.string().max(400).optional(),
  from: day.optional(),
  to: day.optional(),
};

/** The visits to one path of one domain, or one of them: then `visits` is 1. */
export const unmatchedVisit = z.object({
  /** Of the latest visit. */
  id: z.number().int(),
  path: z.string(),
  /** `https://<host>`; null for the instance's own address. */
  domain: z.string().nullable(),
  kind: z.enum(unmatchedKinds),
  /** What a link here has to be called; null where the path is no alias. */
  alias: z.string().nullable(),
  /** Whether somebody has that alias by now. */
  taken: z.boolean(),
  visits: z.number().int(),
  bots: z.number().int(),
  /** Where the latest visit came from; empty where that is not known. */
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
    /** `path` has one entry for each path, most visited first; `none` one for each visit, newest first. */
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
