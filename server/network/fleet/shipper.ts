import type { SpareTime } from '../../platform/concurrency/spare-time.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { dayMs, dictionaryColumns, rareDimensions, scopes } from '../../visits/clicks/dimensions.ts';
import type { NameOf } from './log-names.ts';
import type { ClickBatch } from './messages.ts';
import type { FleetSession } from './session.ts';

const clicksAtOnce = 500;
const shippedColumns = [...dictionaryColumns, ...rareDimensions].join(', ');

/**
 * The clicks of one log of an edge on their way to the origin. The sent position is stored where an origin stores its
 * counted position; what NATS has confirmed is deleted in the same transaction, and ids are never reused.
 */
export function clickLog(connection: Connection, nameOf: NameOf, epoch: number) {
  const position = connection
    .prepare<[], number>('SELECT position FROM rollup_position WHERE id = 1')
    .pluck();
  const newest = connection.prepare<[], number>('SELECT max(id) FROM clicks').pluck();
  const next = connection
    .prepare<[number, number], unknown[]>(
      `SELECT id, link_id, at, visitor, source, rule, bot, address, ${shippedColumns}
       FROM clicks LEFT JOIN click_marks ON click_id = id WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .raw();
  const word = connection.prepare<[number], string>('SELECT word FROM words WHERE id = ?').pluck();
  const see = connection.prepare<[number, number, number]>(
    `INSERT OR IGNORE INTO visitors (day, scope, scope_id, visitor) VALUES (?, ${scopes.link}, ?, ?)`,
  );
  const sweep = connection.prepare<[number]>(
    `DELETE FROM visitors WHERE (day, scope, scope_id, visitor) IN
       (SELECT day, scope, scope_id, visitor FROM visitors WHERE day < ? LIMIT 1000)`,
  );
  const remove = connection.prepare<[number]>('DELETE FROM clicks WHERE id <= ?');
  const move = connection.prepare<[number]>('UPDATE rollup_position SET position = ? WHERE id = 1');

  function read(after: number, edge: number): ClickBatch | undefined {
    const found = next.all(after, clicksAtOnce);
    const [firstId] = found[0] ?? [];
    if (typeof firstId !== 'number') return undefined;
    const { last, log } = nameOf(firstId);
    const words: string[] = [];
    const places = new Map<number, number>();
    const placeOf = (id: number): number => {
      if (id === 0) return 0;
      const known = places.get(id);
      if (known !== undefined) return known;
      words.push(word.get(id) ?? '');
      places.set(id, words.length);
      return words.length;
    };
    const own = found.filter(([id]) => (id as number) <= last);
    const rows = own.map((row): ClickBatch['rows'][number] => {
      const [id, linkId, at, visitor, source, rule, bot, address, ...codes] = row as [
        ...[number, number, number, number, number, number | null, 0 | 1, string | null],
        ...(number | null)[],
      ];
      // Few clicks have more than the words of the log.
      const shipped = codes.at(-1) === null ? codes.slice(0, dictionaryColumns.length) : codes;
      return [id, linkId, at, visitor, source, rule, bot, shipped.map((code) => placeOf(code ?? 0)), address];
    });
    return { log, edge, epoch, words, rows };
  }

  const confirm = connection.transaction(({ rows }: ClickBatch): void => {
    // What rules about returning visitors ask for, on this edge.
    for (const [, linkId, at, visitor, , , bot] of rows) {
      if (bot === 0) see.run(Math.floor(at / dayMs), linkId, visitor);
    }
    const [id, , at] = rows.at(-1) as ClickBatch['rows'][number];
    sweep.run(Math.floor(at / dayMs) - 1);
    remove.run(id);
    move.run(id);
  });

  return {
    /** Clicks that are not shipped yet. */
    waiting: (): number => Math.max(0, (newest.get() ?? 0) - (position.get() ?? 0)),
    /** Sends the next clicks, in measured time; false if there are none. Rejects while NATS does not accept them. */
    async ship(
      { engine, seal, subjects }: FleetSession,
      edge: number,
      { spend }: Pick<SpareTime, 'spend'>,
    ): Promise<boolean> {
      const batch = spend(() => read(position.get() ?? 0, edge));
      if (!batch) return false;
      const subject = subjects.clicks.of(edge);
      await spend(() =>
        engine.streams.publish(subject, seal.seal(JSON.stringify(batch), subject), {
          msgID: `${batch.log} ${batch.rows.at(-1)?.[0]} ${batch.rows.length}`,
        }),
      );
      spend(() => confirm.immediate(batch));
      return true;
    },
  };
}

export type ClickLog = ReturnType<typeof clickLog>;
