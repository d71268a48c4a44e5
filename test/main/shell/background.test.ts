import { describe, expect, test, vi } from 'vitest';
import { watchInstance } from '../../../main/instances/watch-instance.ts';
import { addressIn } from '../../../main/shell/address-in.ts';
import { offerAmong, offerOf, waitingOffer } from '../../../main/shell/deep-link.ts';
import { quickShorten } from '../../../main/shell/quick-shorten.ts';
import { recentLinks } from '../../../main/shell/recent-links.ts';
import { startOptionsOf } from '../../../main/shell/start-options.ts';
import { trayTemplate } from '../../../main/shell/tray.ts';
import type { ApiReply, ApiRequest, Unreachable } from '../../../preload/contract.ts';

vi.mock('electron', () => ({ Menu: {}, nativeImage: {}, Tray: {}, Notification: {} }));

const reply = (body: unknown, status = 200): ApiReply => ({ status, headers: {}, body });

describe('an address in a text of a stranger', () => {
  test.each([
    ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
    ['  HTTP://Example.com \n', 'http://example.com/'],
  ])('%j is %s', (text, address) => expect(addressIn(text)).toBe(address));

  test.each([
    '',
    'example.com',
    'javascript:alert(1)',
    'https://',
    'https://a b',
    'https://user:word@x.example',
    `https://x.example/${'a'.repeat(9000)}`,
  ])('%j is none', (text) => expect(addressIn(text)).toBeUndefined());
});

describe('a waypost: address', () => {
  test('asks to shorten an address', () => {
    expect(offerOf('waypost://new?url=https%3A%2F%2Fexample.com%2Fa%3Fb')).toBe('https://example.com/a?b');
    expect(offerAmong(['/usr/bin/waypost', '--hidden', 'waypost://new?url=https://example.com'])).toBe(
      'https://example.com/',
    );
  });

  test.each([
    'waypost://new',
    'waypost://new?url=javascript:alert(1)',
    'waypost://new?url=waypost://new',
    'waypost://delete?url=https://example.com',
    'https://new?url=https://example.com',
    'waypost://new/?url=file:///etc/passwd',
    `waypost://new?url=https://example.com/${'a'.repeat(30_000)}`,
    'nonsense',
  ])('%s asks for nothing', (address) => expect(offerOf(address)).toBeUndefined());

  test('waits for the page, and is taken once', () => {
    let told = 0;
    const offers = waitingOffer();
    offers.onWaiting(() => told++);
    offers.add(undefined);
    expect([told, offers.take()]).toEqual([0, undefined]);
    offers.add('https://example.com/');
    expect([told, offers.take(), offers.take()]).toEqual([1, 'https://example.com/', undefined]);
  });
});

describe('shortening the clipboard', () => {
  function bench(copied: string | undefined, answer: ApiReply | Unreachable) {
    const done = { sent: [] as ApiRequest[], copied: [] as string[], told: [] as string[] };
    const run = quickShorten({
      clipboard: {
        async readText() {
          if (copied === undefined) throw new Error('another program has it open');
          return copied;
        },
        writeText: async (text) => void done.copied.push(text),
      },
      requests: {
        async send(_instance, _id, request) {
          done.sent.push(request);
          return answer;
        },
      },
      instance: () => ({ id: 'work', name: 'Work' }),
      notify: ({ title, body }) => void done.told.push(`${title}: ${body}`),
    });
    return { done, run };
  }

  test('copies the short address', async () => {
    const { done, run } = bench(
      ' https://example.com/long ',
      reply({ error: 0, id: 1, shorturl: 'https://go.example/a' }),
    );
    await run();
    expect(done.sent).toEqual([
      { method: 'POST', path: '/api/url/add', body: { url: 'https://example.com/long' } },
    ]);
    expect(done.copied).toEqual(['https://go.example/a']);
    expect(done.told).toEqual(['Short link copied: https://go.example/a']);
  });

  test('asks for an address when something else is copied, and sends nothing of it', async () => {
    const { done, run } = bench('my secret note', reply({}));
    await run();
    expect([done.sent, done.copied]).toEqual([[], []]);
    expect(done.told).toEqual(['Nothing to shorten: Copy a URL first.']);
  });

  test('says when the clipboard cannot be read, and sends nothing', async () => {
    const { done, run } = bench(undefined, reply({}));
    await run();
    expect([done.sent, done.copied]).toEqual([[], []]);
    expect(done.told.join()).toContain('The clipboard could not be read');
  });

  test('says why there is no link', async () => {
    const refused = bench(
      'https://example.com',
      reply({ error: 1, message: 'Your plan has no links left.' }, 403),
    );
    await refused.run();
    expect(refused.done.told).toEqual(['The link was not created: Your plan has no links left.']);
    const away = bench('https://example.com', {
      unreachable: 'offline',
      message: 'The server cannot be reached.',
    });
    await away.run();
    expect(away.done.told).toEqual(['Work does not answer: The server cannot be reached.']);
  });

  test.each(['javascript:alert(1)', 'rm -rf /', '', 'https://a b'])(
    'never copies %j, whatever a hostile instance answers',
    async (shorturl) => {
      const { done, run } = bench('https://example.com', reply({ error: 0, id: 1, shorturl }));
      await run();
      expect(done.copied).toEqual([]);
    },
  );
});

