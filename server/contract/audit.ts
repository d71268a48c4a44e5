import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { identifier, listOf, paging, timestamp } from './envelope.ts';
import { authoredResources } from './roles.ts';

/** An audit log entry. `user` is the affected account, `actor` the user who acted. */
export const auditEntry = z.object({
  id: z.number().int(),
  date: timestamp,
  /** Stable noun and verb, such as `account.password` or `key.deleted`. */
  action: z.string(),
  user: z.object({ id: z.number().int(), username: z.string() }).nullable(),
  /** Null if nobody was signed in. `id` is null if the account was deleted; the name is kept. */
  actor: z.object({ id: z.number().int().nullable(), username: z.string() }).nullable(),
  key: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  address: z.string(),
  details: z.record(z.string(), z.unknown()),
  /** Ours, for actions on records: the affected record; `id` and `title` are null if there are several. */
  record: z
    .object({
      kind: z.enum(authoredResources),
      id: z.number().int().nullable(),
      title: z.string().nullable(),
    })
    .optional(),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const auditViews = ['security', 'records', 'all'] as const;

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit',
  acts: 'see',
  summary: "List your account's activity, newest first; administrators see all accounts.",
  scope: 'account',
  scopeRule: 'What was done to records is shown to full keys only.',
  query: z.object({
    ...paging,
    action: z.string().max(60).optional(),
    /** `own` limits an administrator's view to their own account. */
    show: z.enum(['own', 'all']).optional(),
    /** Ours: `security` (default), `records` for changes to links and other records, or `all`. */
    view: z.enum(auditViews).optional(),
    /** Ours: filters by kind of record, and by a single record. */
    kind: z.enum(authoredResources).optional(),
    record: identifier.optional(),
    /** Ours: filters by the acting user. */
    person: identifier.optional(),
  }),
  reply: listOf('audit', auditEntry),
});

export const listAuditPeople = endpoint({
  method: 'GET',
  path: '/api/audit/people',
  acts: 'see',
  summary: 'List who appears in the activity that you see.',
  scope: 'account',
  query: z.object({ show: z.enum(['own', 'all']).optional() }),
  reply: z.object({ data: z.array(z.object({ id: z.number().int(), username: z.string() })) }),
});
