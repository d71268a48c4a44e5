import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../../server/platform/config.ts';
import { letterCatalogue, write } from '../../../server/platform/mail/letters.ts';
import { outboxQueries } from '../../../server/platform/mail/queries.ts';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { selfSigned } from '../../support/certificates.ts';
import { type MailServer, mailServer } from '../../support/mail-server.ts';
import { addressesOtherwise, hasLoosePunctuation } from '../../support/wording.ts';

let folder: string;
let post: MailServer;
let server: TestApp;
/** One for all of them: a mail server that takes the place of another is trusted without a restart of ours. */
const shown = await selfSigned({ names: ['localhost'] });
const newPost = (options: Parameters<typeof mailServer>[0] = {}) => mailServer({ shown, ...options });
async function begin(options?: Parameters<typeof mailServer>[0]): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'waypost-test-'));
  post = await newPost(options);
  server = await start();
}
async function end(): Promise<void> {
  await server.close();
  await post.close();
  rmSync(folder, { recursive: true, force: true });
}
const start = (more: Parameters<typeof startApp>[0] = {}) =>
  startApp({ folder, mailAuthorities: shown.certificate, mailLastMs: 50, ratelimit: 1000, ...more });
const save = (body: object) => server.request('PUT', '/api/mail', { body });
/** With a public URL, without which nothing that lives by its link is mailed. */
async function turnOn() {
  await server.request('PUT', '/api/settings', { body: { baseUrl: 'https://links.example.com' } });
  return save({ mail: post.settings, password: 'letters' });
}
const status = async () => (await server.request('GET', '/api/mail')).body.data;
const invite = (email: string) => server.request('POST', '/api/invite/add', { body: { email } });
const testMessage = () => server.request('POST', '/api/mail/test');
/** Closes the server as a restart does, and begins again on the same data. */
async function restart(): Promise<void> {
  const { clock } = server;
  await server.close();
  server = await start({ clock });
}

describe('the email settings', () => {
  // One server for all of them: none leaves anything in the outbox.
  beforeAll(() => begin());
  afterAll(end);

  test('are optional, and nothing is sent without them', async () => {
    expect((await status()).mail.host).toBeNull();
    const { body } = await invite('bob@example.com');
    expect(body.data.mailed).toBe(false);
    expect(body.message).toMatch(/^Send this link/);
    const refused = await testMessage();
    expect([refused.status, refused.body.code]).toEqual([400, 'mail_off']);
    const methods = await server.request('GET', '/api/auth/methods', { key: null });
    expect(methods.body.data.reset).toBe(false);
  });

  test('send a test message, keep the password secret, and send no link without a public URL', async () => {
    const saved = await save({ mail: post.settings, password: 'letters' });
    expect(saved.body.data).toMatchObject({ haspassword: true, waiting: 0, failure: null });
    const tested = (await testMessage()).body;
    expect(tested.message).toMatch(/accepted a test message to anna@example.com/);
    expect(tested.warnings).toEqual([{ code: 'no_public_url', message: expect.any(String) }]);
    expect((await invite('bob@example.com')).body.data.mailed).toBe(false);
    const { body } = await server.request('GET', '/api/auth/methods', { key: null });
    expect(body.data.reset).toBe(false);
    const forgot = { key: null, body: { login: 'anna' } };
    const refused = await server.request('POST', '/api/auth/password/forgot', forgot);
    expect([refused.status, refused.body.code]).toEqual([403, 'mail_off']);
    await turnOn();
    expect((await testMessage()).body.warnings).toEqual([]);
    expect((await server.request('POST', '/api/auth/password/forgot', forgot)).status).toBe(200);
    expect((await post.next('Reset your password')).link).toMatch(
      /^https:\/\/links\.example\.com\/admin\/reset#/,
    );
    const mail = await post.next('Your email settings work');
    expect(mail.to).toEqual(['anna@example.com']);
    expect(mail.from).toBe('links@example.com');
    expect(mail.header('auto-submitted')).toBe('auto-generated');
    expect(JSON.stringify((await status()) as object)).not.toContain('letters');
    const stored = server.databases.main.prepare('SELECT group_concat(value) FROM settings').pluck().get();
    expect(stored).not.toContain('letters');
    await restart();
    expect((await testMessage()).status).toBe(200);
  });

  test('require a sender, and encryption outside the local network', async () => {
    const noSender = await save({ mail: { ...post.settings, from: null } });
    expect([noSender.status, noSender.body.errors?.[0]?.field ?? noSender.body.field]).toEqual([
      400,
      'mail.from',
    ]);
    const plain = await save({ mail: { ...post.settings, host: '8.8.8.8', security: 'none' } });
    expect([plain.status, plain.body.code]).toEqual([400, 'mail_plain']);
    expect((await save({ mail: { ...post.settings, port: 0 } })).status).toBe(400);
  });

  test('may be without encryption on this machine', async () => {
    await post.close();
    post = await newPost({ disabledCommands: ['STARTTLS', 'AUTH'] });
    await save({ mail: { ...post.settings, security: 'none', user: null } });
    expect((await testMessage()).status).toBe(200);
    await post.next('Your email settings work');
  });

  test('can be set at startup, the password only together with its server', async () => {
    await post.close();
    post = await newPost();
    await server.close();
    server = await start({ settings: { mail: post.settings }, mailPassword: 'letters' });
    expect((await status()).fixed).toEqual([
      'mail.from',
      'mail.host',
      'mail.port',
      'mail.security',
      'mail.user',
      'mail.password',
    ]);
    expect((await testMessage()).status).toBe(200);
    expect((await save({ password: 'other' })).body.code).toBe('setting_fixed');
    const given = { WAYPOST_MAIL_PASSWORD: 'x' };
    expect(() => readConfig([], given)).toThrow(/--mail-host/);
    expect(readConfig(['--mail-host', 'smtp.example.com'], given).mailPassword).toBe('x');
  });
});

