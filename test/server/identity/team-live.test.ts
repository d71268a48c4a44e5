import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentOf, eventParser } from '../../../server/contract/event-stream.ts';
import { type ServerEvent, serverEvent } from '../../../server/contract/events.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';
import { newTeam, type TestMember, type TestTeam } from '../../support/team.ts';

/** A team of twenty, each with a live stream and all writing at once. */
const size = 20;
let server: TestApp;
let team: TestTeam;
const members: TestMember[] = [];

beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
  team = await newTeam(server);
  members.push(team.owner);
  for (let index = 1; index < size - 1; index += 1) members.push(await team.join(`member${index}`, 'editor'));
  members.push(await team.join('own', 'contributor', true));
});
afterAll(() => server.close());

interface Listener {
  heard: ServerEvent[];
  end(): Promise<void>;
}

async function listen(key: string, account: number): Promise<Listener> {
  const aborter = new AbortController();
  const response = await fetch(`${server.origin}/api/events`, {
    headers: { authorization: `Bearer ${key}`, 'X-Waypost-Account': String(account) },
    signal: aborter.signal,
  });
  const heard: ServerEvent[] = [];
  const parser = eventParser();
  const decoder = new TextDecoder();
  const reading = (async () => {
    for await (const piece of response.body ?? []) {
      const events = parser.push(decoder.decode(piece, { stream: true }));
      heard.push(...events.map((event) => serverEvent.parse(documentOf(event))));
    }
  })().catch(() => undefined);
  await expect.poll(() => heard[0]?.type).toBe('hello');
  return {
    heard,
    async end() {
      aborter.abort();
      await reading;
    },
  };
}
const toldOf = ({ heard }: Listener, resource: string) =>
  heard.flatMap((event) => (event.type === 'changed' && event.resource === resource ? event.ids : []));

test('of twenty who write at once, each receives every change they may see, once, and the lists agree', async () => {
  const listeners = await Promise.all(members.map(({ key }) => listen(key, team.id)));
  const added = await Promise.all(
    members.map((member, index) =>
      member.inTeam('POST', '/api/url/add', {
        body: { url: `https://example.com/${index}`, custom: `by-${index}` },
      }),
    ),
  );
  expect(added.map(({ status }) => status)).toEqual(members.map(() => 200));
  const ids = added.map(({ body }) => body.id as number);
  const sorted = (numbers: number[]) => [...numbers].sort((one, other) => one - other);
  const own = ids.at(-1) as number;
  for (const [index, listener] of listeners.entries()) {
    const theirs = index === size - 1 ? [own] : ids;
    await expect.poll(() => toldOf(listener, 'links').length).toBeGreaterThanOrEqual(theirs.length);
    expect(sorted(toldOf(listener, 'links'))).toEqual(sorted(theirs));
  }
  for (const [index, member] of members.entries()) {
    const { data } = (await member.inTeam('GET', '/api/urls?limit=100')).body;
    expect(data.result).toBe(index === size - 1 ? 1 : size);
  }

  // All of them edit one link from the same version: one of them is first, the others are told what it is now.
  const [target = 0] = ids;
  const editors = members.slice(0, -1);
  const { version } = (await team.owner.inTeam('GET', `/api/url/${target}`)).body.details;
  const edits = await Promise.all(
    editors.map((member, index) =>
      member.inTeam('PUT', `/api/url/${target}/update`, {
        body: { url: `https://example.com/edit-${index}`, version },
      }),
    ),
  );
  const first = edits.findIndex(({ status }) => status === 200);
  expect(edits.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of edits.filter(({ status }) => status !== 200)) {
    expect([status, body.code, body.data.longurl]).toEqual([
      409,
      'changed',
      `https://example.com/edit-${first}`,
    ]);
  }
  const visit = await fetch(`${server.origin}/by-0`, { redirect: 'manual' });
  expect(visit.headers.get('location')).toBe(`https://example.com/edit-${first}`);
  for (const listener of listeners) await listener.end();
});

test("changes of members, invitations and a team's name are sent to those who show them and those affected", async () => {
  const watching = await listen(team.owner.key, team.id);
  const paula = secondAccount(server, 'paula');
  const ofPaula = await listen(paula.key, paula.id);
  const told = async (act: () => Promise<unknown>, ...listeners: Listener[]) => {
    const before = listeners.map((listener) => toldOf(listener, 'teams').length);
    await act();
    for (const [index, listener] of listeners.entries()) {
      await expect.poll(() => toldOf(listener, 'teams').length).toBeGreaterThan(before[index] ?? 0);
    }
  };
  const base = `/api/team/${team.id}`;
  const owner = team.owner;
  let code = '';
  await told(async () => {
    ({ code } = (await owner.request('POST', `${base}/invite`, { body: { role: 'viewer' } })).body);
  }, watching);
  await told(() => paula.request('POST', '/api/team/join', { body: { code } }), watching, ofPaula);
  const member = `${base}/member/${paula.id}`;
  await told(() => owner.request('PUT', `${member}/update`, { body: { role: 'editor' } }), watching, ofPaula);
  await told(() => owner.request('PUT', `${base}/update`, { body: { name: 'Renamed' } }), ofPaula);
  await told(() => owner.request('DELETE', `${member}/delete`), ofPaula);
  const { data } = (await paula.request('GET', '/api/teams')).body;
  expect(data.result).toBe(0);
  await watching.end();
  await ofPaula.end();
});
