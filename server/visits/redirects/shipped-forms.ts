import type { Connection } from '../../platform/database/connect.ts';
import type { FormAnswer, FormMessage, FormQueries } from './form-queries.ts';

/** What a visitor sent to another machine of the fleet, and when the overlay or bio page it is for was created. */
export type ShippedForm =
  | ({ kind: 'answer'; createdAt: number } & FormAnswer)
  | ({ kind: 'message'; createdAt: number } & FormMessage);

/**
 * Keeps what visitors sent to other machines by the same rules as what is sent here. An overlay or bio page that is
 * gone by now takes nothing, nor does another one that has its id since a restore.
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
