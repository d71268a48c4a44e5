import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { type PictureSite, pictureSite } from '../support/picture-site.ts';
import { addDomain, secondAccount } from '../support/second-account.ts';
import { type PlainClient, plainClient } from './plain-client.ts';

let server: TestApp;
let site: PictureSite;
let send: PlainClient;
beforeAll(async () => {
  site = await pictureSite();
  server = await startApp({ ratelimit: 100_000, fetcher: site.fetcher });
  send = plainClient(server.origin, server.key);
});
afterAll(async () => {
  await server.close();
  await site.close();
});

const read = async () => (await send('GET', '/api/account')).body.data;
const update = (body: unknown) => send('PUT', '/api/account/update', body);

/** What a refusal looks like: error is the integer 1, and there is a sentence. */
const refused = (field: string) => ({
  status: 400,
  body: expect.objectContaining({ error: 1, message: expect.stringMatching(/^[A-Z].*[.]$/), field }),
});

async function expectRefusal(body: unknown, field: string) {
  const before = await read();
  const { status, body: answer } = await update(body);
  expect({ status, body: answer }).toEqual(refused(field));
  expect(await read()).toEqual(before);
}

async function expectChange(body: Record<string, unknown>, shown: Record<string, unknown> = body) {
  const reply = await update(body);
  expect([reply.status, reply.body]).toEqual([
    200,
    { error: 0, message: expect.any(String), version: expect.any(Number) },
  ]);
  expect(await read()).toMatchObject(shown);
}

