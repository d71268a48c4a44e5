import fc from 'fast-check';
import { addCampaign, assignCampaign } from '../../server/contract/campaigns.ts';
import { addChannel } from '../../server/contract/channels.ts';
import { addKey } from '../../server/contract/keys.ts';
import { addLink } from '../../server/contract/links.ts';
import { addPixel } from '../../server/contract/pixels.ts';
import { addQr } from '../../server/contract/qr.ts';
import { addSplash } from '../../server/contract/splash.ts';
import { keyQueries } from '../../server/identity/keys/queries.ts';
import { keyService } from '../../server/identity/keys/service.ts';
import { startApp, type TestApp } from './app.ts';
import { type OpenApiDocument, type Operation, operationsOf, replyChecker } from './openapi.ts';
import { type FuzzedRequest, requestsOf } from './openapi-requests.ts';
import { addDomain } from './second-account.ts';

/** The result of a run; no problems if every reply matched the document and no refusal changed anything. */
export interface FuzzResult {
  requests: number;
  /** The number of replies by status. */
  statuses: Record<number, number>;
  problems: string[];
}

/** Tables that a refusal may write, or that background jobs write. */
const mayChange = new Map([
  ['audit', 'the log says who was refused'],
  ['failures', 'wrong passwords and codes are counted, or nothing would ever lock'],
  ['code_rows', 'wrong codes are counted over all time, so that a code alone is proof no more (T-12)'],
  ['rollups', 'a job counts clicks'],
  ['rollup_position', 'a job counts clicks'],
  [
    'mail_counts',
    'a test message counts whatever the mail server said, or a refusing one could be asked for ever (T-45)',
  ],
  ['webhook_deliveries', 'a job delivers what earlier requests did'],
  ['webhook_events', 'a job makes deliveries of what earlier requests did'],
]);

/** Columns that only requests write, of tables whose other columns are written beside them; every update sets them. */
const columnsOfRequests = new Map([
  // Not when a key was used last: that is every request's.
  ['keys', ['name', 'scopes']],
  // Not since when nothing arrives, and whether a webhook was stopped for it: that is the deliveries'.
  ['webhooks', ['url', 'removed_at']],
]);

/** Would destroy the test's own instance, or write hundreds of megabytes. */
const leftOut = new Set(['post-backup-restore', 'post-setup-restore', 'post-backup-add']);

/** May say that a provider of others, which an earlier request named, cannot be reached. */
const leadsElsewhere = new Set(['post-auth-sso-start', 'post-account-identity-start']);

/** Would remove the administrator's own account or permissions. */
const ownEnd = /^\/api\/user\/1\//;

/** Sends requests to every operation of the document and compares each reply with it. Stops at the tenth problem. */
export async function fuzz(total: number, seed: number): Promise<FuzzResult> {
  const server = await startApp({
    // What is fixed at the start cannot be changed on the way: the test would lose its own instance.
    settings: {
      ratelimit: 1_000_000,
      sharing: false,
      plainSharing: false,
      registration: 'invitation',
      dnsServers: ['127.0.0.1:9'],
      ssl: { mode: 'off' },
      trustedProxies: [],
    },
  });
  try {
    await furnish(server);
    return await run(server, total, seed);
  } finally {
    await server.close();
  }
}

