import { expect, test, vi } from 'vitest';
import type { Certificates } from '../../../server/network/certificates/certificates.ts';
import type { DomainOwnership } from '../../../server/network/domains/ownership.ts';
import { domainSyncJob } from '../../../server/network/domains/sync-job.ts';
import { domainSyncQueries } from '../../../server/network/domains/sync-queries.ts';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { type Transactions, transactions } from '../../../server/platform/database/transactions.ts';

test('unanswered DNS lookups do not make redirects wait for the disk', async () => {
  const database = openInMemory(migrations);
  const insert = database.prepare('INSERT INTO domains (host, created_at) VALUES (?, 0)');
  for (let index = 0; index < 20; index += 1) insert.run(`down${index}.example`);
  const real = transactions(database);
  let isProvisional = false;
  let synced = 0;
  const counted: Transactions = {
    ...real,
    atomically(work) {
      if (!isProvisional) synced += 1;
      return real.atomically(work);
    },
    provisionally(work) {
      isProvisional = true;
      try {
        return real.provisionally(work);
      } finally {
        isProvisional = false;
      }
    },
    makeDurable() {
      synced += 1;
      real.makeDurable();
    },
  };
  const job = domainSyncJob({
    queries: domainSyncQueries(database),
    addEntry: () => {},
    checkDns: async () => ({
      outcome: 'unanswered',
      reason: 'unanswered',
      address: null,
      message: 'No name server answers.',
    }),
    ownership: { lapse: () => {}, look: async () => false } as Partial<DomainOwnership> as DomainOwnership,
    // No certificates are ordered.
    certificates: { mode: () => 'off' } as Partial<Certificates> as Certificates,
    warnings: { tellAgain: () => {}, dnsFailed: () => {}, renewalFailed: () => {} },
    now: () => 1_000,
    randomInteger: () => 0,
    transactions: counted,
    changes: { publish: () => {} },
    log: { error: vi.fn() },
  });
  await job.run(new AbortController().signal);
  expect(job.metrics()).toMatchObject({ checked: 20, failed: 20 });
  const noted = database.prepare('SELECT count(*) FROM domains WHERE dns_failure_count = 1').pluck().get();
  expect(noted).toBe(20);
  // One for all of them, at the end.
  expect(synced).toBe(1);
});