describe('GET /api/account', () => {
  test('returns every field of the Account table with its type', async () => {
    const { status, headers, body } = await send('GET', '/api/account');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(['error', 'data']);
    expect(body.error).toBe(0);
    expect(body.data).toEqual({
      id: 1,
      email: 'anna@example.com',
      username: 'anna',
      name: 'Anna Berg',
      avatar: expect.stringMatching(/^http:\/\//),
      status: 'pro',
      planid: 2,
      expires: null,
      registered: '2027-01-15 12:00:00',
      verified: true,
      active: true,
      timezone: 'UTC',
      perpage: 15,
      newsletter: false,
      brokenlinks_email: false,
      media: false,
      public: false,
      defaulttype: 'direct',
      domain: server.origin,
      has_2fa: false,
      language: '',
      signin_email: true,
      domains_email: true,
      address: {
        name: '',
        company: '',
        type: 'personal',
        taxid: '',
        address: '',
        city: '',
        state: '',
        zip: '',
        country: '',
      },
      permissions: { alias: true, password: true, qrlogo: true, qrframes: true, utmtemplates: true },
      // What follows is ours.
      features: expect.objectContaining({ overlay: { enabled: true, count: -1 }, geo: { enabled: true } }),
      admin: true,
      version: expect.any(Number),
      member: { id: 1, name: 'Anna Berg', role: 'owner', admin: true },
    });
  });

  test('POST /api/account answers like GET', async () => {
    expect((await send('POST', '/api/account')).body).toEqual((await send('GET', '/api/account')).body);
  });

  test('shows the status free and the permissions of the plan on a free account', async () => {
    const free = secondAccount(server, 'freda', 1);
    const { data } = (await plainClient(server.origin, free.key)('GET', '/api/account')).body;
    expect(data).toMatchObject({
      status: 'free',
      planid: 1,
      permissions: { alias: false, password: false, qrlogo: false, qrframes: false, utmtemplates: false },
    });
  });

  test('shows expires as a timestamp in the time zone of the account, and free once it has passed', async () => {
    const other = secondAccount(server, 'expiring');
    const set = (at: number) =>
      server.databases.main
        .prepare("UPDATE users SET plan_expires_at = ?, timezone = 'Asia/Tokyo' WHERE id = ?")
        .run(at, other.id);
    set(Date.UTC(2027, 5, 1, 12));
    const ask = async () => (await plainClient(server.origin, other.key)('GET', '/api/account')).body.data;
    expect(await ask()).toMatchObject({ status: 'pro', expires: '2027-06-01 21:00:00' });
    set(Date.UTC(2026, 5, 1, 12));
    expect(await ask()).toMatchObject({ status: 'free', planid: 1, expires: '2026-06-01 21:00:00' });
  });
});

describe('PUT /api/account/update', () => {
  test('changes only the keys that are sent', async () => {
    const before = await read();
    await expectChange({ name: 'Anna B.' });
    const member = { ...before.member, name: 'Anna B.' };
    const version = before.version + 1;
    expect(await read()).toEqual({ ...before, name: 'Anna B.', member, version });
    await expectChange({});
  });

  test('ignores read-only and unknown keys', async () => {
    const before = await read();
    const sent = { id: 99, status: 'free', planid: 1, has_2fa: true, admin: false, registered: 'x', new: 1 };
    expect((await update(sent)).status).toBe(200);
    expect(await read()).toEqual(before);
  });

  test('changes the email address and refuses a taken one, in any case and composition', async () => {
    secondAccount(server, 'bert');
    await expectChange({ email: 'Anna.New@example.com' });
    await expectRefusal({ email: 'BERT@example.com' }, 'email');
    await expectRefusal({ email: 'no address' }, 'email');
    // One's own in another case is no collision.
    await expectChange({ email: 'anna@example.com' });
  });

  test('changes the user name and refuses one that is taken, in any case and composition', async () => {
    secondAccount(server, 'rené'.normalize('NFC'));
    await expectChange({ username: 'anna.berg' });
    await expectRefusal({ username: 'RENÉ'.normalize('NFD') }, 'username');
    await expectRefusal({ username: 'a b' }, 'username');
    await expectRefusal({ username: '' }, 'username');
    await expectRefusal({ username: '..' }, 'username');
    await expectRefusal({ username: '...' }, 'username');
    await expectChange({ username: 'anna' });
  });

  test('changes the display name', async () => {
    await expectChange({ name: 'Änna 日本' });
    await expectRefusal({ name: 'a\u0007b' }, 'name');
    await expectRefusal({ name: 'x'.repeat(121) }, 'name');
  });

  test('takes a password of 5 characters with the current one, and no shorter', async () => {
    await expectRefusal({ password: '1234', current_password: administrator.password }, 'password');
    await expectChange({ password: '12345', current_password: administrator.password }, {});
    await expectChange({ password: administrator.password, current_password: '12345' }, {});
  });

  test('refuses a new password without the current one', async () => {
    await expectRefusal({ password: 'another one' }, 'current_password');
  });

  test('refuses a new password with the wrong current one', async () => {
    await expectRefusal({ password: 'another one', current_password: 'wrong' }, 'current_password');
  });

  test('accepts only IANA time zone names', async () => {
    await expectChange({ timezone: 'Europe/Berlin' });
    expect((await read()).registered).toBe('2027-01-15 13:00:00');
    for (const timezone of ['UTC+25', 'Etc/../x', '+01:00', 'Mars/Base', '', 'a'.repeat(65)]) {
      await expectRefusal({ timezone }, 'timezone');
    }
    await expectChange({ timezone: 'UTC' });
  });

  test('accepts only 15, 50 or 100 for perpage', async () => {
    for (const perpage of [50, 100, 15]) await expectChange({ perpage });
    for (const perpage of [16, 0, -15, 1.5, '50', null, true]) await expectRefusal({ perpage }, 'perpage');
  });

  test.each(['newsletter', 'brokenlinks_email', 'media', 'public'])(
    'accepts %s as a boolean',
    async (field) => {
      await expectChange({ [field]: true });
      await expectChange({ [field]: false });
      for (const value of ['true', 1, 0, null, []]) await expectRefusal({ [field]: value }, field);
    },
  );

  test('accepts direct, frame and splash for defaulttype', async () => {
    for (const defaulttype of ['frame', 'splash', 'direct']) await expectChange({ defaulttype });
    for (const value of ['iframe', '', 1, null]) await expectRefusal({ defaulttype: value }, 'defaulttype');
  });

  test('accepts a domain of the account as default, by host name or URL, and clears it', async () => {
    addDomain(server, 'go.example.com', 1);
    addDomain(server, 'other.example.com', secondAccount(server, 'owner').id);
    await expectChange({ domain: 'go.example.com' }, { domain: 'https://go.example.com' });
    await expectChange({ domain: '' }, { domain: server.origin });
    await expectChange({ domain: 'https://go.example.com' });
    await expectRefusal({ domain: 'other.example.com' }, 'domain');
    await expectRefusal({ domain: 'unknown.example.com' }, 'domain');
    await expectChange({ domain: server.origin });
  });

  test('silently ignores defaulttype and domain on a free account', async () => {
    const free = plainClient(server.origin, secondAccount(server, 'frank', 1).key);
    const reply = await free('PUT', '/api/account/update', {
      defaulttype: 'splash',
      domain: 'go.example.com',
      name: 'Frank',
    });
    expect([reply.status, reply.body.error]).toEqual([200, 0]);
    const { data } = (await free('GET', '/api/account')).body;
    expect(data).toMatchObject({ defaulttype: 'direct', domain: server.origin, name: 'Frank' });
  });

  test('stores mailerapikey and never returns it', async () => {
    await expectChange({ mailerapikey: 'planted-mailer-key' }, {});
    expect(JSON.stringify((await send('GET', '/api/account')).body)).not.toContain('planted-mailer-key');
    await expectRefusal({ mailerapikey: 5 }, 'mailerapikey');
    await expectChange({ mailerapikey: '' }, {});
  });

  test('merges the address key by key', async () => {
    const address = {
      name: 'Anna',
      company: 'Berg & Co',
      type: 'business',
      taxid: 'DE1',
      address: 'Street 1',
      city: 'Berlin',
      state: 'BE',
      zip: '10115',
      country: 'Germany',
    };
    await expectChange({ address });
    await expectChange({ address: { city: 'Hamburg' } }, { address: { ...address, city: 'Hamburg' } });
  });

  test('accepts personal and business as the address type, and texts for the other fields', async () => {
    await expectChange({ address: { type: 'personal' } });
    await expectRefusal({ address: { type: 'private' } }, 'address.type');
    await expectRefusal({ address: { zip: 10115 } }, 'address.zip');
    await expectRefusal({ address: 'Street 1' }, 'address');
  });

  test.each(['wide.png', 'tall.jpg'])(
    're-encodes a 500x500 picture of %s and serves it itself',
    async (file) => {
      await expectChange({ avatar: `${site.origin}/${file}` }, {});
      const { avatar } = await read();
      expect(avatar).toMatch(new RegExp(`^${server.origin}/`));
      const picture = Buffer.from(await (await fetch(avatar)).arrayBuffer());
      const { default: sharp } = await import('sharp');
      expect(await sharp(picture).metadata()).toMatchObject({ width: 500, height: 500 });
      expect(picture.includes('planted')).toBe(false);
    },
  );

  test('clears the avatar with null; it still has a URL', async () => {
    await expectChange({ avatar: `${site.origin}/wide.png` }, {});
    const { avatar: set } = await read();
    await expectChange({ avatar: null }, {});
    const { avatar } = await read();
    expect(avatar).not.toBe(set);
    expect((await fetch(avatar)).status).toBe(200);
    expect((await fetch(set)).status).toBe(404);
  });

  test('refuses an avatar that is not a PNG or JPEG, is too large, or cannot be fetched', async () => {
    for (const file of ['page.html', 'vector.png', 'huge.png', 'missing.png']) {
      await expectRefusal({ avatar: `${site.origin}/${file}` }, 'avatar');
    }
    for (const avatar of ['http://169.254.169.254/x.png', 'file:///etc/passwd', 'x', '', 7]) {
      await expectRefusal({ avatar }, 'avatar');
    }
  });

  test('names every invalid field', async () => {
    const { status, body } = await update({ email: 5, perpage: '15', name: ['x'], address: [], avatar: {} });
    expect([status, body.error]).toEqual([400, 1]);
    expect(body.errors.map((problem: { field: string }) => problem.field).sort()).toEqual([
      'address',
      'avatar',
      'email',
      'name',
      'perpage',
    ]);
  });
});
