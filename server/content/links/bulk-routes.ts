import { cancelBulkJob, getBulkJob, listBulkJobs } from '../../contract/bulk-jobs.ts';
import { bulkLinks } from '../../contract/links.ts';
import { powers } from '../../contract/roles.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { listedMember } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { BulkService } from './bulk.ts';
import type { BulkJobs, JobReader } from './bulk-jobs.ts';

interface Options {
  bulk: Pick<BulkService, 'run' | 'startInBackground' | 'cancelRest'>;
  jobs: Pick<BulkJobs, 'list' | 'get' | 'cancel'>;
}

/** The endpoints of bulk actions, and of those that are followed (decision 0098). */
export function bulkRoutes({ bulk, jobs }: Options): Route[] {
  return [
    route(bulkLinks, async (call) => {
      const { caller, body } = call;
      const member = listedMember(caller, body.filter?.member) ?? undefined;
      const asked = body.filter ? { ...body, filter: { ...body.filter, member } } : body;
      const rights = {
        person: caller.person.user.id,
        check: call.checkStillAllowed,
        refusalOf(id: number) {
          if (call.edits('links', id)) return undefined;
          return call.sees('links', id) ? ('role_too_low' as const) : ('not_found' as const);
        },
      };
      if (body.background && !body.dryrun) {
        const job = bulk.startInBackground(caller, asked, rights);
        return { message: 'The bulk action was started.', data: { rows: [], undo: null, job } };
      }
      const { outcomes, undo, job, isCancelled } = await bulk.run(caller, asked, rights);
      const { counts, codes } = outcomes;
      const [total, rows] = [outcomes.total(), outcomes.shown()];
      const verb = body.dryrun ? 'would be changed' : 'were changed';
      const message = `${counts.done} of ${total} links ${verb}.`;
      return {
        message: isCancelled ? `${message} The rest was cancelled.` : message,
        data: { rows, undo, job, counts, codes, omitted: total - rows.length },
      };
    }),
    route(listBulkJobs, ({ caller }) => ({
      data: { jobs: jobs.list(readerOf(caller), caller.user.timezone) },
    })),
    route(getBulkJob, ({ caller, id }) => ({ data: jobs.get(id, readerOf(caller), caller.user.timezone) })),
    route(cancelBulkJob, ({ caller, id }) => {
      jobs.cancel(id, readerOf(caller));
      bulk.cancelRest();
      return {
        message: 'The bulk action is being cancelled. What it has done so far stays and can be undone.',
      };
    }),
  ];
}

/** Members who may not edit others' records see only the jobs that they started. */
function readerOf({ user, person, role }: Caller): JobReader {
  return { userId: user.id, personId: person.user.id, seesAll: powers[role].edit === true };
}