describe('the tray', () => {
  const actions = { open() {}, newLink() {}, shortenCopied() {}, copy() {}, openMissed() {}, quit() {} };

  test('has the newest links, whose words are neither keys nor endless', () => {
    const recent = [{ shorturl: 'https://go.example/a', title: `A & B\u202e${'x'.repeat(100)}` }];
    const items = trayTemplate({ instance: 'Work', recent, missed: undefined, shortcut: undefined }, actions);
    const label = items.find(({ id }) => id === 'tray-recent-0')?.label ?? '';
    expect(label).toMatch(/^go\.example\/a {2}A && Bx+…$/);
    expect(label.length).toBeLessThanOrEqual(60);
  });

  test('begins with what no notification could say, which is neither keys nor endless', () => {
    const state = { instance: 'Work', recent: [], shortcut: undefined };
    const missed = `The link was not created: Tea & coffee${'x'.repeat(200)}`;
    const [first] = trayTemplate({ ...state, missed }, actions);
    expect(first?.label).toMatch(/^The link was not created: Tea && coffeex+…$/);
    expect(first?.label?.length).toBeLessThanOrEqual(100);
    expect(trayTemplate({ ...state, missed: undefined }, actions)[0]?.id).toBe('tray-open');
  });

  test('shows nothing of an instance that answers nonsense', async () => {
    const at = (body: unknown) => recentLinks({ send: async () => reply(body) }, 'work');
    expect(await at(null)).toEqual([]);
    expect(await at({ data: { urls: [{ shorturl: 'javascript:alert(1)' }] } })).toEqual([]);
    const many = Array.from({ length: 9 }, (_, index) => ({
      shorturl: `https://go.example/${index}`,
      title: null,
    }));
    expect(await at({ data: { urls: many } })).toHaveLength(5);
    expect(
      await recentLinks({ send: async () => ({ unreachable: 'offline', message: '' }) }, 'work'),
    ).toEqual([]);
  });
});

describe('watching an instance', () => {
  test('tells of domains that stop leading here, and of refused sign-ins, but not of what was so before', async () => {
    let tell: (document: unknown) => void = () => {};
    const told: string[] = [];
    const domain = { id: 1, domain: 'https://go.example', dns_status: 1, ssl_status: 0 };
    const audit = [{ id: 5, action: 'session.refused', address: '192.0.2.1', actor: null }];
    watchInstance({
      instanceId: 'local',
      events: {
        follow(_id, listener) {
          tell = listener;
          return () => {};
        },
      },
      requests: {
        send: async (_instance, _id, { path }) =>
          reply({
            data: path.startsWith('/api/domains') ? { domains: [{ ...domain }] } : { audit: [...audit] },
          }),
      },
      notify: ({ title }) => told.push(title),
    });
    const settle = () => new Promise((resolve) => setTimeout(resolve, 10));
    tell({ type: 'hello' });
    await settle();
    expect(told).toEqual([]);

    domain.dns_status = 0;
    tell({ type: 'changed', resource: 'domains', ids: [1] });
    await settle();
    domain.dns_status = 1;
    domain.ssl_status = 1;
    tell({ type: 'changed', resource: 'domains', ids: [1] });
    audit.unshift({ id: 7, action: 'session.refused', address: '192.0.2.9', actor: null });
    // A server may say anything; this is a name of every JavaScript object.
    audit.unshift({ id: 8, action: 'constructor', address: '192.0.2.9', actor: null });
    tell({ type: 'changed', resource: 'audit', ids: [] });
    tell({ type: 'changed', resource: 'audit', ids: [] });
    tell('nonsense');
    await settle();
    expect(told).toEqual([
      'go.example does not lead here any more',
      'go.example leads here again',
      'go.example is served over HTTPS',
      'Failed sign-in',
    ]);
  });
});

describe('what a person who starts the sources says', () => {
  test('is taken from among the options of Electron', () => {
    const args = ['/electron', '.', '--no-sandbox', '--port', '9000', '--inspect=1', '--data=../else where'];
    expect(startOptionsOf(args)).toEqual({ port: 9000, data: '../else where' });
    expect(startOptionsOf(['/electron', '.', '--hidden'])).toEqual({});
  });

  test.each(['0', '65536', 'http', '-1', '80.5'])('is no port when it is %s, and is told so', (port) => {
    expect(() => startOptionsOf([`--port=${port}`])).toThrow('Give a number from 1 to 65535.');
  });
});
