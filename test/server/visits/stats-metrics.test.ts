import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addLink, deleteLink, getLink } from '../../../server/contract/links.ts';
import { getLinkStats, getStats, listClicks, listLinkClicks } from '../../../server/contract/stats.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1'] });
});
afterEach(() => server.close());

async function makeLink(custom: string) {
  return (await server.call(addLink, { body: { url: `https://example.com/${custom}`, custom } })).id;
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
const linkStats = async (id: number, query = {}) =>
  (await server.call(getLinkStats, { params: { id }, query })).data;

describe('statistics of a link', () => {
  test('count clicks, and every visitor once a day', async () => {
    const id = await makeLink('counted');
    await visit(server, '/counted', from('8.8.8.8'));
    await visit(server, '/counted', from('8.8.8.8'));
    await visit(server, '/counted', from('217.160.0.1'));
    expect(await linkStats(id)).toMatchObject({
      clicks: 3,
      uniqueclicks: 2,
      bots: 0,
      previous: { clicks: 0, uniqueclicks: 0 },
    });
    server.clock.advance(86_400_000);
    await visit(server, '/counted', from('8.8.8.8'));
    expect(await linkStats(id)).toMatchObject({ clicks: 4, uniqueclicks: 3 });
    const { details, data } = await server.call(getLink, { params: { id } });
    expect(details).toMatchObject({ clicks: 4, uniqueclicks: 3 });
    expect(data).toMatchObject({
      clicks: 4,
      uniqueClicks: 3,
      topCountries: { US: 3, DE: 1 },
      topBrowsers: { Chrome: 4 },
      topOs: { Windows: 4 },
    });
  });

  test('exclude bots unless requested', async () => {
    const id = await makeLink('crawled');
    await visit(server, '/crawled');
    await visit(server, '/crawled', { agent: 'previewBot' });
    expect(await linkStats(id)).toMatchObject({ clicks: 1, bots: 1 });
    expect(await linkStats(id, { bots: '1' })).toMatchObject({ clicks: 2, bots: 1 });
  });

  test('have a series without gaps in the account’s time zone', async () => {
    const id = await makeLink('zoned');
    server.databases.main.prepare("UPDATE users SET timezone = 'America/New_York' WHERE id = 1").run();
    // 2027-01-16 03:00 UTC is still the 15th in New York.
    server.clock.advance(15 * 3_600_000);
    await visit(server, '/zoned');
    const { series, interval, from: start, to } = await linkStats(id, { period: '7d' });
    expect({ interval, start, to }).toEqual({
      interval: 'day',
      start: '2027-01-09 00:00:00',
      to: '2027-01-15 23:59:59',
    });
    expect(series).toHaveLength(7);
    expect(series.at(-1)).toEqual({ at: '2027-01-15 00:00:00', clicks: 1, uniqueclicks: 1 });
    expect(series.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(1);
    const hours = await linkStats(id, { period: '24h' });
    expect(hours.series.at(-1)).toEqual({ at: '2027-01-15 22:00:00', clicks: 1, uniqueclicks: 1 });
    expect((await linkStats(id, { from: '2027-01-16', to: '2027-01-16' })).clicks).toBe(0);
  });

  test('compare with the previous period', async () => {
    const id = await makeLink('compared');
    await visit(server, '/compared', from('8.8.8.8'));
    server.clock.advance(8 * 86_400_000);
    await visit(server, '/compared', from('8.8.8.8'));
    await visit(server, '/compared', from('8.8.4.4'));
    expect(await linkStats(id, { period: '7d' })).toMatchObject({
      clicks: 2,
      previous: { clicks: 1, uniqueclicks: 1 },
    });
    expect(await linkStats(id, { period: 'all' })).toMatchObject({ clicks: 3, previous: null });
  });

  test('list the values of each dimension, unknown ones as an empty text', async () => {
    const id = await makeLink('divided');
    await visit(server, '/divided', {
      headers: { 'X-Forwarded-For': '217.160.0.1', Referer: 'https://news.example/' },
    });
    await visit(server, '/divided', from('10.0.0.1'));
    await visit(server, '/divided', { ...from('10.0.0.2'), agent: 'iphone' });
    const { dimensions } = await linkStats(id);
    expect(dimensions.country).toEqual([
      { value: '', clicks: 2, uniqueclicks: 2 },
      { value: 'DE', clicks: 1, uniqueclicks: 1 },
    ]);
    expect(dimensions.referrer).toEqual([
      { value: '', clicks: 2, uniqueclicks: 2 },
      { value: 'news.example', clicks: 1, uniqueclicks: 1 },
    ]);
    expect(dimensions.device?.map(({ value, clicks }) => [value, clicks])).toEqual([
      ['Desktop', 2],
      ['Mobile', 1],
    ]);
    expect(dimensions.source).toEqual([{ value: 'link', clicks: 3, uniqueclicks: 3 }]);
  });

  test('are only for the owner, and refuse an invalid period', async () => {
    await expect(linkStats(4711)).rejects.toMatchObject({ status: 404 });
    const id = await makeLink('refusing');
    await expect(linkStats(id, { from: '2027-02-30' })).rejects.toMatchObject({ status: 400, field: 'from' });
    await expect(linkStats(id, { from: '2027-02-02', to: '2027-02-01' })).rejects.toMatchObject({
      status: 400,
      field: 'to',
    });
    await server.call(deleteLink, { params: { id } });
    await expect(linkStats(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('statistics of an account', () => {
  test('sum up its links and list the most visited', async () => {
    const often = await makeLink('often');
    await makeLink('never');
    const once = await makeLink('once');
    for (let index = 0; index < 3; index += 1) await visit(server, '/often', from('8.8.8.8'));
    await visit(server, '/once', from('8.8.8.8'));
    const { data } = await server.call(getStats, { query: {} });
    // One visitor of two links is one visitor of the account.
    expect(data).toMatchObject({ clicks: 4, uniqueclicks: 1, links: 3, activelinks: 3 });
    expect(data.toplinks.map(({ id, clicks }) => [id, clicks])).toEqual([
      [often, 3],
      [once, 1],
    ]);
  });

  test('keep the clicks of a link in the trash, but do not list it', async () => {
    const id = await makeLink('gone');
    await visit(server, '/gone');
    await server.call(deleteLink, { params: { id } });
    const { data } = await server.call(getStats, { query: {} });
    expect(data).toMatchObject({ clicks: 1, links: 0, toplinks: [] });
  });
});

describe('the click log', () => {
  test('is listed in pages, newest first', async () => {
    const first = await makeLink('first');
    const second = await makeLink('second');
    for (const path of ['/first', '/second', '/first']) await visit(server, path);
    await visit(server, '/first', { agent: 'previewBot' });
    const all = await server.call(listClicks, { query: { limit: 2 } });
    expect(all.data).toMatchObject({ result: 3, perpage: 2, currentpage: 1, nextpage: 2, maxpage: 2 });
    expect(all.data.clicks.map(({ link }) => link)).toEqual([first, second]);
    expect((await server.call(listClicks, { query: { limit: 2, page: 2 } })).data.clicks).toHaveLength(1);
    expect((await server.call(listClicks, { query: { limit: 2, page: 3 } })).data).toMatchObject({
      clicks: [],
      nextpage: null,
    });
    expect((await server.call(listClicks, { query: { bots: '1' } })).data.result).toBe(4);
    const ofLink = await server.call(listLinkClicks, { params: { id: first }, query: { bots: '1' } });
    expect(ofLink.data.clicks.map(({ bot }) => bot)).toEqual([true, false, false]);
  });
});
