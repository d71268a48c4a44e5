import type { Route } from './http/serve.ts';
import type { Job } from './jobs/scheduler.ts';

/** A part of the server, as listed in `app.ts`. */
export interface Module {
  /** Its routes below `/api`. */
  routes?: Route[];
  /** Its periodic jobs. A module that needs the status of its job adds it to the scheduler itself. */
  jobs?: Job[];
  /** Ends work in progress. Modules are closed in reverse order of creation. */
  close?(): void | Promise<void>;
}
