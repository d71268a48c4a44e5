import { concurrencyLimit } from '../../platform/concurrency/concurrency-limit.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Checked, Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import type { DueLink, HealthLists, HealthQueries } from './queries.ts';
import { destinationsOf, faultOf, recordOf, roundMs, unknownMs } from './verdict.ts';
import type { HealthWarnings } from './warnings.ts';

/** Sites are not flooded: this many in parallel, one page at a time each, and few pages of each per run. */
const hostsAtOnce = 4;
const mostOfHost = 20;
/** Links checked per run, links considered for it, and links read at a time. */
const mostLinks = 200;
const mostLooked = 2_000;
const linksAtOnce = 50;
/** The number of ids searched for new links per run. */
const windowOfIds = 5_000;
const hour = 3_600_000;
/** How long a site may take, redirects included. */
const totalMs = 10_000;

interface Options {
  queries: HealthQueries;
  lists: HealthLists;
  fetcher: Pick<Fetcher, 'check'>;
  warnings: HealthWarnings;
  /** Whether email can be sent: without it, nobody could be notified, so nothing is checked and results are deleted. */
  isMailReady: () => boolean;
  slices: Pick<Slices, 'run'>;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
  randomInteger: (below: number) => number;
  now: () => number;
}

/**
 * Checks whether the destinations of links still respond, for accounts that want broken link emails (decision 0077):
 * each about once a week, at its own time.
 */
export function healthJob(options: Options): Job {
  const { queries, lists, fetcher, warnings, slices, transactions, changes, randomInteger, now } = options;
  let lookedUpTo = 0;

  /** Gives links that are new here their time in the week to come. */
  async function enrol(): Promise<void> {
    const { ids, last } = await lists.findNew(lookedUpTo, windowOfIds);
    const rest = ids.values();
    await slices.run(() => {
      const { value, done } = rest.next();
      if (!done) queries.enrol(value, now() + randomInteger(roundMs));
      return !done;
    });
    lookedUpTo = last ?? 0;
  }

  /** Asks each address once, the pages of one host one after the other. */
  async function ask(
    addresses: Iterable<string>,
    signal: AbortSignal,
  ): Promise<Map<string, Checked | undefined>> {
    const found = new Map<string, Checked | undefined>();
    const limited = concurrencyLimit(hostsAtOnce);
    const byHost = Map.groupBy(addresses, hostOf);
    const works = [...byHost.values()].map((ofHost) =>
      limited(async () => {
        for (const address of ofHost) {
          if (signal.aborted) return;
          found.set(address, await fetcher.check(address, { totalMs, party: 'link health' }));
        }
      }),
    );
    await Promise.all(works);
    return found;
  }

  /** Whether our own network may be down: then no failure is recorded. */
  async function isOffline(answers: Iterable<Checked | undefined>): Promise<boolean> {
    const heard = [...answers].flatMap((answer) => answer ?? []);
    if (heard.length === 0 || heard.some((answer) => 'status' in answer)) return false;
    const sound = await lists.findSound();
    if (sound === undefined) return false;
    const answer = await fetcher.check(sound, { totalMs, party: 'link health' });
    return answer === undefined || 'failure' in answer;
  }

  /** Writes down what was found; returns the links that are broken now and were not, or the other way round. */
  function note(links: readonly DueLink[], answers: Map<string, Checked | undefined>): DueLink[] {
    return links.filter((link) => {
      const addresses = destinationsOf(link);
      // The server is stopping: it is checked after the next start.
      if (addresses.some((address) => !answers.has(address))) return false;
      const faults = addresses.map((address) => ({ address, fault: faultOf(answers.get(address)) }));
      const record = recordOf(link, faults, now());
      if (!record) {
        queries.postpone(link, now() + unknownMs);
        return false;
      }
      const isStored = queries.store(link, record);
      return isStored && (record.broken_at === null) !== (link.broken_at === null);
    });
  }

  function publish(links: readonly DueLink[]): void {
    for (const [accountId, ofAccount] of Map.groupBy(links, (link) => link.user_id)) {
      changes.publish({ accountId, resource: 'links', ids: ofAccount.map(({ id }) => id) });
    }
  }

  /** Checks some links; returns how many were due, and how many of them were checked. */
  async function checkSome(ofHost: Map<string, number>, isOn: boolean, signal: AbortSignal) {
    const isWanted = (link: DueLink) => isOn && link.is_wanted === 1;
    const due = await lists.findDue(now(), linksAtOnce);
    const wanted: DueLink[] = [];
    const later: DueLink[] = [];
    for (const link of due.filter(isWanted)) {
      const hosts = new Set(destinationsOf(link).map(hostOf));
      const isMuch = [...hosts].some((host) => (ofHost.get(host) ?? 0) >= mostOfHost);
      (isMuch ? later : wanted).push(link);
      if (!isMuch) for (const host of hosts) ofHost.set(host, (ofHost.get(host) ?? 0) + 1);
    }
    const answers = await ask(new Set(wanted.flatMap(destinationsOf)), signal);
    const offline = await isOffline(answers.values());
    const changed = transactions.atomically(() => {
      for (const link of due) if (!isWanted(link)) queries.forget(link.id);
      for (const link of offline ? [...later, ...wanted] : later) queries.postpone(link, now() + hour);
      return offline ? [] : note(wanted, answers);
    });
    publish(changed);
    return { looked: due.length, asked: wanted.length };
  }

  return {
    name: 'link health',
    intervalMs: () => 600_000,
    firstMs: 150_000,
    async run(signal) {
      const isOn = options.isMailReady();
      if (isOn) await enrol();
      const ofHost = new Map<string, number>();
      let all = { looked: 0, asked: 0 };
      while (!signal.aborted && all.looked < mostLooked && all.asked < mostLinks) {
        const { looked, asked } = await checkSome(ofHost, isOn, signal);
        if (looked === 0) break;
        all = { looked: all.looked + looked, asked: all.asked + asked };
      }
      if (isOn && !signal.aborted) await warnings.tell(now());
    },
  };
}

function hostOf(address: string): string {
  return new URL(address).host;
}
