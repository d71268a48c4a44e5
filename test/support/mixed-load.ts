import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Journal } from './journal.ts';
import { contentValue, linkValue } from './stored-things.ts';
import { browsers } from './visits.ts';

const followers = 4;
const writers = 2;
const linksToFollow = 20;
const linksAtOnce = 20;
/** A network may send the forms of overlays twenty times a minute. */
const mostAnswers = 15;
/** An overlay takes a thousand answers a day, and three thousand are sent in two hundred rounds. */
const newsletters = 6;
const mostContentBytes = 65_536;

interface Target {
  port: number;
  key: string;
  /** Whether such a response ends the client, as if there had been none. */
  isEnd?: (status: number) => boolean;
}

/** Requested and answered redirects, by alias. */
export interface Clicks {
  asked: Map<string, number>;
  answered: Map<string, number>;
}

export interface LoadOptions extends Target {
  journal: Journal;
  clicks: Clicks;
  /** Of the newsletters that `prepareLoad` made. */
  overlays: readonly number[];
  /** Part of all names that this load creates. */
  round: string;
  randomInteger: (below: number) => number;
}

/** Creates what the load uses: links, and newsletters whose ids are returned. */
export async function prepareLoad(target: Target): Promise<number[]> {
  const agent = new Agent();
  const rows = Array.from({ length: linksToFollow }, (_, index) => ({
    url: 'https://example.com/followed',
    alias: `follow-${index}`,
  }));
  const content = { title: 'News', button: 'Go' };
  await askJson(target, agent, 'POST', '/api/urls/import', { rows });
  const overlay = { name: 'News', type: 'newsletter', content };
  const overlays: number[] = [];
  while (overlays.length < newsletters) {
    const made = await askJson(target, agent, 'POST', '/api/overlay/add', overlay);
    if (!made) throw new Error('the server gave no answer');
    overlays.push(made.id);
  }
  agent.destroy();
  return overlays;
}

/**
 * Starts clients of every kind at once: redirects, links created, updated, deleted and restored, uploads, imports, bulk
 * actions and newsletters. Each sends one request after another until it is told to stop or the server stops
 * responding; a refusal fails the load. `stop` waits for all of them.
 */
export function mixedLoad(options: LoadOptions): { stop(): Promise<void> } {
  let over = false;
  const start = async (client: (agent: Agent, isOver: () => boolean) => Promise<void>) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      await client(agent, () => over);
    } finally {
      agent.destroy();
    }
  };
  const clients = [
    ...Array.from({ length: followers }, () => start((...how) => follow(options, ...how))),
    ...Array.from({ length: writers }, (_, number) => start((...how) => write(options, number, ...how))),
    start((...how) => upload(options, ...how)),
    start((...how) => changeMany(options, ...how)),
    start((...how) => subscribe(options, ...how)),
  ];
  const ended = Promise.all(clients);
  // Whoever starts a load waits for it, but may do something else first.
  ended.catch(() => {});
  return {
    async stop() {
      over = true;
      await ended;
    },
  };
}

async function follow(options: LoadOptions, agent: Agent, isOver: () => boolean): Promise<void> {
  const { clicks, randomInteger } = options;
  while (!isOver()) {
    const alias = `follow-${randomInteger(linksToFollow)}`;
    count(clicks.asked, alias);
    const answer = await ask(options, agent, { path: `/${alias}`, method: 'GET' });
    if (!answer) return;
    if (options.isEnd?.(answer.status)) return;
    if (answer.status !== 302) throw new Error(`/${alias} was answered ${answer.status}`);
    count(clicks.answered, alias);
  }
}

async function write(
  options: LoadOptions,
  client: number,
  agent: Agent,
  isOver: () => boolean,
): Promise<void> {
  const { journal, round } = options;
  const send = (method: string, path: string, body?: object) => askJson(options, agent, method, path, body);
  for (let index = 0; !isOver(); index += 1) {
    const alias = `link-${round}-${client}-${index}`;
    const [first, second] = [`https://example.com/first`, `https://example.com/second`];
    const made = journal.send([alias], linkValue({ url: first }));
    const reply = await send('POST', '/api/url/add', { url: first, custom: alias });
    if (!reply) return;
    made();
    if (index % 2 === 0) continue;
    const changed = journal.send([alias], linkValue({ url: second }));
    if (!(await send('PUT', `/api/url/${reply.id}/update`, { url: second }))) return;
    changed();
    if (index % 4 === 1) continue;
    const trashed = journal.send([alias], linkValue({ url: second, isTrashed: true }));
    const deleted = await send('DELETE', `/api/url/${reply.id}/delete`);
    if (!deleted) return;
    trashed();
    const takenBack = journal.send([alias], linkValue({ url: second }));
    if (!(await send('POST', `/api/undo/${deleted.undo}`))) return;
    takenBack();
  }
}

