import { expect, test } from 'vitest';
import { addLink } from '../../../server/contract/links.ts';
import { getLinkStats } from '../../../server/contract/stats.ts';
import { startApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

test('a rule can treat visitors who return the same day differently from new ones, without a cookie', async () => {
  const server = await startApp({ trustedProxies: ['127.0.0.1'] });
  try {
    const [first, again] = ['https://example.com/first', 'https://example.com/again'];
    const conditions = [{ type: 'returning' as const, op: 'is' as const, value: true }];
    const body = { url: first, custom: 'back', rules: [{ conditions, link: again }] };
    const { id } = await server.call(addLink, { body });
    const from = (address: string) => visit(server, '/back', { headers: { 'X-Forwarded-For': address } });
    const answer = await from('203.0.113.7');
    expect([answer.location, answer.headers['set-cookie']]).toEqual([first, undefined]);
    // Counted by now, as a second later.
    await server.call(getLinkStats, { params: { id }, query: {} });
    expect((await from('203.0.113.7')).location).toBe(again);
    expect((await from('203.0.113.8')).location).toBe(first);
    server.clock.advance(86_400_000);
    expect((await from('203.0.113.7')).location).toBe(first);
  } finally {
    await server.close();
  }
});