describe("a mail server's refusal is reported in a sentence with its own words", () => {
  beforeAll(() => begin());
  afterAll(end);
  const tried = async (change: object, password = 'letters') => {
    await save({ mail: { ...post.settings, ...change }, password });
    const { body } = await testMessage();
    const { host, port, from } = { ...post.settings, ...change };
    expect(body.data).toMatchObject({ server: `${host}:${port}`, host, from, words: expect.any(String) });
    expect(body.message).toContain(body.data.words);
    return [body.code, body.message] as [string, string];
  };

  test('a wrong password, a sender, a recipient', async () => {
    const [code, message] = await tried({}, 'wrong');
    expect(code).toBe('mail_auth');
    expect(message).toContain('no such user');
    await post.close();
    post = await newPost({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: ({ address }, _session, callback) =>
        callback(
          address.startsWith('links')
            ? Object.assign(new Error('not from you'), { responseCode: 553 })
            : null,
        ),
      onRcptTo: (_address, _session, callback) =>
        callback(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
    });
    const plain = { port: post.settings.port, security: 'none', user: null };
    expect(await tried(plain)).toEqual(['mail_sender', expect.stringContaining('not from you')]);
    expect(await tried({ ...plain, from: 'other@example.com' })).toEqual([
      'mail_recipient',
      expect.stringContaining('no such mailbox'),
    ]);
  });

  test('no server, and an unknown certificate', async () => {
    const { port } = post.settings;
    await post.close();
    expect((await tried({ port }))[0]).toBe('mail_unreachable');
    post = await mailServer();
    // Made anew: another certificate than the one that is trusted.
    expect((await tried({ port: post.settings.port }))[0]).toBe('mail_tls');
  });
});

test('a mail server without STARTTLS is distinguished from settings without encryption, which are `mail_plain`', async () => {
  await begin({ disabledCommands: ['STARTTLS'] });
  await save({ mail: post.settings, password: 'letters' });
  const { body } = await testMessage();
  await end();
  const { host, port } = post.settings;
  expect(body).toMatchObject({ code: 'mail_no_starttls', field: 'mail.security', data: { host } });
  expect(body.message).toContain(`${host}:${port} offers no STARTTLS`);
});

describe('the outbox', () => {
  afterEach(end);

  test('keeps messages while the server is away, over a restart, and sends each once', async () => {
    await begin();
    await turnOn();
    const { port } = post.settings;
    await post.close();
    expect((await invite('bob@example.com')).body.data.mailed).toBe(true);
    await expect.poll(async () => (await status()).failure?.message).toMatch(/could not be reached/);
    // What a page needs to say it in its own language.
    expect((await status()).failure).toMatchObject({
      code: 'mail_unreachable',
      data: { server: `${post.settings.host}:${port}` },
    });
    expect((await status()).waiting).toBe(1);
    const log = server.logLines().join('');
    expect(log).toContain('the mail server rejects email');
    expect(log).not.toContain('bob@example.com');
    post = await newPost({ port });
    await server.close();
    server = await start();
    server.app.startJobs();
    await server.request('PUT', '/api/mail', { body: {} });
    const mail = await post.next('You’re invited');
    expect(mail.to).toEqual(['bob@example.com']);
    await vi.waitFor(async () => expect((await status()).waiting).toBe(0), { timeout: 10_000 });
    expect(post.received).toEqual([]);
  });

  test('retries deferred messages, with the same id, and drops rejected ones', async () => {
    let answers = 0;
    const ids: string[] = [];
    await begin({
      onRcptTo: ({ address }, _session, callback) => {
        answers += 1;
        const code = address.startsWith('never') ? 550 : 450;
        callback(answers > 2 ? null : Object.assign(new Error(`not ${address}`), { responseCode: code }));
      },
    });
    await turnOn();
    await invite('later@example.com');
    const attempts = () => server.databases.main.prepare('SELECT attempts, message_id FROM outbox').get();
    await vi.waitFor(() => expect(attempts()).toMatchObject({ attempts: 1 }), { timeout: 10_000 });
    ids.push((attempts() as { message_id: string }).message_id);
    await invite('never@example.com');
    await vi.waitFor(() => expect(server.logLines().join('')).toContain('refused it for good'), {
      timeout: 10_000,
    });
    expect(server.logLines().join('')).not.toMatch(/(later|never)@example/);
    server.clock.advance(60_000);
    await save({});
    const mail = await post.next('You’re invited');
    expect(mail.header('message-id')).toBe(ids[0]);
    await expect.poll(async () => (await status()).waiting).toBe(0);
  });

  test('lets accounts take turns', async () => {
    await begin();
    await turnOn();
    const { port } = post.settings;
    await post.close();
    await invite('bob@example.com');
    for (let count = 0; count < 20; count += 1) await invite(`guest${count}@example.com`);
    const other = { party: 'account 99', sealed: '', messageId: '<x@localhost>', at: server.clock.now() };
    outboxQueries(server.databases.main).insert(other);
    const order = server.databases.main.prepare('SELECT party FROM outbox ORDER BY turn, id').pluck().all();
    expect(order.indexOf('account 99')).toBeLessThan(2);
    post = await newPost({ port });
  });

  test('drops messages that could not be sent for a day, and says so', async () => {
    await begin();
    await turnOn();
    await post.close();
    await invite('bob@example.com');
    server.clock.advance(25 * 3_600_000);
    server.app.startJobs();
    await vi.waitFor(() => expect(server.logLines().join('')).toContain('could not be sent for a day'), {
      timeout: 10_000,
    });
    await expect.poll(async () => (await status()).waiting).toBe(0);
    post = await newPost();
  });

  test("keeps messages beyond an address's limit until there is room", async () => {
    await begin();
    await turnOn();
    const { port } = post.settings;
    await post.close();
    for (let count = 0; count < 8; count += 1)
      expect((await invite('bob@example.com')).body.data.mailed).toBe(true);
    post = await newPost({ port });
    await restart();
    const due = 'SELECT count(*) FROM outbox WHERE next_at <= ?';
    const state = async () => ({
      due: server.databases.main.prepare(due).pluck().get(server.clock.now()),
      all: post.received.length + (await status()).waiting,
    });
    await save({});
    await expect.poll(state).toEqual({ due: 0, all: 8 });
    // Two are under way at once, and neither takes the place of the other.
    expect(post.received).toHaveLength(5);
    server.clock.advance(3_600_000);
    await save({});
    await expect.poll(async () => [post.received.length, (await status()).waiting]).toEqual([8, 0]);
  });

  test('keeps the email about a sign-in, which is sent once', async () => {
    await begin();
    await turnOn();
    const signIn = (device: string) =>
      server.request('POST', '/api/auth/login', {
        key: null,
        body: { login: administrator.username, password: administrator.password, device },
      });
    const devices = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const told = () => devices.filter((device) => post.received.some(({ text }) => text.includes(device)));
    for (const [index, device] of devices.entries()) {
      expect((await signIn(device)).status).toBe(200);
      await expect.poll(async () => (await status()).waiting).toBe(index < 5 ? 0 : 1);
    }
    expect(told()).toEqual(devices.slice(0, 5));
    server.clock.advance(3_600_000);
    await save({});
    await expect.poll(told).toEqual(devices);
  });

  test('stops with the server in time, whatever a mail server does', async () => {
    let isAsked = false;
    await begin({
      // Never answers.
      onMailFrom: () => {
        isAsked = true;
      },
    });
    await turnOn();
    await invite('bob@example.com');
    await vi.waitFor(() => expect(isAsked).toBe(true), { timeout: 10_000 });
    await restart();
    expect((await status()).waiting).toBe(1);
  });
});

describe('messages', () => {
  test('have no button without a target', () => {
    const values = { username: 'anna', device: 'd', place: 'p', time: 't' };
    const letter = { kind: 'newSignIn' as const, values, languages: [] };
    const url = 'https://x.test/admin/settings/security';
    expect(write({ ...letter, url }, 'x.test').text).toContain(`Check your sessions: ${url}`);
    const { text, html } = write({ ...letter, url: undefined }, 'localhost');
    expect(text + html).not.toMatch(/Check your sessions|href|http/);
  });

  test('say the same as text and as HTML, in each language, with every placeholder filled in', () => {
    const names = (texts: object) => [...JSON.stringify(texts).matchAll(/\{[a-z]+\}/g)].map(String).sort();
    const { en } = letterCatalogue;
    for (const [tag, texts] of Object.entries(letterCatalogue)) {
      for (const kind of Object.keys(texts) as (keyof typeof texts)[]) {
        if (typeof texts[kind] === 'string') continue;
        expect([tag, kind, new Set(names(texts[kind] as object))]).toEqual([
          tag,
          kind,
          new Set(names(en?.[kind] as object)),
        ]);
      }
    }
    const letter = write(
      {
        kind: 'teamInvitation',
        values: { by: 'A <b>', team: 'T&\r\nBcc: x', until: 'u' },
        url: 'https://x.test/admin/join#c',
        languages: ['ar'],
      },
      'go.example.com',
    );
    expect(letter.html).toContain('dir="rtl"');
    expect(letter.html).toContain('A &lt;b&gt;');
    expect(letter.subject).not.toMatch(/[\r\n{}]/);
    expect(letter.text).toContain('https://x.test/admin/join#c');
  });

  test.each([
    ['en', 'January 2, 2027 at 2:30 PM (Europe/Berlin)', 'January 2, 2027'],
    ['de', '2. Januar 2027 um 14:30 (Europe/Berlin)', '2. Januar 2027'],
    ['fr', '2 janvier 2027 à 14:30 (Europe/Berlin)', '2 janvier 2027'],
    ['es', '2 de enero de 2027 a las 14:30 (Europe/Berlin)', '2 de enero de 2027'],
    ['pt', '2 de janeiro de 2027 às 14:30 (Europe/Berlin)', '2 de janeiro de 2027'],
    ['ar', '2 يناير 2027 في 2:30 م (Europe/Berlin)', '2 يناير 2027'],
  ])('write times as %s does, and each of several things on its line', (language, time, day) => {
    const at = Date.UTC(2027, 0, 2, 13, 30);
    const invitation = {
      kind: 'invitation' as const,
      values: { by: 'Anna', until: { at, timezone: 'Europe/Berlin' } },
      languages: [language],
    };
    const warning = {
      kind: 'certificateFailed' as const,
      values: { domain: 'go.example.com', until: { at } },
      languages: [language],
    };
    const list = {
      kind: 'brokenLinks' as const,
      values: { links: ['https://a.example.com', 'https://b.example.com'] },
      languages: [language],
    };
    const spaced = (text: string) => text.replace(/\s/gu, ' ');
    expect(spaced(write(invitation, 'go.example.com').text)).toContain(time);
    expect(spaced(write(warning, 'go.example.com').text)).toContain(day);
    expect(write(list, 'go.example.com').text).toContain('https://a.example.com\nhttps://b.example.com');
  });

  test('address their reader in one way, with the punctuation of French on the line of its word', () => {
    for (const [tag, texts] of Object.entries(letterCatalogue)) {
      const words = JSON.stringify(texts);
      expect([tag, addressesOtherwise(tag, words)]).toEqual([tag, false]);
      if (tag === 'fr')
        expect(Object.values(texts).some((text) => hasLoosePunctuation(JSON.stringify(text)))).toBe(false);
    }
  });

  test("are sent in the inviting person's language", async () => {
    await begin();
    await turnOn();
    await server.request('POST', '/api/invite/add', {
      body: { email: 'bob@example.com' },
      headers: { 'accept-language': 'de-AT,en;q=0.5' },
    });
    const mail = await post.next('Einladung zu links.example.com');
    const code = mail.link.split('#')[1] as string;
    const body = { code, email: 'bob@example.com', username: 'bob', password: 'long enough' };
    expect((await server.request('POST', '/api/auth/register', { key: null, body })).status).toBe(200);
    await end();
  });
});
