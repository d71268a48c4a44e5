import type { Page } from 'playwright';
import type { DomainSync } from '../../server/contract/domains.ts';
import type { FleetEdge, ShownFleet } from '../../server/contract/fleet.ts';
import type { InstanceMeta } from '../../server/contract/instance.ts';

/** Answers requests of the page for these paths in place of the server, until it is disposed of. */
async function answer(page: Page, replies: Readonly<Record<string, object>>): Promise<AsyncDisposable> {
  const routes = new AsyncDisposableStack();
  for (const [path, reply] of Object.entries(replies)) {
    routes.use(await page.route(`**/api${path}`, (route) => route.fulfill({ json: { error: 0, ...reply } })));
  }
  return routes;
}

/** Changes some of the data in the server's own reply. */
function amend<Data>(page: Page, path: string, changes: Partial<Data>): Promise<AsyncDisposable> {
  return page.route(`**/api${path}`, async (route) => {
    const reply = await route.fetch();
    const body = (await reply.json()) as { data: object };
    await route.fulfill({ response: reply, json: { ...body, data: { ...body.data, ...changes } } });
  });
}

/** The server says that it has no account yet. */
export const firstStart = (page: Page) => amend<InstanceMeta>(page, '/meta', { setup: true });

/** The server says that it is an authority of its own: that it listens for HTTPS would take a port of the machine. */
export const localAuthority = (page: Page) =>
  amend<DomainSync>(page, '/domains/sync', {
    ssl: 'local',
    own: {
      names: ['roastery.local', '192.168.1.20'],
      expires: timestamp(80 * 24 * 60),
      nextattempt: null,
      message: null,
      root: fingerprint('5C'),
    },
  });

/** A fingerprint that is easily told from others. */
export function fingerprint(first: string): string {
  const rest = 'A1:0F:7E:93:2B:D8:64:1C:EE:50:97:38:B4:0A:F1:6D:22:C9:85:3F:7B:E0:14:AA:69:D3:08:BC:41:F6:9E';
  return `${first}:${rest}`;
}

/** As the server writes them, so many minutes from now. */
function timestamp(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}

const engine: ShownFleet = {
  enabled: true,
  url: 'tls://nats.northwind-coffee.example:4222',
  user: 'origin',
  signin: 'user',
  edgeuser: 'edge',
  signingkey: false,
  operatorkey: false,
  state: 'connected',
  problem: null,
  reason: null,
  detail: null,
  code: null,
  engine: { servers: 3, streams: 2, bytes: 48_200_000, oldest: timestamp(-6 * 24 * 60) },
  position: 12_480,
  epoch: 1,
};
const edge = (id: number, name: string, region: string, rest: Partial<FleetEdge>): FleetEdge => ({
  id,
  name,
  region,
  version: '0.1.0',
  addresses: [`203.0.113.${10 + id}`],
  since: timestamp(-40 * 24 * 60),
  rate: 0,
  lag: { messages: 0, ms: 0 },
  waiting: 0,
  lost: 0,
  state: 'current',
  problem: null,
  reason: null,
  detail: null,
  cutoff: null,
  ...rest,
});
const edges: FleetEdge[] = [
  edge(1, 'Frankfurt', 'Europe', { rate: 182.5 }),
  edge(2, 'São Paulo', 'South America', {
    rate: 41,
    lag: { messages: 310, ms: 4200 },
    waiting: 1250,
    lost: 17,
    state: 'behind',
    problem: 'Its clock is 3 minutes ahead.',
    reason: 'clock_ahead',
    detail: '3',
  }),
  edge(3, 'Behind the roastery', '', { version: null, addresses: [], since: null, state: 'waiting' }),
  edge(4, 'Old rack in the cellar', 'Europe', {
    state: 'revoked',
    cutoff: 'waypost fleet revoke --edge 4 --operator operator.key --signing-key signing.key',
  }),
];
const command = `waypost edge --join wpe_${'k7Qm2xVd9RtB'.repeat(14)} --host 0.0.0.0 --port 80 --https-port 443`;

/** The server has an engine and some edges, one of each state, as if they were there. */
export const fleet = (page: Page) =>
  answer(page, {
    '/fleet': { data: engine },
    '/fleet/edges': { data: { edges } },
    '/fleet/edge/add': { id: 5, token: 'shown once', command },
  });
