import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { listOf, paging, timestamp } from './envelope.ts';

/** One entry of the audit log. `user` is the account it is about, `actor` who acted. */
export const auditEntry = z.object({
  id: z.number().int(),
  date: timestamp,
  /** Stable noun and verb, such as `account.password` or `key.deleted`. */
  action: z.string(),
  user: z.object({ id: z.number().int(), username: z.string() }).nullable(),
  /** `id` is null when the account is gone; the name stays. Null when nobody was signed in. */
  actor: z.object({ id: z.number().int().nullable(), username: z.string() }).nullable(),
  key: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  address: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit',
  acts: 'see',
  summary: "List your account's activity, newest first; administrators see all accounts.",
  scope: 'account',
  query: z.object({
    ...paging,
    action: z.string().max(60).optional(),
    /** `own` limits an administrator's view to the own account. */
    show: z.enum(['own', 'all']).optional(),
  }),
  reply: listOf('audit', auditEntry),
});
