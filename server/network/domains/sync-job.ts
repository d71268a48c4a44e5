import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type ConcurrencyLimit, concurrencyLimit } from '../../platform/concurrency/concurrency-limit.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import { AuthoritySilent } from '../certificates/acme.ts';
import type { Certificates } from '../certificates/certificates.ts';
import { renewBefore } from '../certificates/pair.ts';
import { backOff, untilTomorrow } from './back-off.ts';
import { type DnsCheck, type DnsVerdict, describePassed, detailsOf } from './dns-check.ts';
import type { DomainOwnership } from './ownership.ts';
import type { DomainRecordQueries } from './record-queries.ts';
import type { DomainSyncQueries, DueCertificate } from './sync-queries.ts';
import { type DomainWarnings, failedRenewals } from './warnings.ts';

/** What the last run did. */
export interface SyncMetrics {
  checked: number;
  activated: number;
  failed: number;
  certificates: number;
}

interface Options {
  queries: DomainSyncQueries;
  addEntry: DomainRecordQueries['addEntry'];
  checkDns: DnsCheck;
  ownership: DomainOwnership;
  certificates: Certificates;
  /** Called for problems that a person must fix. */
  warnings: DomainWarnings;
  now: () => number;
  randomInteger: (below: number) => number;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
  log: Pick<Logger, 'error'>;
}

/** Concurrent look-ups: 500 domains, half without a response, take less than a minute (F-11). */
const lookUpsAtOnce = 20;
/** Milliseconds between two results that are stored. */
const restMs = 10;

/**
 * Keeps branded domains up to date (decision 0029): resolves them, activates routing, obtains and renews certificates.
 * Each domain is committed separately, and a failure of one does not affect others.
 */
