import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { LinkChange, NewLink } from '../../contract/links.ts';
import type { CaseExpectation, SimulatedVisitor } from '../../contract/simulator.ts';
import { checkCeiling } from '../../identity/plans/ceilings.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, rejected } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { Simulator } from '../../visits/redirects/simulator.ts';
import type { LinkFilter } from '../links/link-filter.ts';
import type { LinkRow } from '../links/queries.ts';
import type { LinkService } from '../links/service.ts';
import {
  type CaseChange,
  type CaseResult,
  expectationOf,
  isMet,
  namesOf,
  outcomeOf,
  readExpectation,
  readStored,
  type Simulation,
} from './outcomes.ts';
import type { CaseLists, CaseQueries, CaseRow } from './queries.ts';
import { readVisitor, type StoredVisitor, simulatedVisit } from './visitor.ts';

interface Options {
  queries: CaseQueries;
  lists: CaseLists;
  links: Pick<LinkService, 'get' | 'list' | 'preview' | 'previewNew'>;
  simulate: Simulator;
  baseUrl: () => string;
  now: () => number;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
}

/** Cases of one link at most: an edit is checked against all of them. */
const mostCases = 200;

/** Simulated visits to links, and saved cases (decision 0022). */
export function simulatorService(options: Options) {
  const { queries, links, simulate, baseUrl, now, transactions, changes } = options;

  function run(row: LinkRow, stored: StoredVisitor, at = now()): Simulation {
    const visitor = simulatedVisit(stored, at);
    const isSecure = row.domain_id !== null || baseUrl().startsWith('https:');
    const found = simulate({ ...row, isSecure }, visitor);
    return { row, visitor, found, outcome: outcomeOf(row, found) };
  }

  function resultOf(row: CaseRow, link: LinkRow): CaseResult {
    const { visitor, expected } = readStored(row);
    const simulation = run(link, visitor);
    return { row, visitor, expected, simulation, passes: isMet(expected, simulation.outcome) };
  }

  function find(id: number, account: Account): CaseRow {
    const row = queries.find(id, account.user.id);
    if (!row) throw notFound('Case');
    return row;
  }

  /** What an edit would do to the cases of a link. Redirects are answered between two cases. */
  async function compare(before: LinkRow, after: LinkRow): Promise<{ total: number; changes: CaseChange[] }> {
    const { rows, total } = queries.ofLink(before.id, { limit: mostCases, offset: 0 });
    const at = now();
    const changes: CaseChange[] = [];
    for (const row of rows) {
      await turnOfOthers();
      const { visitor, expected } = readStored(row);
      const was = run(before, visitor, at).outcome;
      const is = run(after, visitor, at).outcome;
      if (namesOf(expected).every((name) => was[name] === is[name])) continue;
      const passes = isMet(expected, is);
      changes.push({ id: row.id, name: row.name, expected, before: was, after: is, passes });
    }
    return { total, changes };
  }

  return {
    /** One visit; with `change`, to the link as that edit would make it, and the effect on its cases. */
    async simulate(
      id: number,
      account: Account,
      sent: SimulatedVisitor,
      change: LinkChange | undefined,
    ): Promise<{ simulation: Simulation; cases: { total: number; changes: CaseChange[] } | undefined }> {
      const row = links.get(id, account);
      const visitor = readVisitor(sent, account.user.timezone);
      if (change === undefined) return { simulation: run(row, visitor), cases: undefined };
      const after = links.preview(id, account, change);
      return { simulation: run(after, visitor), cases: await compare(row, after) };
    },

    /** One visit to a link that is not there yet. */
    simulateNew(account: Account, sent: SimulatedVisitor, body: NewLink): Simulation {
      const visitor = readVisitor(sent, account.user.timezone);
      return run(links.previewNew(account, body), visitor);
    },

    /** A visit to each link of a page, made when its function is called: together they may take long. */
    async simulateAll(
      account: Account,
      sent: SimulatedVisitor,
      filter: LinkFilter,
      page: { limit: number; offset: number },
    ): Promise<Page<() => Simulation>> {
      const visitor = readVisitor(sent, account.user.timezone);
      const { rows, total } = await links.list(account, filter, 'date', page);
      const at = now();
      return { rows: rows.map((row) => () => run(row, visitor, at)), total };
    },

    /** The cases of a link, each tried when its function is called. */
    listOfLink(
      id: number,
      account: Account,
      page: { limit: number; offset: number },
    ): Page<() => CaseResult> {
      const link = links.get(id, account);
      const { rows, total } = queries.ofLink(link.id, page);
      return { rows: rows.map((row) => () => resultOf(row, link)), total };
    },

    /** The same for the cases of all links. */
    async list(account: Account, page: ListPage): Promise<Page<() => CaseResult>> {
      const { rows, total } = await options.lists.ofUser(account.user.id, page);
      const found = rows.map((row) => ({ row, link: links.get(row.link_id, account) }));
      return {
        rows: found.map(
          ({ row, link }) =>
            () =>
              resultOf(row, link),
        ),
        total,
      };
    },

    /** Throws 404. */
    get(id: number, account: Account): CaseResult {
      const row = find(id, account);
      return resultOf(row, links.get(row.link_id, account));
    },

    add(
      linkId: number,
      account: Account,
      body: { name: string; visitor: SimulatedVisitor; expected?: CaseExpectation | undefined },
    ): CaseResult {
      const link = links.get(linkId, account);
      if (queries.countOfLink(linkId) >= mostCases) {
        throw rejected(
          'too_many',
          undefined,
          `A link can have at most ${mostCases} cases. Delete one first.`,
        );
      }
      checkCeiling('simulatorCases', queries.countOfUser(account.user.id));
      const visitor = readVisitor(body.visitor, account.user.timezone, 'visitor.');
      const expected = body.expected ? readExpectation(body.expected) : expectationOf(run(link, visitor));
      const record = {
        name: body.name,
        visitor: JSON.stringify(visitor),
        expected: JSON.stringify(expected),
      };
      const id = queries.insert(linkId, record, now());
      changes.publish({ accountId: account.user.id, resource: 'links', ids: [linkId] });
      return resultOf(find(id, account), link);
    },

    update(
      id: number,
      account: Account,
      body: {
        name?: string | undefined;
        visitor?: SimulatedVisitor | undefined;
        expected?: CaseExpectation | undefined;
      },
    ): CaseResult {
      const row = find(id, account);
      const visitor = body.visitor && readVisitor(body.visitor, account.user.timezone, 'visitor.');
      const expected = body.expected && readExpectation(body.expected);
      transactions.atomically(() =>
        queries.update(id, {
          name: body.name ?? row.name,
          visitor: visitor ? JSON.stringify(visitor) : row.visitor,
          expected: expected ? JSON.stringify(expected) : row.expected,
        }),
      );
      changes.publish({ accountId: account.user.id, resource: 'links', ids: [row.link_id] });
      return resultOf(find(id, account), links.get(row.link_id, account));
    },

    remove(id: number, account: Account): void {
      const row = find(id, account);
      queries.remove(id);
      changes.publish({ accountId: account.user.id, resource: 'links', ids: [row.link_id] });
    },
  };
}

export type SimulatorService = ReturnType<typeof simulatorService>;
