import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { acknowledged, timestamp } from './envelope.ts';
import { bulkActions } from './links.ts';

/** Maximum number of background jobs running at once per account. */
export const mostBulkJobs = 3;
/** Number of recent jobs listed. */
export const listedBulkJobs = 20;

export const bulkJobStates = ['preparing', 'running', 'cancelling', 'done', 'cancelled', 'failed'] as const;

const bulkJob = z.object({
  id: z.number().int(),
  action: z.enum(bulkActions),
  /** `preparing` selects the links; nothing is changed before `running`. */
  state: z.enum(bulkJobStates),
  /** Number of selected links; 0 until known. */
  total: z.number().int(),
  /** Results of the links processed so far. */
  counts: z.object({
    done: z.number().int(),
    unchanged: z.number().int(),
    refused: z.number().int(),
    not_found: z.number().int(),
  }),
  codes: z.record(z.string(), z.number().int()),
  /** The id to undo the finished job; null if there is nothing to undo. */
  undo: z.number().int().nullable(),
  /** Why the job failed. */
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
  date: timestamp,
  finished: timestamp.nullable(),
});
export type BulkJob = z.output<typeof bulkJob>;

export const listBulkJobs = endpoint({
  method: 'GET',
  path: '/api/urls/bulk',
  summary: 'List the newest 20 long bulk actions of the account; members below editors see their own.',
  scope: 'links',
  reply: z.object({ data: z.object({ jobs: z.array(bulkJob) }) }),
});

export const getBulkJob = endpoint({
  method: 'GET',
  path: '/api/urls/bulk/:id',
  summary: 'Get the progress or result of a long bulk action.',
  scope: 'links',
  reply: z.object({ data: bulkJob }),
});

export const cancelBulkJob = endpoint({
  method: 'POST',
  path: '/api/urls/bulk/:id/cancel',
  summary: 'Cancel a running bulk action; what it has done stays and can be undone.',
  acts: 'create',
  scope: 'links',
  bodyOptional: true,
  reply: acknowledged,
});