async function upload(options: LoadOptions, agent: Agent, isOver: () => boolean): Promise<void> {
  const { journal, round, randomInteger } = options;
  for (let index = 0; !isOver(); index += 1) {
    const name = `file-${round}-${index}.bin`;
    const content = randomBytes(1 + randomInteger(mostContentBytes));
    const stored = journal.send([name], contentValue(createHash('sha256').update(content).digest('hex')));
    if (!(await askJson(options, agent, 'POST', `/api/files/upload/${name}`, content))) return;
    stored();
  }
}

/** Imports links and applies one bulk action after another to all of them. */
async function changeMany(options: LoadOptions, agent: Agent, isOver: () => boolean): Promise<void> {
  const { journal, round } = options;
  const url = 'https://example.com/imported';
  for (let batch = 0; !isOver(); batch += 1) {
    const names = Array.from({ length: linksAtOnce }, (_, index) => `import-${round}-${batch}-${index}`);
    const imported = journal.send(names, linkValue({ url }));
    const rows = names.map((alias) => ({ url, alias }));
    const reply = await askJson(options, agent, 'POST', '/api/urls/import', { rows });
    if (!reply) return;
    imported();
    const ids = reply.data.rows.map((row: { id: number }) => row.id);
    for (const [action, value] of [
      ['archive', linkValue({ url, isArchived: true })],
      ['delete', linkValue({ url, isArchived: true, isTrashed: true })],
      ['restore', linkValue({ url, isArchived: true })],
      ['unarchive', linkValue({ url })],
    ] as const) {
      const changed = journal.send(names, value);
      const bulk = await askJson(options, agent, 'POST', '/api/urls/bulk', { ids, action });
      if (!bulk) return;
      if (bulk.data.counts.done !== names.length) throw new Error(`${action}: ${JSON.stringify(bulk.data)}`);
      changed();
    }
  }
}

async function subscribe(options: LoadOptions, agent: Agent, isOver: () => boolean): Promise<void> {
  const { journal, round, overlays, randomInteger } = options;
  for (let index = 0; index < mostAnswers && !isOver(); index += 1) {
    const address = `visitor-${round}-${index}@example.com`;
    const kept = journal.send([address], 'kept');
    const answer = await ask(options, agent, {
      path: `/o/${overlays[randomInteger(overlays.length)]}`,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ answer: address }).toString(),
    });
    if (!answer) return;
    if (options.isEnd?.(answer.status)) return;
    if (answer.status !== 200) throw new Error(`the newsletter was answered ${answer.status}`);
    kept();
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** A request of the API. Undefined when no whole answer came; throws when the answer is a refusal. */
async function askJson(
  target: Target,
  agent: Agent,
  method: string,
  path: string,
  body?: object | Buffer,
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape.
): Promise<any> {
  const isRaw = Buffer.isBuffer(body);
  const answer = await ask(target, agent, {
    path,
    method,
    headers: {
      Authorization: `Bearer ${target.key}`,
      ...(body && !isRaw && { 'Content-Type': 'application/json' }),
    },
    body: isRaw ? body : body && JSON.stringify(body),
  });
  if (answer && target.isEnd?.(answer.status)) return undefined;
  if (answer && answer.status !== 200) {
    throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  }
  return answer && JSON.parse(answer.text);
}

interface Question {
  path: string;
  method: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** One request; undefined when no whole answer came. */
function ask(
  { port }: Target,
  agent: Agent,
  { path, method, headers, body }: Question,
): Promise<{ status: number; text: string } | undefined> {
  return new Promise((resolve) => {
    const read = (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('close', () => resolve(undefined));
    };
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent,
      headers: { 'User-Agent': browsers.windows, ...headers },
    });
    sent.on('response', read);
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}
