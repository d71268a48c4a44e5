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
  /** What the vault seals for mail, by what it is. */
  purposes: { password: string; outbox: string };
  /** The password for the mail server that the start was told. */
  password?: string | undefined;
  /** Authorities that mail servers are trusted by, in place of the usual ones. */
  authorities?: string | undefined;
  /** Milliseconds for which the end of the server waits for a mail server. */
  lastMs?: number | undefined;
}

export interface MailService extends Pick<Outbox, 'writeWith'> {
  /** Whether messages can be sent. Whoever would post one asks first. */
  isReady(): boolean;
  /**
   * Whether messages may ask people to follow a link: only where one leads here for people elsewhere (decision 0084).
   */
  canLink(): boolean;
  /** Where a button leads, by the path of its page; undefined while it would lead nowhere, and the message has none. */
  linkTo(path: string): string | undefined;
  /** Whether an address may get one more message of a kind. */
  mayReceive(kind: LetterKind, address: string): boolean;
  /**
   * Posts what nobody is kept waiting for, all of it or nothing. False where no mail is sent, or too many messages:
   * then whoever has to tell it another time remembers that.
   */
  postIfPossible(post: () => void): boolean;
  /** The same for what is told once a day; what could not be posted counts as not told. */
  postOnceADay(what: string, post: () => void): void;
}

/** Wires mail: its settings, and the outbox in which messages wait. */
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
      // Whoever signs in is not to fail for it.
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
