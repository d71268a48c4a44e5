import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** SQL statements recorded while they run: on this thread, and requests to the reader threads. */
export interface TappedStatements {
  /** Statements since the last call. */
  take(): Set<string>;
  /** Statements since the last call on this thread, which answers redirects. */
  takeOnThisThread(): Set<string>;
  stop(): void;
}

/** Records statements that are prepared from now on. */
export function tapStatements(): TappedStatements {
  let seen = new Set<string>();
  let onThisThread = new Set<string>();
  const { prepare } = Database.prototype;
  const { postMessage } = Worker.prototype;

  Database.prototype.prepare = function tapped(this: Database.Database, compiled: string) {
    const statement = prepare.call(this, compiled);
    const sql = asWritten(compiled);
    for (const name of ['all', 'get', 'iterate', 'run'] as const) {
      const original = statement[name] as (...values: unknown[]) => unknown;
      Object.defineProperty(statement, name, {
        value: (...values: unknown[]) => {
          seen.add(sql);
          onThisThread.add(sql);
          return original.apply(statement, values);
        },
      });
    }
    return statement;
  } as typeof prepare;

  Worker.prototype.postMessage = function tapped(this: Worker, message: unknown, ...more: never[]) {
    for (const sql of statementsIn(message)) seen.add(sql);
    postMessage.call(this, message, ...more);
  };

  return {
    take() {
      const taken = seen;
      seen = new Set();
      return taken;
    },
    takeOnThisThread() {
      const taken = onThisThread;
      onThisThread = new Set();
      return taken;
    },
    stop() {
      Database.prototype.prepare = prepare;
      Worker.prototype.postMessage = postMessage;
    },
  };
}

/** Without the signs that `planOnce` puts before parameters. */
function asWritten(sql: string): string {
  return sql.replace(/\+(?=[?@])/g, '');
}

/** Every `sql` in a message to a thread, however deep. */
function statementsIn(message: unknown): string[] {
  if (typeof message !== 'object' || message === null) return [];
  return Object.entries(message).flatMap(([name, value]) =>
    name === 'sql' && typeof value === 'string' ? [value] : statementsIn(value),
  );
}
