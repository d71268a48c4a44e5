import type { Connection } from '../../platform/database/connect.ts';
import type { FormAnswer, FormMessage, FormQueries } from './form-queries.ts';

/** A form entry that another machine of the fleet received, and when its overlay or bio page was created. */
export type ShippedForm =
  | ({ kind: 'answer'; createdAt: number } & FormAnswer)
  | ({ kind: 'message'; createdAt: number } & FormMessage);

/**
 * Stores form entries from other machines under the same rules as local ones. Entries are dropped if their overlay or
 * bio page was deleted, or if its id belongs to another one since a restore.
 */
export function shippedForms(connection: Connection, kept: FormQueries): (form: ShippedForm) => void {
  const overlay = connection
    .prepare<[number, number], number>('SELECT 1 FROM overlays WHERE id = ? AND created_at = ?')
    .pluck();
  const bio = connection
    .prepare<[number, number], number>('SELECT 1 FROM bio_pages WHERE id = ? AND created_at = ?')
    .pluck();
  return (form) => {
    if (form.kind === 'answer') {
      const { createdAt, kind, ...answer } = form;
      if (overlay.get(answer.overlay, createdAt)) kept.addAnswer(answer);
    } else {
      const { createdAt, kind, ...message } = form;
      if (bio.get(message.bio, createdAt)) kept.addMessage(message);
    }
  };
}
