import type { Job } from '../../platform/jobs/scheduler.ts';
import type { LinkRow } from '../links/queries.ts';
import type { FramingService } from './service.ts';

/** Links checked at a time, and per run: sites are not flooded. */
const together = 4;
const mostLinks = 200;

interface Options {
  listDue: (now: number, after: number, limit: number) => Promise<{ id: number; user_id: number }[]>;
  framing: FramingService;
  findLink: (id: number, userId: number) => LinkRow | undefined;
  now: () => number;
}

/**
 * Checks links with a frame or an overlay again: if the destination could not be checked, if the link changed since
 * (by an import or undo), and once a day.
 */
export function framingJob({ listDue, framing, findLink, now }: Options): Job {
  return {
    name: 'framing',
    intervalMs: () => 600_000,
    firstMs: 90_000,
    async run(signal) {
      let after = 0;
      for (let done = 0; done < mostLinks && !signal.aborted; done += together) {
        const due = await listDue(now(), after, together);
        if (due.length === 0) return;
        const links = due.flatMap(({ id, user_id }) => findLink(id, user_id) ?? []);
        await Promise.all(links.map((link) => framing.check(link, true)));
        after = due.at(-1)?.id ?? after;
      }
    },
  };
}
