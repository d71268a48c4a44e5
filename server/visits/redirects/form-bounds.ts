import type { Connection } from '../../platform/database/connect.ts';

/** What one bio page or overlay takes: nobody may fill the disk through its form, and nobody may close it for good. */
const formBounds = {
  /** Entries within 24 hours; the others are turned away. */
  perDay: 1000,
  /** Entries that are kept; beyond, the oldest go. */
  kept: 20_000,
};

const dayMs = 86_400_000;
/** Old entries that go with each new one: more than come, so that a form that has too many gets down to its bound. */
const removedAtOnce = 10;

/** What a form's owner is told of, once a day at most. */
export interface FormLimit {
  userId: number;
  /** Of the bio page or overlay. */
  title: string;
  form: 'bio' | 'overlay';
  /** Entries were turned away (`day`), or old ones removed (`kept`). */
  limit: 'day' | 'kept';
}

/** Called inside the transaction of the entry. */
export type OnLimit = (limit: FormLimit) => void;

/** Where entries are kept, the column of the page or overlay that they were sent to, and the table of those. */
const tables = {
  bio: { entries: 'bio_messages', owner: 'bio_id', forms: 'bio_pages' },
  overlay: { entries: 'overlay_answers', owner: 'overlay_id', forms: 'overlays' },
} as const;

/** The bounds of one kind of entries. Each call takes a few look-ups by an index on the owner and the id. */
export function formBoundsOf(connection: Connection, form: FormLimit['form'], onLimit: OnLimit) {
  const kind = tables[form];
  const newest = `FROM ${kind.entries} WHERE ${kind.owner} = ? ORDER BY id DESC LIMIT 1`;
  // Only one row is read. What a wrong clock dated ahead does not count, or it would close the form until then.
  const lastOfDay = connection
    .prepare<[number], number>(`SELECT at ${newest} OFFSET ${formBounds.perDay - 1}`)
    .pluck();
  const lastBeyond = connection
    .prepare<[number], number>(`SELECT id ${newest} OFFSET ${formBounds.kept}`)
    .pluck();
  const oldest = connection
    .prepare<[number, number], number>(
      `SELECT id FROM ${kind.entries} WHERE ${kind.owner} = ? AND id <= ? ORDER BY id LIMIT ${removedAtOnce}`,
    )
    .pluck();
  const remove = connection.prepare<[number]>(`DELETE FROM ${kind.entries} WHERE id = ?`);
  const noteLimit = connection.prepare<[Record<string, number>], { userId: number; title: string }>(
    `UPDATE ${kind.forms} SET limited_at = @at
     WHERE id = @id AND (limited_at IS NULL OR limited_at <= @at - ${dayMs} OR limited_at > @at)
     RETURNING user_id AS userId, name AS title`,
  );

  function tell(id: number, at: number, limit: FormLimit['limit']): void {
    const noted = noteLimit.get({ id, at });
    if (noted) onLimit({ ...noted, form, limit });
  }

  return {
    /** Whether the form has had its most for today; its owner is told then. */
    isFull(id: number, at: number): boolean {
      const reached = lastOfDay.get(id);
      if (reached === undefined || reached <= at - dayMs || reached > at) return false;
      tell(id, at, 'day');
      return true;
    },
    /** After a new entry: removes old ones where there are more than are kept, each after `before`. */
    removeOldest(id: number, at: number, before: (entry: number) => void = () => {}): void {
      const beyond = lastBeyond.get(id);
      if (beyond === undefined) return;
      for (const entry of oldest.all(id, beyond)) {
        before(entry);
        remove.run(entry);
      }
      tell(id, at, 'kept');
    },
  };
}