export function domainSyncJob(options: Options) {
  const { queries, addEntry, checkDns, ownership, certificates, now, randomInteger, transactions } = options;
  const { warnings } = options;
  let metrics: SyncMetrics = { checked: 0, activated: 0, failed: 0, certificates: 0 };
  /**
   * Results are stored one at a time with a rest between them: name servers that are down fail twenty look-ups in the
   * same millisecond, and redirects would have to wait for twenty commits.
   */
  const rest = concurrencyLimit(1);

  /** Stores the result of a look-up; false if the domain was deleted. */
  function noteDns(id: number, verdict: DnsVerdict): boolean {
    return transactions.atomically(() => {
      const row = queries.find(id);
      if (!row) return false;
      const at = now();
      const details = detailsOf(verdict);
      if (verdict.outcome === 'passed') {
        // One that is not routed yet stays due.
        const next = row.server_synced === 1 ? at + untilTomorrow(randomInteger) : at;
        const { type, address } = verdict;
        const isNews = row.dns_status === 0 || row.dns_failure_count > 0 || row.dns_type !== type;
        queries.setPassed(id, { type, address, now: at, next });
        if (isNews)
          addEntry(id, at, { event: 'dns_passed', message: describePassed(row.host, verdict), details });
        return true;
      }
      const next = at + backOff(row.dns_failure_count + 1, randomInteger);
      if (verdict.outcome === 'unanswered') queries.setUnanswered(id, { now: at, next });
      else queries.setFailed(id, { address: verdict.address, now: at, next });
      addEntry(id, at, { event: 'dns_failed', message: verdict.message, details });
      // Only what a name server said: that none answered says nothing about the domain.
      const isNews = verdict.outcome !== 'unanswered' && row.dns_status === 1 && row.active === 1;
      if (isNews) warnings.dnsFailed(row);
      return true;
    });
  }

  function activate(id: number): void {
    const isNews = transactions.atomically(() => {
      if (!queries.activate(id)) return false;
      const at = now();
      addEntry(id, at, { event: 'activated', message: 'Short links on this domain are active.' });
      queries.setNextCheck(id, at + untilTomorrow(randomInteger));
      return true;
    });
    if (isNews) metrics.activated += 1;
  }

  function publish(id: number): void {
    const userId = queries.find(id)?.user_id;
    if (userId) options.changes.publish({ accountId: userId, resource: 'domains', ids: [id] });
  }

  /** Only network requests take a place: results waiting to be stored do not delay look-ups. */
  async function syncDns(
    id: number,
    host: string,
    limit: ConcurrencyLimit,
    signal: AbortSignal,
  ): Promise<void> {
    const verdict = await limit(async () => (signal.aborted ? undefined : checkDns(host)));
    if (!verdict) return;
    await rest(() => pause(restMs));
    metrics.checked += 1;
    // Redirects wait for every synced commit: what a power failure loses is still due, and looked up again.
    if (!transactions.provisionally(() => noteDns(id, verdict))) return;
    if (verdict.outcome === 'passed') {
      if (await limit(() => ownership.look(id, verdict))) activate(id);
      await limit(() => lookForRevocation(id));
    } else metrics.failed += 1;
    publish(id);
  }

  async function lookForRevocation(id: number): Promise<void> {
    const url = queries.find(id)?.certificate_url;
    if (!url || certificates.mode() !== 'acme') return;
    if (!(await certificates.wasRevoked(id, url))) return;
    transactions.atomically(() => {
      if (!queries.setRevoked(id)) return;
      addEntry(id, now(), {
        event: 'certificate_revoked',
        message: 'The certificate was revoked; a new one is ordered.',
      });
    });
  }

  /** False when the authority is silent, so that further orders are left to the next run. */
  async function syncCertificate({ id, host, user_id, isNew }: DueCertificate): Promise<boolean> {
    const forAccount = user_id !== null && isNew ? certificates.opensForAccount(user_id) : undefined;
    const opensAt = certificates.opensAt() ?? forAccount;
    if (opensAt !== undefined) {
      queries.setNotCertified(id, opensAt, 0);
      return true;
    }
    let goesOn = true;
    try {
      const obtained = await certificates.obtain(user_id, host);
      // From here on nothing waits: a domain is either still there for all of it, or for none.
      if (!queries.find(id)) return true;
      certificates.install(id, host, obtained);
      transactions.atomically(() => {
        queries.setCertified(id, obtained.expiresAt, obtained.url);
        const until = new Date(obtained.expiresAt).toISOString().slice(0, 10);
        addEntry(id, now(), {
          event: 'certificate_issued',
          message: `The certificate is valid until ${until}.`,
          details: { until: obtained.expiresAt },
        });
      });
      metrics.certificates += 1;
    } catch (error) {
      goesOn = !(error instanceof AuthoritySilent);
      const row = queries.find(id);
      const failures = (row?.certificate_failure_count ?? 0) + 1;
      const at = now();
      const answer = plain(error instanceof Error ? error.message : String(error));
      const reason = goesOn ? 'refused' : 'unreachable';
      transactions.atomically(() => {
        queries.setNotCertified(id, at + backOff(failures, randomInteger), 1);
        addEntry(id, at, {
          event: 'certificate_failed',
          message: `No certificate yet: ${answer}`,
          details: { reason, answer },
        });
        const expiresAt = row?.certificate_expires_at ?? null;
        if (row && expiresAt !== null && failures === failedRenewals) warnings.renewalFailed(row, expiresAt);
      });
      metrics.failed += 1;
    }
    publish(id);
    return goesOn;
  }

  /** Runs work for one domain; its errors are logged and affect only that domain. */
  async function guard<Result>(work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await work;
    } catch (error) {
      metrics.failed += 1;
      options.log.error({ err: error }, 'a domain could not be synchronized');
      return undefined;
    }
  }

  return {
    noteDns,
    metrics: (): SyncMetrics => metrics,

    async run(signal: AbortSignal): Promise<void> {
      metrics = { checked: 0, activated: 0, failed: 0, certificates: 0 };
      const limit = concurrencyLimit(lookUpsAtOnce);
      const look = ({ id, host }: { id: number; host: string }) => guard(syncDns(id, host, limit, signal));
      await guard((async () => ownership.lapse())());
      // Notifications lost in a power failure are still pending.
      await guard((async () => transactions.provisionally(warnings.tellAgain))());
      const due = queries.listDueChecks(now());
      await Promise.all(due.map(look));
      if (due.length > 0) transactions.makeDurable();

      const mode = certificates.mode();
      if (mode === 'off' || mode === 'external') {
        queries.setAllSsl(mode === 'external' ? 1 : 0);
        return;
      }
      // One after the other: the authority limits orders, and each may take a while.
      for (const certificate of queries.listDueCertificates(now(), renewBefore, mode === 'acme')) {
        if (signal.aborted) return;
        if ((await guard(syncCertificate(certificate))) === false) return;
      }
    },
  };
}

/** Another server's message as a single line for the log. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .toWellFormed()
    .slice(0, 300);
}
