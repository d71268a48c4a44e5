import type { Connection } from '../../platform/database/connect.ts';
import type { FormQueries } from '../../visits/redirects/form-queries.ts';
import type { NameOf } from './log-names.ts';
import type { EntryBatch, FormEntry } from './messages.ts';
import type { FleetSession } from './session.ts';

/** Of one form, as many wait as the origin takes of it in a day. */
const mostOfOne = 1_000;
const mostOfAll = 10_000;
const entriesAtOnce = 30;
/** Of one message: engines take a megabyte. */
const mostBytes = 256 * 1024;

interface Options {
  /** The connection that survives a power failure: visitors are thanked for these entries. */
  connection: Connection;
  nameOf: NameOf;
  /** Called when there is something to send. */
  onEntry: () => void;
}

/**
 * Form entries of an edge's visitors, on their way to the origin (decision 0094). An entry is stored here before its
 * visitor is thanked, and until NATS has it; the origin decides whether it is a duplicate, or exceeds the daily limit.
 */
export function entryLog({ connection, nameOf, onEntry }: Options) {
  const count = connection.prepare<[], number>('SELECT count(*) FROM fleet_entries').pluck();
  const lastOfOne = connection
    .prepare<[string], number>(`SELECT 1 FROM fleet_entries WHERE target = ? LIMIT 1 OFFSET ${mostOfOne - 1}`)
    .pluck();
  const add = connection.prepare<[string, string]>('INSERT INTO fleet_entries (target, body) VALUES (?, ?)');
  const next = connection.prepare<[], { id: number; body: string }>(
    `SELECT id, body FROM fleet_entries ORDER BY id LIMIT ${entriesAtOnce}`,
  );
  const remove = connection.prepare<[number]>('DELETE FROM fleet_entries WHERE id <= ?');
  const createdAt = {
    overlay: connection.prepare<[number], number>('SELECT created_at FROM overlays WHERE id = ?').pluck(),
    bio: connection.prepare<[number], number>('SELECT created_at FROM bio_pages WHERE id = ?').pluck(),
  };
  const waiting = () => count.get() ?? 0;

  function keep(target: string, entry: FormEntry): boolean {
    if (waiting() >= mostOfAll) throw new Error(`${mostOfAll} entries of forms wait for the engine already`);
    if (lastOfOne.get(target)) return false;
    add.run(target, JSON.stringify(entry));
    onEntry();
    return true;
  }

  /** When a form was created. Throws if it was deleted since the page was rendered. */
  function ageOf(form: keyof typeof createdAt, id: number): number {
    const at = createdAt[form].get(id);
    if (at === undefined) throw new Error(`${form} ${id} is gone`);
    return at;
  }

  function read(edge: number): EntryBatch | undefined {
    const entries: EntryBatch['entries'] = [];
    const found = next.all();
    const { last, log } = nameOf(found[0]?.id ?? 0);
    let bytes = 0;
    for (const { id, body } of found) {
      bytes += Buffer.byteLength(body);
      if (entries.length > 0 && (bytes > mostBytes || id > last)) break;
      // Written here only.
      entries.push([id, JSON.parse(body) as FormEntry]);
    }
    return entries.length === 0 ? undefined : { log, edge, entries };
  }

  const forms: FormQueries = {
    addAnswer: (answer) =>
      keep(`overlay ${answer.overlay}`, {
        kind: 'answer',
        createdAt: ageOf('overlay', answer.overlay),
        ...answer,
      }),
    addMessage: (message) =>
      keep(`bio ${message.bio}`, { kind: 'message', createdAt: ageOf('bio', message.bio), ...message }),
  };

  return {
    forms,
    /** Entries that are not shipped yet. */
    waiting,
    /** Sends the next entries; false if there are none. Rejects while NATS does not accept them. */
    async ship({ engine, seal, subjects }: FleetSession, edge: number): Promise<boolean> {
      const batch = read(edge);
      const last = batch?.entries.at(-1)?.[0];
      if (!batch || last === undefined) return false;
      const subject = subjects.clicks.of(edge);
      await engine.streams.publish(subject, seal.seal(JSON.stringify(batch), subject), {
        msgID: `${batch.log} entries ${last} ${batch.entries.length}`,
      });
      remove.run(last);
      return true;
    },
  };
}

export type EntryLog = ReturnType<typeof entryLog>;
