import {
  addDomain,
  checkDomain,
  type DomainSync,
  deleteDomain,
  domainLog,
  domainOverview,
  getDomain,
  getDomainSetup,
  getDomainSync,
  listDomains,
  listPlatformDomains,
  previewDomain,
  runDomainSync,
  updateDomain,
} from '../../contract/domains.ts';
import { listPage, offsetOf, pageCounts, pageReply } from '../../platform/http/pagination.ts';
import { type Call, type Route, route } from '../../platform/http/serve.ts';
import { presentOptional } from '../../platform/http/timestamps.ts';
import type { ScheduledJob } from '../../platform/jobs/scheduler.ts';
import type { OwnCertificate } from '../certificates/own-certificate.ts';
import { type DnsVerdict, describePassed } from './dns-check.ts';
import {
  domainAddress,
  presentDomain,
  presentLogEntry,
  presentProofState,
  presentRoot,
  presentSetup,
  presentUse,
} from './presenter.ts';
import type { DomainRow } from './record-queries.ts';
import type { DomainService } from './service.ts';
import type { SyncMetrics } from './sync-job.ts';

interface Options {
  domains: DomainService;
  /** The job that activates domains, and the metrics of its last run. */
  job: ScheduledJob;
  metrics: () => SyncMetrics;
  syncMinutes: () => number;
  sslMode: () => DomainSync['ssl'];
  ownCertificate: OwnCertificate['state'];
}

/** The branded domains endpoints (contract, "Branded domains"; decision 0029). */
export function domainRoutes(options: Options): Route[] {
  const { domains, job, metrics, syncMinutes, sslMode } = options;

  function presentOwn(timezone: string): DomainSync['own'] {
    const state = options.ownCertificate();
    if (!state) return null;
    return {
      names: [...state.names],
      expires: presentOptional(state.expiresAt, timezone),
      nextattempt: presentOptional(state.nextAt, timezone),
      message: state.message,
      root: state.rootFingerprint,
    };
  }

  function presentSync(timezone: string): DomainSync {
    const { running, startedAt, finishedAt, outcome, nextAt } = job.state();
    return {
      running,
      interval: syncMinutes(),
      laststarted: presentOptional(startedAt, timezone),
      lastfinished: presentOptional(finishedAt, timezone),
      outcome,
      nextrun: presentOptional(nextAt, timezone),
      ...metrics(),
      ssl: sslMode(),
      own: presentOwn(timezone),
    };
  }

  /** A domain as its GET shows it. */
  function shown({ caller, id, editInfoOf }: Pick<Call<typeof getDomain>, 'caller' | 'id' | 'editInfoOf'>) {
    const row = domains.get(id, caller);
    return { ...presentDomain(row, caller.user.timezone, true), ...editInfoOf(row) };
  }

  return [
    route(listDomains, async ({ caller, query, editInfoOf }) => {
      const page = await domains.list(caller, listPage(caller, query));
      return pageReply('domains', page, query, (row) => ({
        ...presentDomain(row, caller.user.timezone),
        ...editInfoOf(row),
      }));
    }),
    route(listPlatformDomains, async ({ caller, query, editInfoOf }) => {
      const page = await domains.listPlatform({ limit: query.limit, offset: offsetOf(query) });
      return pageReply('domains', page, query, (row) => {
        const plans = JSON.parse(row.plans) as number[];
        const record = presentDomain(row, caller.user.timezone, true);
        return { ...record, id: row.id, plans: plans.length === 0 ? null : plans, ...editInfoOf(row) };
      });
    }),
    route(domainOverview, async ({ caller, query }) => {
      const rows = await domains.listUse(caller, listPage(caller, query));
      return { data: { domains: rows.map((row) => presentUse(row, caller.user.timezone)) } };
    }),
    route(previewDomain, async ({ caller, query }) => {
      const { setup, state } = await domains.preview(caller, query.domain, query.platform === '1');
      return { data: presentSetup(setup, { state, lapses: null }) };
    }),
    route(getDomainSetup, async ({ caller, id }) => {
      const { setup, row } = await domains.setup(id, caller);
      const lapses = presentOptional(row.lapses_at, caller.user.timezone);
      return { data: presentSetup(setup, { state: presentProofState(row), lapses }) };
    }),
    route(getDomainSync, ({ caller }) => ({ data: presentSync(caller.user.timezone) })),
    route(runDomainSync, ({ caller }) => {
      const { running } = job.state();
      void job.runNow();
      return {
        message: running ? 'The domain check is already running.' : 'The domain check was started.',
        data: presentSync(caller.user.timezone),
      };
    }),
    route(getDomain, (call) => ({ data: shown(call) })),
    route(addDomain, async ({ caller, body }) => {
      const row = await domains.add(caller, body);
      return {
        id: row.id,
        message: addedMessage(row, syncMinutes()),
        data: {
          id: row.id,
          domain: domainAddress(row),
          redirectroot: presentRoot(row),
          dns_type: row.dns_type,
          dns_status: row.dns_status,
          server_synced: row.server_synced,
          resolved_ip: row.resolved_ip,
        },
      };
    }),
    route(
      updateDomain,
      async ({ caller, id, body }) => {
        const row = await domains.update(id, caller, body);
        return {
          message: 'The domain was updated.',
          data: { id: row.id, domain: domainAddress(row), redirectroot: presentRoot(row) },
        };
      },
      shown,
    ),
    route(checkDomain, async ({ caller, id }) => {
      const { row, verdict } = await domains.check(id, caller);
      return {
        message: checkedMessage(row, verdict),
        data: {
          id: row.id,
          dns_type: row.dns_type,
          dns_status: row.dns_status,
          resolved_ip: row.resolved_ip,
          dns_checked_at: presentOptional(row.dns_checked_at, caller.user.timezone),
        },
      };
    }),
    route(deleteDomain, async ({ caller, id }) => {
      await domains.remove(id, caller);
      return { message: "The domain was deleted. Its links moved to this instance's own URL." };
    }),
    route(domainLog, async ({ caller, id, query }) => {
      const row = domains.get(id, caller);
      const { timezone } = caller.user;
      const page = await domains.listLog(id, caller, { limit: query.limit, offset: offsetOf(query) });
      return {
        data: {
          ...pageCounts(page.total, query),
          log: page.rows.map((entry) => presentLogEntry(entry, timezone)),
          disabled: row.disabled === 1,
          nextcheck: presentOptional(row.next_check_at, timezone),
          certificate: {
            expires: presentOptional(row.certificate_expires_at, timezone),
            nextattempt: presentOptional(row.next_certificate_at, timezone),
          },
        },
      };
    }),
  ];
}

function addedMessage(row: DomainRow, minutes: number): string {
  return presentProofState(row) === 'pending'
    ? `The domain was added. It is activated within ${minutes} minutes once you verify that you own it; unverified domains are removed after 7 days.`
    : `The domain was added. It is activated, and its certificate issued, within ${minutes} minutes.`;
}

function checkedMessage(row: DomainRow, verdict: DnsVerdict): string {
  if (verdict.outcome !== 'passed') return verdict.message;
  const told = describePassed(row.host, verdict);
  return row.lapses_at === null ? told : `${told} But nothing proves yet that it is yours.`;
}
