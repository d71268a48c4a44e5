// Days that members of a team plan for links: who may, and what becomes of them when whoever planned them is not a
// member any more.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { newTeam, type TestMember, type TestTeam } from '../../support/team.ts';
import { visit } from '../../support/visits.ts';

const dayMs = 86_400_000;
let server: TestApp;
let team: TestTeam;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
  team = await newTeam(server);
});
afterAll(() => server.close());

const inDays = (days: number) =>
  new Date(server.clock.now() + days * dayMs).toISOString().slice(0, 19).replace('T', ' ');
const add = async (person: TestMember, custom: string, fields: object = {}): Promise<number> =>
  (
    await person.inTeam('POST', '/api/url/add', {
      body: { url: 'https://example.com/there', custom, ...fields },
    })
  ).body.id;
const plan = (person: TestMember, id: number, body: object) =>
  person.inTeam('PUT', `/api/url/${id}/update`, { body });
const details = async (id: number) => (await team.owner.inTeam('GET', `/api/url/${id}`)).body.details;
const bulk = async (person: TestMember, ids: number[], action: string) =>
  (await person.inTeam('POST', '/api/urls/bulk', { body: { ids, action, value: inDays(2) } })).body.data;

test.each(['archiveon', 'deleteon'])(
  "%s is not allowed for a viewer, nor for other people's links",
  async (field) => {
    const id = await add(team.owner, anotherName('owners'));
    const victor = await team.join(anotherName('victor'), 'viewer');
    const carl = await team.join(anotherName('carl'), 'contributor');
    const cora = await team.join(anotherName('cora'), 'contributor', true);
    for (const person of [victor, carl]) {
      const { status, body } = await plan(person, id, { [field]: inDays(2) });
      expect([status, body.code]).toEqual([403, 'role_too_low']);
    }
    expect((await plan(cora, id, { [field]: inDays(2) })).status).toBe(404);
    expect((await bulk(carl, [id], field)).codes).toEqual({ role_too_low: 1 });
    expect((await bulk(cora, [id], field)).codes).toEqual({ not_found: 1 });
    expect(await details(id)).toMatchObject({ [field]: null });

    const own = await add(carl, anotherName('carls'), { [field]: inDays(2) });
    expect((await plan(carl, own, { [field]: inDays(3) })).status).toBe(200);
    await bulk(carl, [own], field);
    expect(await details(own)).toMatchObject({ [field]: inDays(2) });
  },
);

test('a planned day happens although its author was removed, and can be cancelled by the team', async () => {
  const carl = await team.join(anotherName('carl'), 'contributor');
  const [staying, going] = [anotherName('stays'), anotherName('goes')];
  const stays = await add(carl, staying, { deleteon: inDays(2) });
  const goes = await add(carl, going, { archiveon: inDays(2) });
  await team.owner.inTeam('DELETE', `/api/team/${team.id}/member/${carl.id}/delete`);
  // Who is out plans nothing any more, nor takes off what they planned.
  expect((await plan(carl, goes, { archiveon: null })).status).toBe(404);
  expect((await plan(team.owner, stays, { deleteon: null })).status).toBe(200);
  server.clock.advance(3 * dayMs);
  expect((await visit(server, `/${staying}`)).location).toBe('https://example.com/there');
  expect((await visit(server, `/${going}`)).status).toBe(410);
});
