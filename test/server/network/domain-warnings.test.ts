import { beforeEach, expect, test, vi } from 'vitest';
import type { Certificates } from '../../../server/network/certificates/certificates.ts';
import type { DnsVerdict } from '../../../server/network/domains/dns-check.ts';
import type { DomainOwnership } from '../../../server/network/domains/ownership.ts';
import { domainSyncJob } from '../../../server/network/domains/sync-job.ts';
import { domainSyncQueries } from '../../../server/network/domains/sync-queries.ts';
import { domainWarningQueries } from '../../../server/network/domains/warning-queries.ts';
import { domainWarnings } from '../../../server/network/domains/warnings.ts';
import { type Connection, openInMemory } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { type Letter, write } from '../../../server/platform/mail/letters.ts';

let database: Connection;
let letters: string[];
let verdict: DnsVerdict;
let canPost: boolean;
let at: number;
const failed: DnsVerdict = {
  outcome: 'mismatch',
  reason: 'elsewhere',
  address: '192.0.2.9',
  message: 'It leads elsewhere.',
};
const unanswered: DnsVerdict = {
  outcome: 'unanswered',
  reason: 'unanswered',
  address: null,
  message: 'No answer.',
};

beforeEach(() => {
  database = openInMemory(migrations);
  letters = [];
  canPost = true;
  at = 1_000;
  database.exec(
    `INSERT INTO users (id, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone, language)
     VALUES (1, 'anna@example.com', 'anna@example.com', 'anna', 'anna', '', 2, 0, 'UTC', 'de');
     INSERT INTO domains (id, host, user_id, created_at, active, server_synced, dns_status)
     VALUES (1, 'go.example.com', 1, 0, 1, 1, 1)`,
  );
});

/** One run of the job; what would be mailed is in `letters`. */
async function run(certificates: Partial<Certificates> = { mode: () => 'off' }): Promise<void> {
  const mail = {
    writeWith:
      <Data>(_kind: string, writer: (data: Data) => (Letter & { to: string }) | undefined) =>
      (data: Data) => {
        const letter = writer(data);
        if (letter) letters.push(`${letter.to}: ${write(letter, 'links.example.com').subject}`);
      },
    linkTo: (path: string) => `https://links.example.com${path}`,
    postIfPossible(post: () => void) {
      if (canPost) post();
      return canPost;
    },
  };
  await domainSyncJob({
    queries: domainSyncQueries(database),
    addEntry: () => {},
    checkDns: async () => verdict,
    ownership: { lapse: () => {}, look: async () => false } as Partial<DomainOwnership> as DomainOwnership,
    certificates: certificates as Certificates,
    warnings: domainWarnings({ mail, queries: domainWarningQueries(database) }),
    now: () => at,
    randomInteger: () => 0,
    transactions: transactions(database),
    changes: { publish: () => {} },
    log: { error: vi.fn() },
  }).run(new AbortController().signal);
}

test('a domain that stops leading here is reported once, unless its owner disabled it', async () => {
  verdict = unanswered;
  await run();
  expect(letters).toEqual([]);
  verdict = failed;
  at += 86_400_000;
  await run();
  at += 86_400_000;
  await run();
  expect(letters).toEqual(['anna@example.com: go.example.com zeigt nicht mehr hierher']);
  database.exec('UPDATE users SET domains_email = 0; UPDATE domains SET dns_status = 1');
  at += 86_400_000;
  await run();
  expect(letters).toHaveLength(1);
});

test('a problem that could not be reported is reported later, while it lasts, and not twice', async () => {
  database.exec(
    `INSERT INTO domains (id, host, user_id, created_at, active, server_synced, dns_status)
     VALUES (2, 'well.example.com', 1, 0, 1, 1, 1)`,
  );
  verdict = failed;
  canPost = false;
  await run();
  expect(letters).toEqual([]);
  canPost = true;
  // Nothing is looked up again, and one of them works by now.
  database.prepare('UPDATE domains SET next_check_at = ?, dns_status = (id = 2)').run(at + 3_600_000);
  await run();
  await run();
  expect(letters).toEqual(['anna@example.com: go.example.com zeigt nicht mehr hierher']);
  expect(database.prepare('SELECT count(*) FROM untold_domains').pluck().get()).toBe(0);
});

test('problems of a team’s domain are reported to its admins', async () => {
  database.exec(
    `INSERT INTO users (id, kind, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone)
     VALUES (2, 'team', '', char(10) || 2, '', char(10) || 2, '', 2, 0, 'UTC');
     INSERT INTO members (team_id, person_id, role, own_only, joined_at) VALUES (2, 1, 'owner', 0, 0);
     UPDATE domains SET user_id = 2`,
  );
  verdict = failed;
  await run();
  expect(letters).toHaveLength(1);
});

test('a certificate that could not be renewed three times is reported with its expiry', async () => {
  verdict = { outcome: 'passed', type: 'direct', address: '192.0.2.1' };
  const end = Date.UTC(2027, 0, 20);
  at = end - 10 * 86_400_000;
  database
    .prepare('UPDATE domains SET ssl_status = 1, certificate_expires_at = ?, next_check_at = ?')
    .run(end, end);
  const certificates: Partial<Certificates> = {
    mode: () => 'local',
    opensAt: () => undefined,
    opensForAccount: () => undefined,
    wasRevoked: async () => false,
    obtain: async () => {
      throw new Error('no');
    },
  };
  for (let attempt = 0; attempt < 4; attempt += 1) {
    database.exec('UPDATE domains SET next_certificate_at = NULL');
    await run(certificates);
  }
  expect(letters).toEqual(['anna@example.com: Das Zertifikat von go.example.com lässt sich nicht erneuern']);
});
