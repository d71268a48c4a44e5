import type { Connection } from '../database/connect.ts';
import type { DiskSpace } from '../database/disk-space.ts';
import { diskFull } from '../errors.ts';
import { bioClickQueries } from './bio-queries.ts';

/** Messages that a page takes at most: nobody may fill the disk through one. */
const mostMessages = 20_000;
/** Answers that an overlay takes at most. */
const mostAnswers = 20_000;

export interface FormMessage {
  bio: number;
  block: number;
  name: string;
  email: string;
  message: string;
  at: number;
}

/**
 * Keeps what visitors typed. `connection` is the one for what users do: a person was thanked for it, so a power cut must
 * not take it as it may take the last clicks.
 */
export function formQueries(connection: Connection): FormQueries {
  const { countClick } = bioClickQueries(connection);
  const addAnswer = connection.prepare<[Record<string, unknown>]>(
    `INSERT INTO overlay_answers (overlay_id, sender, value, at) SELECT @overlay, @sender, @value, @at
     WHERE (SELECT count(*) FROM overlay_answers WHERE overlay_id = @overlay) < @most
     ON CONFLICT DO NOTHING`,
  );
  const addMessage = connection.prepare<[Record<string, unknown>]>(
    `INSERT INTO bio_messages (bio_id, block, name, email, message, at)
     SELECT @bio, @block, @name, @email, @message, @at
     WHERE (SELECT count(*) FROM bio_messages WHERE bio_id = @bio) < ${mostMessages}`,
  );
  return {
    /** Stores an answer, unless the same sender did before or the overlay has had its most. */
    addAnswer: (answer: { overlay: number; sender: string; value: string; at: number }): void =>
      void addAnswer.run({ ...answer, most: mostAnswers }),
    /** Keeps a message and counts it as a click on its form; false when the page has had its most. */
    addMessage: connection.transaction((message: FormMessage): boolean => {
      const kept = addMessage.run({ ...message }).changes === 1;
      if (kept) countClick(message.bio, message.block, message.at);
      return kept;
    }).immediate,
  };
}

/** The same, refusing with 507 on a full disk: the last blocks are for deleting. */
export function guardedForms(
  queries: FormQueries,
  space: Pick<DiskSpace, 'mayWrite' | 'noteFault'> | undefined,
): FormQueries {
  function guarded<Input, Result>(keep: (input: Input) => Result): (input: Input) => Result {
    return (input) => {
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
  /** Stores an answer, unless the same sender did before or the overlay has had its most. */
  addAnswer(answer: { overlay: number; sender: string; value: string; at: number }): void;
  /** Keeps a message and counts it as a click on its form; false when the page has had its most. */
  addMessage(message: FormMessage): boolean;
}
