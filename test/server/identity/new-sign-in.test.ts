import { beforeEach, expect, test } from 'vitest';
import { newSignInMail } from '../../../server/identity/sessions/new-sign-in.ts';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { mailLimits } from '../../../server/platform/mail/limits.ts';
import { outboxQueries } from '../../../server/platform/mail/queries.ts';

let at: number;
let told: string[];
let canPost: boolean;
let signIn: (address: string, device?: string, userId?: number) => void;
beforeEach(() => {
  [at, told, canPost] = [0, [], true];
  const { onceADay } = mailLimits(outboxQueries(openInMemory(migrations)), () => at);
  const tell = newSignInMail({
    mail: {
      linkTo: () => undefined,
      writeWith: () => (data) => void told.push((data as { address: string }).address),
      postOnceADay: (what, post) =>
        onceADay(what, () => {
          if (canPost) post();
          return canPost;
        }),
    },
    users: { find: () => undefined },
    countryOf: (address) => (address.startsWith('192.') ? 'DE' : address.startsWith('198.') ? 'US' : ''),
  });
  signIn = (address, device = 'Firefox on Linux', userId = 1) => tell({ userId, device, address, at });
});

test('a sign-in whose email could not be sent is reported at the next sign-in from there', () => {
  canPost = false;
  signIn('192.0.2.1');
  canPost = true;
  signIn('192.0.2.2');
  signIn('192.0.2.3');
  expect(told).toEqual(['192.0.2.2']);
});

test('people who change networks are told about a device once a day, and about each in another country', () => {
  for (const address of ['192.0.2.1', '192.0.2.2', '198.51.100.1', '203.0.113.1', '203.0.113.2'])
    signIn(address);
  signIn('192.0.2.3', 'Safari on iOS');
  signIn('192.0.2.4', 'Firefox on Linux', 2);
  // Where the country is not known, each network is a place of its own.
  const places = ['192.0.2.1', '198.51.100.1', '203.0.113.1', '203.0.113.2', '192.0.2.3', '192.0.2.4'];
  expect(told).toEqual(places);
  at += 25 * 3_600_000;
  signIn('192.0.2.5');
  expect(told).toEqual([...places, '192.0.2.5']);
});
