import { request } from 'node:http';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { quantile } from './metrics.ts';

const people = 20;
/** Warm-up changes that are not measured. */
const warmUp = 20;
const wantedMs = 50;

interface Options {
  /** An empty folder for this run. */
  folder: string;
  changes: number;
  print: (line: string) => void;
}

interface Person {
  id: number;
  token: string;
}

/**
 * How long it takes from sending a change of a link until each of twenty team members with an open live stream has
 * received it; a different member makes each change. True if the median is within the goal.
 */
export async function measureTeamChanges({ folder, changes, print }: Options): Promise<boolean> {
  const server = await spawnServer(folder);
  const streams: Stream[] = [];
  try {
    const key = await setUpAccount(server);
    const ask: Ask = (...request) => askFor(server, ...request);
    const owner = await addPerson(ask, key, 0);
    const members = [owner];
    while (members.length < people) members.push(await addPerson(ask, key, members.length));
    const { id: team } = await ask('POST', '/api/team/add', owner.token, { name: 'Twenty' });
    const invitation = { role: 'editor', uses: people };
    const { code } = await ask('POST', `/api/team/${team}/invite`, owner.token, invitation);
    for (const { token } of members.slice(1)) await ask('POST', '/api/team/join', token, { code });
    const body = { url: 'https://example.com/' };
    const { id: link } = await ask('POST', '/api/url/add', owner.token, body, team);
    for (const { token } of members) streams.push(await openStream(server, token, team));

    const times: number[] = [];
    for (let change = 0; change < warmUp + changes; change += 1) {
      const { token } = members[change % people] as Person;
      const told = Promise.all(streams.map((stream) => stream.next()));
      const startedAt = performance.now();
      await ask('PUT', `/api/url/${link}/update`, token, { title: `Change ${change}` }, team);
      await told;
      if (change >= warmUp) times.push(performance.now() - startedAt);
    }
    const [median, slow] = [quantile(times, 0.5), quantile(times, 0.99)];
    print(
      `TEAM CHANGES: told to ${people} people in ${median.toFixed(1)} ms (median of ${changes}; p99 ${slow.toFixed(1)} ms), wanted at most ${wantedMs} ms`,
    );
    return median <= wantedMs;
  } finally {
    for (const stream of streams) stream.end();
    await server.stop();
  }
}

type Request = [method: string, path: string, token: string, body?: object, account?: number];
// biome-ignore lint/suspicious/noExplicitAny: replies of every shape.
type Ask = (...request: Request) => Promise<any>;

async function addPerson(ask: Ask, key: string, index: number): Promise<Person> {
  const [username, password] = [`person${index}`, 'long enough'];
  await ask('POST', '/api/user/add', key, { username, email: `${username}@example.com`, password });
  const { data } = await ask('POST', '/api/auth/login', '', { login: username, password });
  return { id: data.account.id, token: data.token };
}

async function askFor({ origin }: SpawnedServer, ...[method, path, token, body, account]: Request) {
  const reply = await fetch(origin + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(account !== undefined && { 'x-waypost-account': String(account) }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const document = (await reply.json()) as { error: number; message?: string };
  if (document.error !== 0) throw new Error(`${method} ${path}: ${document.message}`);
  return document;
}

interface Stream {
  /** Resolves to the next reported change of a link. */
  next(): Promise<void>;
  end(): void;
}

function openStream({ port }: SpawnedServer, token: string, account: number): Promise<Stream> {
  const headers = { authorization: `Bearer ${token}`, 'x-waypost-account': String(account) };
  return new Promise((resolve, reject) => {
    let hear = () => {};
    const asked = request({ host: '127.0.0.1', port, path: '/api/events', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          if (event.startsWith('event: hello')) resolve(stream);
          else if (event.includes('"resource":"links"')) hear();
        }
      });
      response.on('error', () => {});
    });
    asked.on('error', reject).end();
    const stream: Stream = {
      next: () =>
        new Promise((told) => {
          hear = told;
        }),
      end: () => void asked.destroy(),
    };
  });
}
