import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planTransfer } from '../../../renderer/operations/transfer/plan.ts';
import { readDestination, readSource } from '../../../renderer/operations/transfer/reading.ts';
import { actionOf, type RowResult, transferKinds } from '../../../renderer/operations/transfer/rows.ts';
import { runTransfer } from '../../../renderer/operations/transfer/run.ts';
import type { ImportedRow } from '../../../server/contract/import.ts';
import { shapeOf } from '../../../server/contract/import-columns.ts';
import { fileRows } from '../../../server/contract/import-rows.ts';
import { readCsvFile } from '../../../server/operations/commands/read-csv.ts';
import { geolocation } from '../../../server/visits/redirects/geolocation.ts';
import { type StartOptions, setupCode, startApp, type TestApp } from '../../support/app.ts';
import { downloadOf, makeBackup } from '../../support/backups.ts';
import { mmdb } from '../../support/mmdb.ts';
import {
  addBranded,
  answersAt,
  baseUrl,
  branded,
  brandedLinks,
  domainSettings,
  type Filled,
  fillInstance,
  plainLinks,
} from '../../support/one-of-everything.ts';
import { visit } from '../../support/visits.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-round-trip-'));
const places = join(folder, 'places.mmdb');
writeFileSync(
  places,
  mmdb('Example-City', [
    { range: '192.0.2.0/24', content: { country_code: 'DE', state1: 'Bavaria', city: 'Fürth' } },
    { range: '198.51.100.0/24', content: { country_code: 'US', state1: 'California', city: 'Oakland' } },
  ]),
);
const options: StartOptions = {
  baseUrl,
  trustedProxies: ['127.0.0.1'],
  ratelimit: 100_000,
  geolocation: geolocation(() => places),
};
const open: TestApp[] = [];
async function start(more: StartOptions = {}): Promise<TestApp> {
  const server = await startApp({ ...options, ...more });
  open.push(server);
  return server;
}

let from: TestApp;
let filled: Filled;
/** What the links answered at first: one of them works once. */
let answers: Record<string, unknown>;
beforeAll(async () => {
  from = await start();
  filled = await fillInstance(from, addBranded(from));
  answers = await answersAt(from, linksOnly);
});
afterAll(async () => {
  for (const server of open) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const host = new URL(baseUrl).host;
const pathsOf = (links: object) => Object.keys(links).map((alias) => `/${alias}`);
const linksOnly = { [host]: [...pathsOf(plainLinks), '/utm'], [branded]: pathsOf(brandedLinks) };

/** Another instance with the domain, of an account elsewhere. */
async function elsewhere(): Promise<TestApp> {
  const to = await start();
  const id = addBranded(to);
  await to.request('PUT', `/api/domain/${id}/aliases`, { body: { slashes: true } });
  await to.request('PUT', `/api/domain/${id}/update`, { body: domainSettings });
  await to.request('PUT', '/api/account/update', {
    body: { timezone: 'Asia/Kolkata', defaulttype: 'splash' },
  });
  return to;
}

test('links that are exported and imported elsewhere respond to visitors alike', async () => {
  const to = await elsewhere();
  const file = join(folder, 'links.csv');
  writeFileSync(file, (await from.request('GET', '/api/urls/export')).body);
  const table = readCsvFile(file);
  const shape = shapeOf(table);
  const rows = fileRows(table, shape, shape.mapping, 'Asia/Kolkata').map(({ row }) => row);
  const { data } = (await to.request('POST', '/api/urls/import', { body: { rows } })).body;
  expect(await answersAt(to, linksOnly)).toEqual(answers);
  // What is left out: nobody can open what had a password, and the page to choose a file says the rest.
  const told = data.rows.flatMap(({ alias, code }: ImportedRow) => (code ? [[alias, code]] : []));
  expect(told).toEqual([['secret', 'password_missing']]);
  expect((await visit(to, '/secret', { headers: { Host: host } })).status).toBe(410);
});

test('links that are copied between instances respond to visitors alike', async () => {
  const to = await elsewhere();
  const kinds = new Set(transferKinds);
  const reading = { kinds, signal: new AbortController().signal, onProgress: () => {} };
  const source = await readSource(from.call, { ...reading, choice: {}, canExport: true });
  const there = await readDestination(to.call, { ...reading, origin: baseUrl, isBaseContract: false });
  const rows = planTransfer(source, there, { kinds, isNarrowed: false, opensProtected: false });
  const results: [string, RowResult][] = [];
  await runTransfer({
    at: to.call,
    rows: rows.filter((row) => actionOf(row, 'skip') !== 'leave'),
    names: { campaigns: new Map(), channels: new Map() },
    conflict: 'skip',
    shouldStop: () => false,
    onResult: (key, result) => results.push([key, result]),
  });
  expect(results.filter(([, { outcome }]) => outcome !== 'created')).toEqual([]);
  expect(await answersAt(to, linksOnly)).toEqual(answers);
  const told = rows.flatMap(({ name, reason, notes }) =>
    [...notes, ...(reason ? [reason] : [])].map((why) => [name, why]),
  );
  expect(told).toEqual([
    ['Spring "2027", sale', 'weights'],
    ['secret', 'password'],
    ['watched', 'pixels'],
    ['greeted', 'display'],
    ['asked', 'display'],
  ]);
});

test('a backup that is restored elsewhere responds to visitors alike everywhere', {
  tags: 'long',
}, async () => {
  const file = await downloadOf(from, (await makeBackup(from)).id);
  const target = mkdtempSync(join(folder, 'restored-'));
  let restarts = 0;
  const fresh = await startApp({ ...options, folder: target, fresh: true, restart: () => (restarts += 1) });
  const sent = await fresh.request('POST', `/api/setup/backup?setupcode=${setupCode}`, {
    key: null,
    rawBody: file,
  });
  const body = { id: sent.body.data.id, setupcode: setupCode, withoutkeys: true };
  await fresh.request('POST', '/api/setup/restore', { key: null, body });
  await expect.poll(() => restarts, { timeout: 30_000 }).toBe(1);
  await fresh.close();
  const restored = await start({ folder: target, fresh: true, clock: from.clock });
  const links = {
    ...linksOnly,
    [host]: [...pathsOf(plainLinks), '/secret', '/watched', '/greeted', '/asked'],
  };
  expect(await answersAt(restored, links)).toEqual(await answersAt(from, links));
  const pages = {
    [host]: filled.paths,
    [branded]: ['/', '/nothing', '/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'],
  };
  const some = ['in French', 'from nowhere'];
  expect(await answersAt(restored, pages, some)).toEqual(await answersAt(from, pages, some));
});
