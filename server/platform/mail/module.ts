import type { Core } from '../core.ts';
import { Refusal } from '../errors.ts';
import type { Module } from '../module.ts';
import type { Vault } from '../vault.ts';
import type { LetterKind } from './letter-texts.ts';
import { mailLimits } from './limits.ts';
import { mailRule, mailSettings } from './mail-settings.ts';
import { type Outbox, outbox } from './outbox.ts';
import { mailPasswordQueries, outboxQueries } from './queries.ts';
import { mailRoutes } from './routes.ts';
import { mailService } from './service.ts';
import { smtp } from './smtp.ts';

interface Options {
  vault: Vault;
  /** The purposes of secrets that the vault encrypts for mail. */
  purposes: { password: string; outbox: string };
  /** The mail server's password given at startup. */
  password?: string | undefined;
  /** Certificate authorities for mail servers, instead of the default ones. */
  authorities?: string | undefined;
  /** How many milliseconds the server's shutdown waits for a mail server. */
  lastMs?: number | undefined;
}

export interface MailService extends Pick<Outbox, 'writeWith'> {
  /** Whether messages can be sent. Check it before posting one. */
  isReady(): boolean;
  /** Whether messages may contain links: only if these work for people elsewhere (decision 0084). */
  canLink(): boolean;
  /** A button's URL, by the path of its page; undefined if it would not work, and the message has no button. */
  linkTo(path: string): string | undefined;
  /** Whether an address may get another message of a type. */
  mayReceive(kind: LetterKind, address: string): boolean;
  /**
   * Posts messages that nobody waits for, all or none. False if no mail is sent, or there are too many messages: the
   * caller then retries later.
   */
  postIfPossible(post: () => void): boolean;
  /** The same for daily notices; those that could not be posted count as not sent. */
  postOnceADay(what: string, post: () => void): void;
}

/** Sets up mail: its settings, and the outbox of waiting messages. */
export function mailModule(core: Core, options: Options): MailService & Required<Module> {
  const { audit, baseUrl, clock, log, settings, transactions } = core;
  const { vault, purposes, password, authorities } = options;
  const database = core.databases.main;
  const queries = outboxQueries(database);
  const connection = mailSettings({
    current: settings.current,
    baseUrl,
    stored: mailPasswordQueries(database),
    vault,
    purpose: purposes.password,
    given: password,
    authorities,
  });
  settings.addRule(mailRule);
  const publicUrl = () => settings.current().baseUrl;
  const limits = mailLimits(queries, clock.now);
  const waiting = outbox({
    queries,
    connection,
    limits,
    smtp: smtp(),
    vault,
    purpose: purposes.outbox,
    baseUrl,
    now: clock.now,
    monotonic: clock.monotonic,
    randomBytes: core.random.bytes,
    transactions,
    log,
    lastMs: options.lastMs,
  });
  settings.onChange((names) => {
    if (names.includes('mail')) waiting.wake();
  });

  function postIfPossible(post: () => void): boolean {
    if (!connection.isReady()) return false;
    try {
      transactions.atomically(post);
      return true;
    } catch (error) {
      // A sign-in must not fail because of it.
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  return {
    isReady: connection.isReady,
    canLink: () => connection.isReady() && publicUrl() !== null,
    linkTo(path) {
      const url = publicUrl();
      return url === null ? undefined : url + path;
    },
    writeWith: waiting.writeWith,
    mayReceive: limits.mayReceive,
    postIfPossible,
    postOnceADay(what, post) {
      transactions.atomically(() => limits.onceADay(what, () => postIfPossible(post)));
    },
    jobs: [waiting.job],
    routes: mailRoutes({
      mail: mailService({ settings, connection, outbox: waiting, limits, transactions, audit }),
    }),
    close: waiting.stop,
  };
}
