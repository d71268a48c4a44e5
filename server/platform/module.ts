import type { Route } from './http/serve.ts';
import type { Job } from './jobs/scheduler.ts';

/** A part of the server, as the table of contents in `app.ts` sees it. */
export interface Module {
  /** What it answers below `/api`. */
  routes?: Route[];
  /** What it does at intervals. One that has to know how its job is doing adds it to the scheduler itself. */
  jobs?: Job[];
  /** Ends what it has under way. Modules are closed in the reverse of the order in which they were made. */
  close?(): void | Promise<void>;
}
