import type { BodyOf } from '../../contract/endpoint.ts';
import type { updateMail } from '../../contract/mail.ts';
import type { MailSettings } from '../../contract/settings.ts';
import type { Actor } from '../audit/actor.ts';
import type { AuditLog } from '../audit/service.ts';
import { accountParty } from '../concurrency/fair-queue.ts';
import type { Transactions } from '../database/transactions.ts';
import { Refusal, rejected } from '../errors.ts';
import type { UserRow } from '../http/caller.ts';
import type { SettingsService } from '../settings/service.ts';
import { codeOf, failureData, failureSentence, fieldOf } from './failure-sentences.ts';
import type { MailLimits } from './limits.ts';
import type { MailConnection } from './mail-settings.ts';
import type { Outbox } from './outbox.ts';

interface Options {
  settings: SettingsService;
  connection: MailConnection;
  outbox: Outbox;
  limits: MailLimits;
  transactions: Transactions;
  audit: AuditLog;
}

/** The mail configuration, as administrators see and change it. */
interface State {
  mail: MailSettings;
  fixed: string[];
  haspassword: boolean;
  waiting: number;
  /** The error of the last attempt, if it failed, and its time. */
  failure: { message: string; code: string; data: Record<string, string>; at: number } | undefined;
}

/** The email operations for administrators. */
export function mailService({ settings, connection, outbox, limits, transactions, audit }: Options) {
  return {
    state(): State {
      const { mail, fixed } = settings.show();
      const { waiting, failure } = outbox.state();
      const password = connection.isPasswordGiven ? ['mail.password'] : [];
      return {
        mail,
        fixed: [...fixed.filter((name) => name.startsWith('mail.')), ...password],
        haspassword: connection.hasPassword(),
        waiting,
        failure: failure && {
          message: failureSentence(failure.failure, mail),
          code: codeOf(failure.failure),
          data: failureData(failure.failure, mail),
          at: failure.at,
        },
      };
    },

    /** Whether links in messages work for people elsewhere. */
    hasPublicUrl: (): boolean => settings.current().baseUrl !== null,

    /** Updates the fields that were sent. Throws 400 with the invalid setting. */
    update({ mail, password }: BodyOf<typeof updateMail>, actor: Actor): void {
      const note = (names: string[]) => audit.note(actor, 'settings.updated', { settings: names }, null);
      let isKept = password === undefined;
      const keepPassword = () => {
        if (password === undefined || isKept) return;
        const host = mail?.host === undefined ? settings.current().mail.host : mail.host;
        connection.keepPassword(password, host);
        note(['mail.password']);
        isKept = true;
      };
      // Together with the settings: the server that a password is for is one of them.
      if (mail) {
        settings.change({ mail }, (names) => {
          note(names);
          keepPassword();
        });
      }
      transactions.atomically(keepPassword);
      outbox.wake();
    },

    /** Sends a test message to a person now. Throws 400 with the mail server's response, 429 or 503. */
    async test({ id, email, language }: UserRow): Promise<void> {
      if (!connection.isReady()) throw rejected('mail_off', 'mail.host', 'Enter the mail server first.');
      transactions.atomically(() => limits.consume(`test of ${accountParty(id)}`));
      const languages = language === '' ? [] : [language];
      const { failure } = await outbox.sendNow({ kind: 'test', to: email, values: {}, languages });
      if (!failure) return;
      const { mail } = settings.current();
      const field = fieldOf(failure);
      throw new Refusal(400, failureSentence(failure, mail), {
        code: codeOf(failure),
        ...(field !== undefined && { field }),
        data: failureData(failure, mail),
      });
    },
  };
}

export type MailAdministration = ReturnType<typeof mailService>;
