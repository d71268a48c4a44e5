import type { Connection } from '../../platform/database/connect.ts';
import type { DiskSpace } from '../../platform/database/disk-space.ts';
import { diskFull } from '../../platform/errors.ts';
import type { WriteGate } from '../../platform/http/write-gate.ts';
import { bioClickQueries } from './bio-queries.ts';
import { formBoundsOf, type OnLimit } from './form-bounds.ts';

/** A visitor's submission to a newsletter or poll. */
export interface FormAnswer {
  overlay: number;
  sender: string;
  value: string;
  at: number;
}

/** A visitor's message sent through a bio page's contact form. */
export interface FormMessage {
  bio: number;
  block: number;
  name: string;
  email: string;
  message: string;
  at: number;
}

interface Options {
  /** The connection for user data: visitors were thanked for their entries, so a power failure must not lose them. */
  connection: Connection;
  onLimit: OnLimit;
}

/** Stores form entries of visitors. */
export function formQueries({ connection, onLimit }: Options): FormQueries {
  const { countClick } = bioClickQueries(connection);
  const messages = formBoundsOf(connection, 'bio', onLimit);
  const answers = formBoundsOf(connection, 'overlay', onLimit);
  const hasAnswered = connection
    .prepare<[number, string], number>('SELECT 1 FROM overlay_answers WHERE overlay_id = ? AND sender = ?')
    .pluck();
  const addAnswer = connection.prepare<[Record<string, unknown>]>(
    'INSERT INTO overlay_answers (overlay_id, sender, value, at) VALUES (@overlay, @sender, @value, @at)',
  );
  // The sender of a newsletter sign-up is the email address itself, which must not be stored elsewhere.
  const countPastVote = connection.prepare<[number]>(
    `INSERT INTO overlay_past_votes (overlay_id, value, votes, at)
     SELECT overlay_id, value, 1, at FROM overlay_answers WHERE id = ? AND instr(sender, '@') = 0
     ON CONFLICT DO UPDATE SET votes = votes + 1, at = max(at, excluded.at)`,
  );
  const addMessage = connection.prepare<[Record<string, unknown>]>(
    `INSERT INTO bio_messages (bio_id, block, name, email, message, at)
     VALUES (@bio, @block, @name, @email, @message, @at)`,
  );

  return {
    addAnswer: connection.transaction((answer: FormAnswer): boolean => {
      const { overlay, sender, at } = answer;
      if (hasAnswered.get(overlay, sender)) return true;
      if (answers.isFull(overlay, at)) return false;
      addAnswer.run({ ...answer });
      answers.removeOldest(overlay, at, (id) => countPastVote.run(id));
      return true;
    }).immediate,
    addMessage: connection.transaction((message: FormMessage): boolean => {
      const { bio, block, at } = message;
      if (messages.isFull(bio, at)) return false;
      addMessage.run({ ...message });
      messages.removeOldest(bio, at);
      countClick(bio, block, at);
      return true;
    }).immediate,
  };
}

/** The same, but throws 507 on a full disk, whose last blocks are for deleting, and while writes are rejected. */
export function guardedForms(
  queries: FormQueries,
  space: Pick<DiskSpace, 'mayWrite' | 'noteFault'> | undefined,
  writes: Pick<WriteGate, 'check'> | undefined,
): FormQueries {
  function guarded<Input, Result>(keep: (input: Input) => Result): (input: Input) => Result {
    return (input) => {
      writes?.check();
      if (space?.mayWrite() === false) throw diskFull();
      try {
        return keep(input);
      } catch (error) {
        space?.noteFault(error);
        throw error;
      }
    };
  }
  return { addAnswer: guarded(queries.addAnswer), addMessage: guarded(queries.addMessage) };
}

export interface FormQueries {
  /** Stores an answer, unless the same sender already sent one; false if the overlay has reached its daily limit. */
  addAnswer(answer: FormAnswer): boolean;
  /** Stores a message and counts it as a click on its form; false if the page has reached its daily limit. */
  addMessage(message: FormMessage): boolean;
}
