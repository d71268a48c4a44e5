import type { Databases } from '../../platform/database/open.ts';
import { isDamage } from '../../platform/database/refused.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import type { EntryLog } from './entry-log.ts';
import type { ClickLog } from './shipper.ts';

/** What answers visitors from a replica. */
export interface ReplicaApp {
  answerPublic: Redirects['handle'];
  /** Records that a connection was accepted: what can wait leaves the round to those who are still connecting. */
  noteArrival(): void;
  reloadSettings(): void;
  /** Visits that it answered and could not count. */
  lostClicks(): number;
  close(): Promise<void>;
}

/** A replica that is open: the one that answers, or one that was replaced and still has something to ship. */
export interface Generation {
  name: string;
  databases: Databases;
  app: ReplicaApp;
  clicks: ClickLog;
  entries: EntryLog;
  /** How many visitors it answers now. */
  visitors(): number;
  hasContent(storage: string): boolean;
}

/** Counts the visitors that an app answers. */
export function counted(app: ReplicaApp): { app: ReplicaApp; visitors: () => number } {
  let visitors = 0;
  return {
    app: {
      answerPublic(request, response, host) {
        visitors += 1;
        response.once('close', () => {
          visitors -= 1;
        });
        return app.answerPublic(request, response, host);
      },
      noteArrival: app.noteArrival,
      reloadSettings: app.reloadSettings,
      lostClicks: app.lostClicks,
      close: app.close,
    },
    visitors: () => visitors,
  };
}

/** Of a log that cannot be read something waits: shipping it finds out what. */
export function waitingOf({ clicks, entries }: Generation): number {
  try {
    return clicks.waiting() + entries.waiting();
  } catch (error) {
    if (isDamage(error)) return 1;
    throw error;
  }
}

/** Stores the salt of a day, with which all machines identify visitors. */
export function keepSalt({ clicks }: Databases, day: number, salt: Buffer): void {
  clicks
    .prepare<[number, Buffer]>('INSERT INTO visitor_salt (day, salt) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .run(day, salt);
}
