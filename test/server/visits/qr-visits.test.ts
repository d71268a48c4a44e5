import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decoder } from '../../../server/content/qr/decoder.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ uncountedAddresses: ['203.0.113.0/24'], trustedProxies: ['127.0.0.1/32'] });
});
// Each test has a minute's budget of requests of its own.
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const post = async (path: string, body: unknown) => (await server.request('POST', path, { body })).body;
const get = async (path: string) => (await server.request('GET', path)).body;
const add = (body: Record<string, unknown>) =>
  post('/api/qr/add', { type: 'link', data: 'https://example.com/menu', ...body });
const pathOf = (link: string) => new URL(link).pathname;
const scansOf = async (id: number): Promise<number> => (await get(`/api/qr/${id}`)).data.scans;

describe('a scan', () => {
  test('of a URL redirects there and is counted, separately from clicks', async () => {
    const { id, link } = await add({});
    const answer = await visit(server, pathOf(link));
    expect(answer).toMatchObject({ status: 302, location: 'https://example.com/menu' });
    expect(answer.headers['cache-control']).toBe('private, no-store');
    await visit(server, pathOf(link), { agent: 'iphone' });
    const { data } = await get(`/api/qr/${id}`);
    expect(data).toMatchObject({
      scans: 2,
      lastscan: data.date,
      days: [{ date: '2027-01-15', scans: 2 }],
    });
    expect((await get('/api/qr?limit=1')).data.qrs[0]).toMatchObject({ id, scans: 2 });
  });

  test('of a link counts a scan, and a click with the source qr', async () => {
    const link = await post('/api/url/add', { url: 'https://example.com/x', redirect: 301 });
    const qr = await add({ data: { link: link.id } });
    const answer = await visit(server, pathOf(qr.link));
    // The link may be another one tomorrow, so nobody may remember where it led.
    expect([answer.status, answer.location]).toEqual([302, 'https://example.com/x']);
    await visit(server, pathOf(link.shorturl));
    const { data } = await get(`/api/url/${link.id}/stats`);
    const clicksBy = data.dimensions.source.map(({ value, clicks }: Record<string, unknown>) => [
      value,
      clicks,
    ]);
    expect(clicksBy.sort()).toEqual([
      ['link', 1],
      ['qr', 1],
    ]);
    expect(await scansOf(qr.id)).toBe(1);
  });

  test("of a domain's root leads to what the domain shows there, and is counted", async () => {
    const host = `${anotherName('scanned')}.example.com`;
    const domain = addDomain(server, host, 1);
    const { id, link } = await add({ data: `https://${host}` });
    server.databases.main
      .prepare('UPDATE domains SET redirect_root = ? WHERE id = ?')
      .run('https://example.com/front', domain);
    const { location = '' } = await visit(server, pathOf(link));
    expect(location).toBe(`https://${host}/`);
    const front = await visit(server, new URL(location).pathname, {
      headers: { Host: host },
    });
    expect(front.location).toBe('https://example.com/front');
    expect(await scansOf(id)).toBe(1);
    const { code } = await add({ data: `https://${host}/nothing-there` });
    expect(code).toBe('loop');
  });

  test('follows the rules, the limit and the password of its link', async () => {
    const limited = await post('/api/url/add', { url: 'https://example.com/one', clicklimit: 1 });
    const first = await add({ data: { link: limited.id } });
    expect((await visit(server, pathOf(first.link))).status).toBe(302);
    expect((await visit(server, pathOf(first.link))).status).toBe(410);
    const secret = await post('/api/url/add', { url: 'https://example.com/secret', password: 'open sesame' });
    const second = await add({ data: { link: secret.id } });
    expect((await visit(server, pathOf(second.link))).body).toContain('type="password"');
    const opened = await visit(server, pathOf(second.link), { method: 'POST', body: 'password=open+sesame' });
    expect([opened.status, opened.location]).toEqual([303, 'https://example.com/secret']);
  });

  test('is not counted for HEAD, crawlers, previews, excluded addresses and opted-out visitors', async () => {
    const { id, link } = await add({});
    const path = pathOf(link);
    expect((await visit(server, path, { method: 'HEAD' })).location).toBe('https://example.com/menu');
    await visit(server, path, { agent: 'previewBot' });
    await visit(server, `${path}?notrack`);
    await visit(server, path, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    const look = await visit(server, `${path}+`);
    expect([look.status, look.body.includes('https://example.com/menu')]).toEqual([200, true]);
    await visit(server, `${path}.png`);
    expect(await scansOf(id)).toBe(0);
    expect((await visit(server, path, { method: 'POST', body: 'a=b' })).status).toBe(405);
    expect((await visit(server, path, { method: 'DELETE' })).status).toBe(405);
  });

  test('works after the destination was changed, with the same print', async () => {
    const { id, link } = await add({});
    await server.request('PUT', `/api/qr/${id}/update`, { body: { data: 'https://example.com/winter' } });
    expect((await visit(server, pathOf(link))).location).toBe('https://example.com/winter');
  });

  test('leads to an explanation if its link is gone', async () => {
    const link = await post('/api/url/add', { url: 'https://example.com/x' });
    const qr = await add({ data: { link: link.id } });
    await server.request('DELETE', `/api/url/${link.id}/delete`);
    expect((await visit(server, pathOf(qr.link))).status).toBe(410);
  });

  test('is counted for all of many at once', async () => {
    const { id, link } = await add({});
    const answers = await Promise.all(Array.from({ length: 60 }, () => visit(server, pathOf(link))));
    expect(answers.every(({ status }) => status === 302)).toBe(true);
    expect(await scansOf(id)).toBe(60);
  });

  test('does not count for a static code', async () => {
    const { id, link } = await add({ type: 'text', data: 'In the code itself' });
    expect((await visit(server, pathOf(link))).body).toContain('In the code itself');
    expect(await scansOf(id)).toBe(0);
  });
});

describe('the page of a dynamic code', () => {
  const xss = '"><img src=x onerror=alert(1)><script>alert(2)</script>\'';

  test.each([
    ['text', { text: `First\n${xss}` }, ['First']],
    ['phone', { phone: '+49 30 1234' }, ['href="tel:+49301234"']],
    ['sms', { phone: '0123', message: xss }, ['href="sms:0123?body=']],
    ['email', { email: 'us@example.com', subject: xss }, ['href="mailto:us@example.com?subject=']],
    ['wifi', { ssid: `<b>${xss}`.slice(0, 32), password: xss.slice(0, 60) }, ['WPA']],
    ['geo', { latitude: 1.5, longitude: 2.5, label: xss }, ['href="geo:1.5,2.5']],
    ['geo', { latitude: 1e-7, longitude: 0 }, ['href="geo:0.0000001,0"', '0.0000001, 0<']],
    ['vcard', { firstname: xss, website: 'javascript:alert(1)', note: xss }, ['.vcf"']],
    ['event', { title: xss, start: '2027-05-01 10:00', description: xss }, ['.ics"', '2027-05-01 10:00 UTC']],
  ])('of type %s shows its content as text, sandboxed, and counts', async (type, data, parts) => {
    const { id, link } = await add({ type, data, dynamic: true, name: xss });
    const answer = await visit(server, pathOf(link));
    expect(answer.status).toBe(200);
    for (const part of parts) expect(answer.body).toContain(part);
    expect(answer.body).not.toMatch(/<img|<script|<b>|href="javascript/i);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/; sandbox/);
    expect(policy).not.toMatch(/allow-same-origin|allow-scripts/);
    expect(await scansOf(id)).toBe(1);
  });

  test('offers a contact and an event as files', async () => {
    const contact = await add({
      type: 'vcard',
      data: { firstname: 'Ann\r\nX-EVIL:1'.slice(0, 3), note: 'a\nb' },
      dynamic: true,
    });
    const card = await visit(server, `${pathOf(contact.link)}.vcf`);
    expect(card.headers['content-type']).toBe('text/vcard; charset=utf-8');
    expect(card.headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''Ann\.vcf$/);
    expect(card.body).toContain('NOTE:a\\nb\r\n');
    const event = await add({ type: 'event', data: { title: 'Fair', start: '2027-05-01' }, dynamic: true });
    const calendar = await visit(server, `${pathOf(event.link)}.ics`);
    expect(calendar.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(calendar.body).toMatch(/PRODID:.*\r\n[\s\S]*UID:.*\r\nDTSTAMP:\d{8}T\d{6}Z/);
    expect((await visit(server, `${pathOf(event.link)}.vcf`)).status).toBe(404);
  });
});

describe('a rendering', () => {
  test.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['jpeg', 'image/jpeg'],
    ['svg', 'image/svg+xml'],
    ['pdf', 'application/pdf'],
  ])('as %s has its type and an ETag, and runs nothing', async (ending, type) => {
    const { link, id } = await add({
      name: '<script>alert(1)</script>',
      frame: 'bottom',
      caption: '</svg><script>',
    });
    const path = `${pathOf(link)}.${ending}`;
    const answer = await visit(server, path);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'content-security-policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    expect(answer.body).not.toMatch(/<script|onload|<text/i);
    const { etag } = answer.headers;
    const again = await visit(server, path, { headers: { 'If-None-Match': String(etag) } });
    expect([again.status, again.body]).toEqual([304, '']);
    expect((await visit(server, `${path}?size=700`)).headers.etag).not.toBe(etag);
    await server.request('PUT', `/api/qr/${id}/update`, { body: { foreground: '#7C2D12' } });
    expect((await visit(server, path)).headers.etag).not.toBe(etag);
    const head = await visit(server, path, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(300);
  });

  test("is not served for another code's alias", async () => {
    for (const custom of ['menu.jpg', 'menu.JPEG', 'menu.png']) {
      expect(await add({ custom })).toMatchObject({ error: 1, code: 'invalid_alias', field: 'custom' });
    }
    const name = anotherName('menu');
    const { id } = await add({ custom: name });
    // From before a JPEG could be asked for.
    server.databases.main.prepare('UPDATE qr_codes SET alias = ? WHERE id = ?').run(`${name}.jpg`, id);
    expect((await visit(server, `/qr/${name}.jpg`)).location).toBe('https://example.com/menu');
  });

  test.each(['jpg', 'jpeg'])(
    'as %s has a white background, scans, and has the requested print size',
    async (name) => {
      const { id, link } = await add({ background: 'transparent' });
      const answer = await server.request('GET', `/api/qr/${id}/render?format=${name}&size=50mm`);
      const { filename, type, base64 } = answer.body.data;
      expect([filename.split('.').at(-1), type]).toEqual(['jpg', 'image/jpeg']);
      const picture = sharp(Buffer.from(base64, 'base64'));
      const { format, width, density } = await picture.metadata();
      expect([format, width, density]).toEqual(['jpeg', Math.round((50 / 25.4) * 300), 300]);
      const [corner] = (await picture.clone().greyscale().raw().toBuffer()) as Iterable<number>;
      expect(corner).toBeGreaterThan(250);
      const reads = decoder();
      expect(await reads.decode(await picture.png().toBuffer())).toBe(link);
      await reads.close();
    },
  );

  test('has the requested size, within limits', async () => {
    const { link } = await add({});
    const widthOf = async (size: string) => {
      const answer = await fetch(`${link}.png${size}`);
      return (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width;
    };
    expect(await widthOf('')).toBe(600);
    expect(await widthOf('?size=512')).toBe(512);
    expect(await widthOf('?size=999999')).toBe(4096);
    expect(await widthOf('?size=1')).toBe((29 + 8) * 3);
    expect(await widthOf('?size=25.4mm')).toBe(300);
    for (const odd of ['?size=-5', '?size=abc', '?size=1e9', '?size=', '?size=5%00']) {
      expect(await widthOf(odd)).toBe(600);
    }
  });

  test('as PDF has a page of the requested size, and shapes instead of pixels', async () => {
    const { link } = await add({ frame: 'border' });
    const answer = await fetch(`${link}.pdf?size=50mm`);
    const pdf = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    expect(pdf.startsWith('%PDF-1.4')).toBe(true);
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    expect(Number(width)).toBeCloseTo((50 / 25.4) * 72, 2);
    expect(height).toBe(width);
    expect(pdf).not.toContain('/Subtype /Image');
    // Every object is where the table says.
    const rows = [...pdf.matchAll(/^(\d{10}) 00000 n $/gm)];
    expect(rows.length).toBe(4);
    for (const [index, row] of rows.entries()) {
      expect(pdf.slice(Number(row[1])).startsWith(`${index + 1} 0 obj`)).toBe(true);
    }
  });

  test('is also available through the API, for clients that cannot load it by URL', async () => {
    const { id, link } = await add({ name: 'Menu / summer' });
    const { data } = await get(`/api/qr/${id}/render?format=png&size=400`);
    expect(data).toMatchObject({ filename: 'Menu-summer.png', type: 'image/png' });
    const reads = decoder();
    expect(await reads.decode(Buffer.from(data.base64, 'base64'))).toBe(link);
    await reads.close();
    expect((await server.request('GET', `/api/qr/${id}/render?format=gif`)).status).toBe(400);
  });

  test('of a code that does not exist is not found', async () => {
    for (const path of ['/qr/nothing', '/qr/nothing.png', '/qr/', '/qr', '/qr/a/b', '/qr/%2e%2e.png']) {
      expect((await visit(server, path)).status).toBe(404);
    }
  });
});

describe('a code on a branded domain', () => {
  test('has its address there, and works there and on the instance’s address', async () => {
    const custom = anotherName('on-domain');
    const host = `${custom}.example.com`;
    const id = addDomain(server, host, 1);
    addDomain(server, `other.${host}`, 1);
    const qr = await add({ domain: id, custom });
    expect(qr.link).toBe(`https://${host}/qr/${custom}`);
    const on = (name: string) => visit(server, `/qr/${custom}`, { headers: { Host: name } });
    expect((await on(host)).location).toBe('https://example.com/menu');
    expect((await on(`localhost:${server.port}`)).location).toBe('https://example.com/menu');
    expect((await on(`other.${host}`)).status).toBe(404);
  });
});

describe('a plan without', () => {
  test.each([
    ['qrlogo', { logo: 'https://img.example.com/a.png' }],
    ['qrframes', { frame: 'bottom' }],
    ['alias', { custom: 'mine' }],
  ])('%s refuses it before anything else is checked', async (permission, fields) => {
    const free = secondAccount(server, anotherName(`free-${permission}`), 1);
    const body = { type: 'link', data: { link: 99_999 }, ...fields };
    for (const path of ['/api/qr/add', '/api/qr/preview']) {
      const reply = await free.request('POST', path, { body });
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([403, 'plan_required', permission]);
    }
    const plain = await free.request('POST', '/api/qr/add', { body: { type: 'text', data: 'x' } });
    expect(plain.status).toBe(200);
    const update = await free.request('PUT', `/api/qr/${plain.body.id}/update`, { body: fields });
    expect([update.status, update.body.field]).toEqual([403, permission]);
    expect(
      (await free.request('PUT', `/api/qr/${plain.body.id}/update`, { body: { frame: 'none' } })).status,
    ).toBe(200);
  });
});

test('codes are deleted with their account, and their addresses with them', async () => {
  const custom = anotherName('left');
  const other = secondAccount(server, custom);
  const made = await other.request('POST', '/api/qr/add', {
    body: { type: 'text', data: 'x', custom },
  });
  expect((await visit(server, `/qr/${custom}`)).status).toBe(200);
  await server.request('DELETE', `/api/user/${other.id}/delete`);
  expect((await visit(server, `/qr/${custom}`)).status).toBe(404);
  expect(
    server.databases.main.prepare('SELECT count(*) AS left FROM qr_codes WHERE id = ?').get(made.body.id),
  ).toEqual({ left: 0 });
});

test('a scan is in the database before the response', async () => {
  const { id, link } = await add({});
  await visit(server, pathOf(link));
  const row = server.databases.clicks.prepare('SELECT scans FROM qr_codes WHERE id = ?').get(id);
  expect(row).toEqual({ scans: 1 });
});