async function run(server: TestApp, total: number, seed: number): Promise<FuzzResult> {
  const document: OpenApiDocument = (await server.request('GET', '/api/openapi.json', { key: null })).body;
  const operations = operationsOf(document).filter(({ operationId }) => !leftOut.has(operationId));
  const checker = replyChecker(document);
  const touched = watchTables(server);
  const keys = keyService({ queries: keyQueries(server.databases.main), now: server.clock.now });
  const makeKey = () => keys.create(1, 'session', 'fuzzer').secret;
  const body = { name: 'Reader', scopes: ['links:read' as const] };
  const reader = (await server.call(addKey, { body })).data.api_key;
  let administrator = makeKey();

  const each = Math.ceil(total / operations.length);
  // Created when needed: all at once would block the server for seconds, and cost it its connections.
  const made = new Map<number, FuzzedRequest[]>();
  function requestOf(index: number, number: number): FuzzedRequest {
    const operation = operations[index] as Operation;
    const known = made.get(index) ?? fc.sample(requestsOf(operation), { numRuns: each, seed: seed + index });
    made.set(index, known);
    return known[number] as FuzzedRequest;
  }
  const order = operations.flatMap((_, index) =>
    Array.from({ length: each }, (_each, number) => [index, number] as const),
  );
  const result: FuzzResult = { requests: 0, statuses: {}, problems: [] };
  for (const [index, number] of shuffled(order, seed)) {
    const request = requestOf(index, number);
    if (request.operation.method !== 'GET' && ownEnd.test(request.path)) continue;
    // Windows of limits end, and nobody waits for a lock.
    server.clock.advance(60_000);
    touched.reset();
    const key = { administrator, reader, nobody: undefined }[request.sender];
    const reply = await send(server, request, key).catch((cause: unknown) => {
      throw new Error(`${shown(request, seed)}: no reply`, { cause });
    });
    result.requests += 1;
    result.statuses[reply.status] = (result.statuses[reply.status] ?? 0) + 1;
    const problems = checker.problemsOf(request.operation, reply);
    const isElsewhere = reply.status === 503 && leadsElsewhere.has(request.operation.operationId);
    if (reply.status >= 500 && !isElsewhere)
      problems.push(`status ${reply.status}: ${reply.text.slice(0, 200)}`);
    if (reply.status >= 400) {
      let changed = touched.list().filter((table) => !mayChange.has(table));
      // A job may have written meanwhile; a refusal that changes something does so each time.
      for (let again = 0; again < 4 && changed.length > 0; again += 1) {
        touched.reset();
        await send(server, request, key);
        const now = touched.list();
        changed = changed.filter((table) => now.includes(table));
      }
      if (changed.length > 0)
        problems.push(`refused with ${reply.status}, but changed ${changed.join(', ')}`);
    }
    // A request may have revoked the key or changed the password.
    if (reply.status === 401 && request.sender === 'administrator') administrator = makeKey();
    for (const problem of problems) result.problems.push(`${shown(request, seed)}: ${problem}`);
    if (result.problems.length >= 10) break;
  }
  return result;
}

/** One record of each kind, so that the ids 1 and 2 exist. */
async function furnish(server: TestApp): Promise<void> {
  const { call } = server;
  for (const number of [1, 2]) {
    const { id } = await call(addLink, {
      body: { url: `https://example.com/${number}`, custom: `l${number}` },
    });
    const campaign = await call(addCampaign, { body: { name: `Campaign ${number}` } });
    await call(assignCampaign, { params: { campaignid: campaign.id, linkid: id } });
    await call(addChannel, { body: { name: `Channel ${number}` } });
    await call(addPixel, { body: { type: 'bing', name: `Pixel ${number}`, tag: '12345678' } });
    await call(addSplash, { body: { name: `Splash ${number}` } });
    await call(addQr, { body: { type: 'text', data: `Text ${number}` } });
    addDomain(server, `links${number}.example.com`, 1);
  }
}

async function send(server: TestApp, request: FuzzedRequest, key: string | undefined) {
  const { operation, path, headers, body } = request;
  const aborter = new AbortController();
  const response = await fetch(server.origin + path, {
    method: operation.method,
    headers: { ...headers, ...(key && { authorization: `Bearer ${key}` }) },
    ...(body !== undefined && { body: Buffer.from(body) }),
    signal: aborter.signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = isStream ? '' : await response.text();
  if (isStream) aborter.abort();
  return { status: response.status, headers: response.headers, text };
}

/** Returns which tables were written since the reset; rolled-back writes are not included. */
function watchTables({ databases }: TestApp) {
  const { main } = databases;
  main.exec('CREATE TEMP TABLE touched (name TEXT PRIMARY KEY) WITHOUT ROWID');
  const tables = main
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`,
    )
    .pluck()
    .all();
  // An insert that conflicts or is ignored would fail here: SQLite takes the policy of the statement outside (`ON
  // CONFLICT`).
  for (const table of tables) {
    const columns = columnsOfRequests.get(table);
    for (const event of ['INSERT', 'UPDATE', 'DELETE']) {
      const of = event === 'UPDATE' && columns ? ` OF ${columns.join(', ')}` : '';
      main.exec(
        `CREATE TEMP TRIGGER "watch_${table}_${event}" AFTER ${event}${of} ON main."${table}"
         BEGIN INSERT INTO touched SELECT '${table}' WHERE NOT EXISTS (SELECT 1 FROM touched WHERE name = '${table}'); END`,
      );
    }
  }
  const clear = main.prepare('DELETE FROM touched');
  const list = main.prepare<[], string>('SELECT name FROM touched').pluck();
  return { reset: () => void clear.run(), list: () => list.all() };
}

/** The same order for the same seed. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const [order = []] = fc.sample(fc.array(fc.nat(), { minLength: items.length, maxLength: items.length }), {
    numRuns: 1,
    seed,
  });
  return items
    .map((item, index) => ({ item, at: order[index] ?? 0 }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function shown({ operation, path, headers, body, sender }: FuzzedRequest, seed: number): string {
  return `seed ${seed}: ${sender} ${operation.method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 400) ?? ''}`;
}
