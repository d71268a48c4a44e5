import { afterAll, beforeAll, expect, test } from 'vitest';
import { addChannel } from '../../../server/contract/channels.ts';
import {
  addLink,
  bulkLinks,
  getLink,
  linkHistory,
  undo,
  updateLink,
} from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';

// An undo takes back what one change did, and nothing that was done after it.

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const refusal = (status: number, code: string) => expect.objectContaining({ status, code });

let count = 0;
async function newLink(fields: object = {}): Promise<number> {
  count += 1;
  const body = { url: 'https://example.com/first', custom: `undo-${count}`, ...fields };
  return (await server.call(addLink, { body })).id;
}
/** Changes a link and returns the id of the change. */
async function change(id: number, fields: object): Promise<number> {
  await server.call(updateLink, { params: { id }, body: fields });
  return (await server.call(linkHistory, { params: { id } })).data.changes[0]?.id ?? 0;
}
const takeBack = async (id: number) => (await server.call(undo, { params: { id } })).message;
const detailsOf = async (id: number) => (await server.call(getLink, { params: { id } })).details;
const destinationOf = async (id: number) =>
  (await server.request('GET', `/${(await detailsOf(id)).alias}`, { key: null })).headers.get('location');

test('keeps fields that were changed again since', async () => {
  const id = await newLink({ title: 'First' });
  const older = await change(id, { title: 'Second', url: 'https://example.com/second' });
  await change(id, { url: 'https://example.com/third' });
  expect(await takeBack(older)).toBe('The change was undone. What was changed again since stays as it is.');
  expect((await detailsOf(id)).title).toBe('First');
  expect(await destinationOf(id)).toBe('https://example.com/third');
});

test('is refused if all of it was changed again, until that is undone', async () => {
  const id = await newLink();
  const older = await change(id, { url: 'https://example.com/second' });
  const newer = await change(id, { url: 'https://example.com/third' });
  await expect(server.call(undo, { params: { id: older } })).rejects.toEqual(refusal(400, 'changed_since'));
  expect(await destinationOf(id)).toBe('https://example.com/third');
  await takeBack(newer);
  await takeBack(older);
  expect(await destinationOf(id)).toBe('https://example.com/first');
});

test('of an alias keeps one that the link got later', async () => {
  const id = await newLink();
  const older = await change(id, { custom: 'undo-renamed' });
  await change(id, { custom: 'undo-renamed-again' });
  await expect(server.call(undo, { params: { id: older } })).rejects.toEqual(refusal(400, 'changed_since'));
  const followed = await server.request('GET', '/undo-renamed-again', { key: null });
  expect(followed.headers.get('location')).toBe('https://example.com/first');
});

test('of a bulk action works link by link, and keeps channels added later', async () => {
  const [news, later] = await Promise.all(
    ['News', 'Later'].map(async (name) => (await server.call(addChannel, { body: { name } })).id),
  );
  const [untouched, touched] = [await newLink(), await newLink()];
  const { data } = await server.call(bulkLinks, {
    body: { ids: [untouched, touched], action: 'channel_add', value: news ?? 0 },
  });
  await server.call(bulkLinks, { body: { ids: [touched], action: 'channel_add', value: later ?? 0 } });
  await takeBack(data.undo ?? 0);
  expect((await detailsOf(untouched)).channel).toEqual([]);
  expect((await detailsOf(touched)).channel).toEqual([later]);
});

test('works after what the change set was deleted', async () => {
  const [first, second] = await Promise.all(
    ['Spring', 'Summer'].map(
      async (name) => (await server.request('POST', '/api/campaign/add', { body: { name } })).body.id,
    ),
  );
  const id = await newLink({ campaign: first });
  const older = await change(id, { campaign: second });
  await server.request('DELETE', `/api/campaign/${second}/delete`);
  await takeBack(older);
  expect((await detailsOf(id)).campaign).toBe(first);
});
