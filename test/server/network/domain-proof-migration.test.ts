import { expect, test } from 'vitest';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { applyMigrations } from '../../../server/platform/database/migrate.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';

test('working domains count as proved, and pending ones get a week to prove it', () => {
  const version = migrations.find(({ name }) => name.includes('domain-proof'))?.version ?? 0;
  const connection = openInMemory(migrations.filter((migration) => migration.version < version));
  connection.exec(
    `INSERT INTO domains (host, server_synced, active, disabled, dns_type, created_at)
       VALUES ('working.example', 1, 1, 0, 'cloudflare', 0), ('off.example', 1, 0, 1, 'direct', 0),
              ('waiting.example', 0, 0, 0, 'cloudflare', 0);`,
  );
  const before = Date.now();
  applyMigrations(
    connection,
    migrations.filter((migration) => migration.version >= version),
  );
  const lapsesAt = connection.prepare('SELECT lapses_at FROM domains ORDER BY id').pluck().all();
  expect(lapsesAt).toEqual([null, null, expect.any(Number)]);
  const week = 7 * 86_400_000;
  expect(Number(lapsesAt[2]) - before).toBeGreaterThan(week - 2000);
  expect(connection.prepare('SELECT length(key) FROM domain_proof_key').pluck().get()).toBe(32);
  connection.close();
});
