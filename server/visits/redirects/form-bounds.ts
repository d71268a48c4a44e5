import type { Connection } from '../../platform/database/connect.ts';

/** Limits of a bio page's or overlay's form: nobody may fill the disk through it, or block it permanently. */
const formBounds = {
  /** Entries within 24 hours; further ones are rejected. */
  perDay: 1000,
  /** Entries that are kept; the oldest are deleted first. */
  kept: 20_000,
};

const dayMs = 86_400_000;
/** Old entries deleted per new one: more than one, so that an oversized form shrinks to its limit. */
const removedAtOnce = 10;

/** A notice to a form's owner, once a day at most. */
export interface FormLimit {
  userId: number;
  /** Of the bio page or overlay. */
  title: string;
  form: 'bio' | 'overlay';
  /** Entries were rejected (`day`), or old ones deleted (`kept`). */
  limit: 'day' | 'kept';
}

/** Called inside the transaction of the entry. */
export type OnLimit = (limit: FormLimit) => void;

/** The table of entries, its foreign key column, and the referenced table. */
const tables = {
  bio: { entries: 'bio_messages', owner: 'bio_id', forms: 'bio_pages' },
  overlay: { entries: 'overlay_answers', owner: 'overlay_id', forms: 'overlays' },
} as const;

/** The limits of one type of entry. Each call takes a few look-ups in an index on the owner and the id. */
export function formBoundsOf(connection: Connection, form: FormLimit['form'], onLimit: OnLimit) {
  const kind = tables[form];
  const newest = `FROM ${kind.entries} WHERE ${kind.owner} = ? ORDER BY id DESC LIMIT 1`;
  // Only one row is read. Entries dated in the future by a wrong clock do not count, or they would block the form until
  // then.
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
    /** Whether the form has reached its daily limit; its owner is notified then. */
    isFull(id: number, at: number): boolean {
      const reached = lastOfDay.get(id);
      if (reached === undefined || reached <= at - dayMs || reached > at) return false;
      tell(id, at, 'day');
      return true;
    },
    /** After a new entry: deletes the oldest above the limit, each after `before`. */
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
