import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { type PictureNetwork, pictureNetwork } from '../support/picture-network.ts';
import { secondAccount } from '../support/second-account.ts';

let server: TestApp;
let network: PictureNetwork;
beforeAll(async () => {
  network = await pictureNetwork();
  server = await startApp(network);
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body: unknown) => server.request('POST', path, { body });
const put = (path: string, body: unknown) => server.request('PUT', path, { body });
const remove = (path: string) => server.request('DELETE', path);
const add = async (body: Record<string, unknown>) =>
  (await post('/api/qr/add', { type: 'text', data: 'Hello', ...body })).body;
const details = async (id: number) => (await get(`/api/qr/${id}`)).body.data;

const contents: [string, unknown, Record<string, unknown>, string][] = [
  ['text', 'Hello, world', { text: 'Hello, world' }, 'Hello, world'],
  ['phone', '+49 (30) 123-45', { phone: '+49 (30) 123-45' }, 'tel:+493012345'],
  ['sms', { phone: '0123', message: 'Hi: you' }, { phone: '0123', message: 'Hi: you' }, 'SMSTO:0123:Hi: you'],
  ['email', 'us@example.com', { email: 'us@example.com' }, 'mailto:us@example.com'],
  [
    'email',
    { email: 'us@example.com', subject: 'A & B', message: 'Line 1\nLine 2' },
    { email: 'us@example.com', subject: 'A & B', message: 'Line 1\nLine 2' },
    'mailto:us@example.com?subject=A%20%26%20B&body=Line%201%0D%0ALine%202',
  ],
  [
    'wifi',
    { ssid: 'My;Net', password: 'a"b:c,d\\e' },
    { ssid: 'My;Net', password: 'a"b:c,d\\e', encryption: 'WPA', hidden: false },
    'WIFI:T:WPA;S:My\\;Net;P:a\\"b\\:c\\,d\\\\e;;',
  ],
  [
    'wifi',
    { ssid: 'Old', password: '12345', encryption: 'WEP' },
    { ssid: 'Old', password: '12345', encryption: 'WEP', hidden: false },
    'WIFI:T:WEP;S:Old;P:12345;;',
  ],
  [
    'wifi',
    { ssid: 'Guests', encryption: 'nopass', hidden: true },
    { ssid: 'Guests', encryption: 'nopass', hidden: true },
    'WIFI:T:nopass;S:Guests;H:true;;',
  ],
  [
    'wifi',
    { ssid: 'Old', password: '12345', encryption: 'wep' },
    { ssid: 'Old', password: '12345', encryption: 'WEP', hidden: false },
    'WIFI:T:WEP;S:Old;P:12345;;',
  ],
  [
    'wifi',
    { ssid: 'Guests', encryption: 'NOPASS' },
    { ssid: 'Guests', encryption: 'nopass', hidden: false },
    'WIFI:T:nopass;S:Guests;;',
  ],
  ['geo', '52.5163, 13.3777', { latitude: 52.5163, longitude: 13.3777 }, 'geo:52.5163,13.3777'],
  [
    'geo',
    { latitude: -33.5, longitude: 151, label: 'The bay' },
    { latitude: -33.5, longitude: 151, label: 'The bay' },
    'geo:-33.5,151?q=-33.5,151(The%20bay)',
  ],
  [
    'geo',
    { latitude: 1e-7, longitude: -2.5e-9, label: 'Null Island' },
    { latitude: 1e-7, longitude: -2.5e-9, label: 'Null Island' },
    'geo:0.0000001,-0.0000000025?q=0.0000001,-0.0000000025(Null%20Island)',
  ],
  ['geo', { latitude: -1e-30, longitude: 100 }, { latitude: -1e-30, longitude: 100 }, 'geo:0,100'],
  [
    'vcard',
    { firstname: 'Ann', lastname: 'Lee; Jr', organization: 'A, B', email: 'ann@example.com', city: 'Rome' },
    { firstname: 'Ann', lastname: 'Lee; Jr', organization: 'A, B', email: 'ann@example.com', city: 'Rome' },
    [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Lee\\; Jr;Ann;;;',
      'FN:Ann Lee\\; Jr',
      'ORG:A\\, B',
      'EMAIL:ann@example.com',
      'ADR;TYPE=WORK:;;;Rome;;;',
      'END:VCARD',
    ].join('\r\n'),
  ],
  [
    'event',
    { title: 'Fair', start: '2027-05-01 10:00', end: '2027-05-01 18:30:00', location: 'Hall 3' },
    { title: 'Fair', start: '2027-05-01 10:00:00', end: '2027-05-01 18:30:00', location: 'Hall 3' },
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'SUMMARY:Fair',
      'DTSTART:20270501T100000Z',
      'DTEND:20270501T183000Z',
      'LOCATION:Hall 3',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
  ],
  [
    'event',
    { title: 'Week', start: '2027-05-03', end: '2027-05-07' },
    { title: 'Week', start: '2027-05-03', end: '2027-05-07' },
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'SUMMARY:Week',
      'DTSTART;VALUE=DATE:20270503',
      'DTEND;VALUE=DATE:20270508',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
  ],
];

describe('a QR code', () => {
  test('of a URL is dynamic: it contains its own short URL', async () => {
    const made = await post('/api/qr/add', { type: 'link', data: 'https://example.com/menu' });
    expect([made.status, made.body]).toEqual([
      200,
      {
        error: 0,
        id: expect.any(Number),
        link: expect.stringMatching(new RegExp(`^${server.origin}/qr/[\\w]{6}$`)),
        message: 'The QR code was created.',
        warnings: [],
      },
    ]);
    expect(await details(made.body.id)).toMatchObject({
      id: made.body.id,
      link: made.body.link,
      scans: 0,
      name: 'example.com/menu',
      date: expect.stringMatching(/^2027-01-15 12:\d\d:00$/),
      type: 'link',
      dynamic: true,
      target: 'https://example.com/menu',
      revision: 1,
      alias: made.body.link.slice(-6),
      domain: server.origin,
      data: { url: 'https://example.com/menu', link: null },
      encoded: made.body.link,
      lastscan: null,
      days: [],
      foreground: '#000000',
      background: '#FFFFFF',
      gradient: null,
      modules: 'square',
      eyes: 'square',
      pupils: 'square',
      eyecolor: null,
      pupilcolor: null,
      logo: null,
      logosize: 22,
      frame: 'none',
      caption: null,
      framecolor: null,
      captioncolor: null,
      correction: 'auto',
      margin: 4,
    });
  });

  test.each(contents)(
    'of type %s with %j stores its content and contains it directly',
    async (type, data, kept, encoded) => {
      const { id } = await add({ type, data });
      expect(await details(id)).toMatchObject({ type, data: kept, encoded, dynamic: false });
    },
  );

  test('of any content can be dynamic, and a URL can be static', async () => {
    const { id, link } = await add({ type: 'text', data: 'Later', dynamic: true });
    expect(await details(id)).toMatchObject({ dynamic: true, encoded: link });
    const other = await add({ type: 'link', data: 'https://example.com/a', dynamic: false });
    expect(await details(other.id)).toMatchObject({ dynamic: false, encoded: 'https://example.com/a' });
  });

  test("reads an event's times in the account's time zone", async () => {
    await put('/api/account/update', { timezone: 'Europe/Berlin' });
    const { id } = await add({ type: 'event', data: { title: 'T', start: '2027-07-01 10:00' } });
    expect(await details(id)).toMatchObject({
      data: { start: '2027-07-01 10:00:00' },
      encoded: expect.stringContaining('DTSTART:20270701T080000Z'),
    });
    await put('/api/account/update', { timezone: 'UTC' });
    expect((await details(id)).data.start).toBe('2027-07-01 08:00:00');
  });

  test('accepts colors in the notation of other installations', async () => {
    const { id } = await add({ foreground: 'rgb(10, 20, 30)', background: '#fff' });
    expect(await details(id)).toMatchObject({ foreground: '#0A141E', background: '#FFFFFF' });
  });

  test('can lead to a link of the account, by id or short URL', async () => {
    const link = (await post('/api/url/add', { url: 'https://example.com/x', title: 'The menu' })).body;
    for (const data of [{ link: link.id }, link.shorturl]) {
      const { id } = await add({ type: 'link', data });
      expect(await details(id)).toMatchObject({
        name: 'The menu',
        target: link.shorturl,
        data: { url: link.shorturl, link: link.id },
        dynamic: true,
      });
    }
    const fixed = await add({ type: 'link', data: { link: link.id }, dynamic: false });
    expect((await details(fixed.id)).encoded).toBe(link.shorturl);
  });

  test("is returned with its entry in details, and its link's clicks beside the record", async () => {
    const made = (await post('/api/url/add', { url: 'https://example.com/clicked' })).body;
    const { id, link } = await add({ type: 'link', data: made.shorturl, name: 'Poster' });
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(302);
    expect((await fetch(made.shorturl, { redirect: 'manual' })).status).toBe(302);
    const { body } = await get(`/api/qr/${id}`);
    expect(body.details).toEqual({ id, link, scans: 1, name: 'Poster', date: body.data.date });
    expect(body.data).toMatchObject({
      ...body.details,
      clicks: 2,
      uniqueClicks: 1,
      topCountries: {},
      topReferrers: {},
      topBrowsers: expect.any(Object),
      topOs: expect.any(Object),
      socialCount: { facebook: 0, twitter: 0, google: 0 },
    });
    const text = await add({});
    expect((await get(`/api/qr/${text.id}`)).body.data).toMatchObject({ clicks: 0, topBrowsers: {} });
  });

  test('reports that its link is gone', async () => {
    const link = (await post('/api/url/add', { url: 'https://example.com/gone' })).body;
    const { id } = await add({ type: 'link', data: { link: link.id } });
    await remove(`/api/url/${link.id}/delete`);
    expect(await details(id)).toMatchObject({ target: '', data: { url: null, link: null } });
    expect((await put(`/api/qr/${id}/update`, { name: 'Still editable' })).status).toBe(200);
    await remove(`/api/url/${link.id}/delete`);
    expect(await details(id)).toMatchObject({ name: 'Still editable', data: { url: null, link: null } });
    expect((await put(`/api/qr/${id}/update`, { data: 'https://example.com/new' })).status).toBe(200);
    expect(await details(id)).toMatchObject({ data: { url: 'https://example.com/new', link: null } });
  });

  test('is updated field by field; null resets a field to its default', async () => {
    const { id, link } = await add({ name: 'First', eyecolor: '#123456', frame: 'bottom', caption: 'Menu' });
    const reply = await put(`/api/qr/${id}/update`, { name: 'Second', eyecolor: null, modules: 'dots' });
    expect(reply.body).toEqual({
      error: 0,
      id,
      link,
      message: 'The QR code was updated.',
      warnings: [],
      version: 2,
    });
    expect(await details(id)).toMatchObject({
      name: 'Second',
      eyecolor: null,
      modules: 'dots',
      frame: 'bottom',
      caption: 'Menu',
      data: { text: 'Hello' },
      revision: 2,
    });
    expect((await put(`/api/qr/${id}/update`, { type: 'phone' })).body).toMatchObject({ field: 'data' });
    await put(`/api/qr/${id}/update`, { type: 'phone', data: '0123' });
    expect(await details(id)).toMatchObject({ type: 'phone', encoded: 'tel:0123', name: 'Second' });
  });

  test('is named after its content until somebody names it', async () => {
    const { id } = await add({ data: 'First text' });
    await put(`/api/qr/${id}/update`, { data: 'Second text' });
    expect((await details(id)).name).toBe('Second text');
    await put(`/api/qr/${id}/update`, { name: 'Mine' });
    await put(`/api/qr/${id}/update`, { data: 'Third text' });
    expect((await details(id)).name).toBe('Mine');
    await put(`/api/qr/${id}/update`, { name: '' });
    expect((await details(id)).name).toBe('Third text');
    const other = await add({ type: 'link', data: 'https://example.com/summer' });
    await put(`/api/qr/${other.id}/update`, { data: 'https://example.com/winter?a=b' });
    expect((await details(other.id)).name).toBe('example.com/winter');
    const link = (await post('/api/url/add', { url: 'https://example.com/x', title: 'Spring' })).body;
    await put(`/api/qr/${other.id}/update`, { data: { link: link.id } });
    await put(`/api/qr/${other.id}/update`, { name: '' });
    expect((await details(other.id)).name).toBe('Spring');
  });

  test('can have a custom alias, which is unique', async () => {
    const { id, link } = await add({ custom: 'menu' });
    expect(link).toBe(`${server.origin}/qr/menu`);
    const again = await post('/api/qr/add', { type: 'text', data: 'x', custom: 'menu' });
    expect([again.status, again.body.code, again.body.field]).toEqual([400, 'alias_taken', 'custom']);
    // Links have a name space of their own.
    expect((await post('/api/url/add', { url: 'https://example.com/', custom: 'menu' })).status).toBe(200);
    await put(`/api/qr/${id}/update`, { custom: 'menu-2' });
    expect((await details(id)).link).toBe(`${server.origin}/qr/menu-2`);
    expect((await post('/api/qr/add', { type: 'text', data: 'x', custom: 'menu' })).status).toBe(200);
  });

  test('keeps the logo that was fetched for it, or the one that was sent', async () => {
    const { id } = await add({ logo: 'https://img.example.com/a.png' });
    expect((await details(id)).logo).toBe('https://img.example.com/a.png');
    const before = network.fetched.length;
    await put(`/api/qr/${id}/update`, { logo: 'https://img.example.com/a.png', name: 'Same logo' });
    expect(network.fetched.length).toBe(before);
    const sent = `data:image/png;base64,${network.picture.toString('base64')}`;
    await put(`/api/qr/${id}/update`, { logo: sent });
    const kept = (await details(id)).logo;
    expect(kept).toMatch(/^data:image\/png;base64,/);
    await put(`/api/qr/${id}/update`, { logo: kept });
    expect((await details(id)).logo).toBe(kept);
    await put(`/api/qr/${id}/update`, { logo: null });
    expect((await details(id)).logo).toBeNull();
  });

  test('stores markup as text', async () => {
    const { id } = await add({ name: '<img src=x onerror=alert(1)>', data: '</script><b>' });
    expect(await details(id)).toMatchObject({
      name: '<img src=x onerror=alert(1)>',
      data: { text: '</script><b>' },
    });
  });

  test('is gone once deleted, also from its channels', async () => {
    const { id, link } = await add({ custom: 'short-lived' });
    const channel = (await post('/api/channel/add', { name: 'Print' })).body.id;
    expect((await post(`/api/channel/${channel}/assign/qr/${id}`, {})).status).toBe(200);
    expect((await get(`/api/channel/${channel}`)).body.data.items).toEqual([
      expect.objectContaining({ type: 'qr', id, title: 'Hello', preview: 'Hello', link }),
    ]);
    expect((await remove(`/api/qr/${id}/delete`)).body).toEqual({
      error: 0,
      message: 'The QR code was deleted.',
    });
    expect((await get(`/api/channel/${channel}`)).body.data).toMatchObject({ result: 0, items: [] });
    expect((await get(`/api/qr/${id}`)).status).toBe(404);
    expect((await remove(`/api/qr/${id}/delete`)).status).toBe(404);
    expect((await server.request('GET', '/qr/short-lived', { key: null })).status).toBe(404);
  });
});

describe('errors name the field', () => {
  test.each([
    [{ type: 'sound' }, 'type'],
    [{ type: undefined }, 'type'],
    [{ data: undefined }, 'data'],
    [{ data: '' }, 'data.text'],
    [{ data: 'x'.repeat(2001) }, 'data.text'],
    [{ data: 'a\u0007b' }, 'data.text'],
    [{ type: 'link', data: 'javascript:alert(1)' }, 'data'],
    [{ type: 'link', data: { url: 'https://a:b@example.com/' } }, 'data'],
    [{ type: 'link', data: { link: 99_999 } }, 'data.link'],
    [{ type: 'phone', data: 'call me' }, 'data.phone'],
    [{ type: 'email', data: 'nobody' }, 'data.email'],
    [{ type: 'email', data: { email: 'a@b', subject: 5 } }, 'data.subject'],
    [{ type: 'wifi', data: { ssid: 'Net' } }, 'data.password'],
    [{ type: 'wifi', data: { ssid: 'Net', password: '1234567' } }, 'data.password'],
    [{ type: 'wifi', data: { ssid: 'Net', password: 'x'.repeat(64) } }, 'data.password'],
    [{ type: 'wifi', data: { ssid: 'Net', encryption: 'WEP', password: '' } }, 'data.password'],
    [{ type: 'wifi', data: { ssid: '', encryption: 'nopass' } }, 'data.ssid'],
    [{ type: 'wifi', data: { ssid: 'Net', encryption: 'WPA3', password: 'x' } }, 'data.encryption'],
    [{ type: 'vcard', data: {} }, 'data.firstname'],
    [{ type: 'vcard', data: { firstname: 'A', email: 'x' } }, 'data.email'],
    [{ type: 'geo', data: 'north' }, 'data'],
    [{ type: 'geo', data: { latitude: 91, longitude: 0 } }, 'data.latitude'],
    [{ type: 'event', data: { title: 'x', start: '2027-02-30' } }, 'data.start'],
    [{ type: 'event', data: { title: 'x', start: '2027-02-02', end: '2027-02-01' } }, 'data.end'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ foreground: 'red' }, 'foreground'],
    [{ foreground: 'rgb(1,2,300)' }, 'foreground'],
    [{ background: 'url(x)' }, 'background'],
    [{ modules: 'hearts' }, 'modules'],
    [{ gradient: { type: 'linear', from: '#000', to: '"/><script>' } }, 'gradient.to'],
    [{ logosize: 40 }, 'logosize'],
    [{ margin: 0 }, 'margin'],
    [{ frame: 'gold' }, 'frame'],
    [{ frame: 'bottom', caption: '扫描我' }, 'caption'],
    [{ custom: 'a/b' }, 'custom'],
    [{ custom: 'menu.png' }, 'custom'],
    [{ domain: 'nobody.example.com' }, 'domain'],
    [{ logo: 'ftp://example.com/a.png' }, 'logo'],
    [{ logo: 'https://img.example.com/missing.png' }, 'logo'],
    [{ logo: 'https://img.example.com/text.png' }, 'logo'],
    [{ logo: 'data:image/svg+xml;base64,PHN2Zy8+' }, 'logo'],
    [{ logo: 'data:image/png;base64,PHN2Zy8+' }, 'logo'],
  ])('%j', async (fields, field) => {
    const reply = await post('/api/qr/add', { type: 'text', data: 'Hello', ...fields });
    expect([reply.status, reply.body.error, reply.body.field]).toEqual([400, 1, field]);
  });

  test('a URL of this instance that is not a link of the account', async () => {
    const reply = await post('/api/qr/add', { type: 'link', data: `${server.origin}/not-mine` });
    expect(reply.body).toMatchObject({ code: 'loop', field: 'data' });
  });

  test.each([
    [{ foreground: '#FFFFFF' }, 'low_contrast', 'foreground'],
    [{ gradient: { type: 'linear', from: '#FFFFFF', to: '#FFFFFF' } }, 'low_contrast', 'gradient.from'],
    [{ pupilcolor: '#FFFFFF', eyecolor: '#FFFFFF' }, 'low_contrast', 'eyecolor'],
    [{ type: 'text', data: 'ä'.repeat(1700) }, 'content_too_long', 'data'],
    [{ type: 'text', data: 'ä'.repeat(1000), correction: 'H' }, 'content_too_long', 'data'],
  ])('a style that no decoder reads: %j is %s', async (fields, code, field) => {
    const reply = await post('/api/qr/add', { type: 'text', data: 'Hello', ...fields });
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([400, code, field]);
    expect(reply.body.message).toMatch(/^[A-Z].*\.$/);
  });
});

describe('a style that at least one decoder reads is accepted, with a warning', () => {
  test.each([
    [{ foreground: '#FFFFFF', background: '#000000' }, 'inverted_colors', 'foreground'],
    [{ foreground: '#999999' }, 'low_contrast', 'foreground'],
    [{ eyecolor: '#999999' }, 'low_contrast', 'eyecolor'],
    [{ logo: 'https://img.example.com/a.png', logosize: 30 }, 'logo_too_large', 'logosize'],
    [{ data: 'ä'.repeat(700) }, 'small_modules', 'data'],
  ])('%j: %s', async (fields, code, field) => {
    const made = await post('/api/qr/add', { type: 'text', data: 'Hello', ...fields });
    expect([made.status, made.body.warnings]).toEqual([
      200,
      [{ field, code, message: expect.stringMatching(/^[A-Z].*\.$/) }],
    ]);
    // The picture is there, and a change is warned of like the first time.
    const picture = await fetch(`${made.body.link}.png`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    const body = { name: 'Renamed' };
    const changed = await server.request('PUT', `/api/qr/${made.body.id}/update`, { body });
    expect(changed.body.warnings).toEqual(made.body.warnings);
  });

  test('a code that every scanner reads has no warnings', async () => {
    expect((await post('/api/qr/add', { type: 'text', data: 'Hello' })).body.warnings).toEqual([]);
  });
});

describe('the list of QR codes', () => {
  test('has id, link, scans, name and date, newest first, under the key qrs', async () => {
    const { id, link } = await add({ name: 'Newest of all' });
    const { body } = await get('/api/qr?limit=1');
    expect(body.data).toMatchObject({ perpage: 1, currentpage: 1, result: expect.any(Number) });
    expect(body.data.qrs).toEqual([
      {
        id,
        link,
        scans: 0,
        name: 'Newest of all',
        date: expect.any(String),
        type: 'text',
        dynamic: false,
        target: 'Hello',
        revision: 1,
        version: 1,
      },
    ]);
  });

  test('can be searched by name and content, ignoring case, and filtered by type', async () => {
    await add({ name: 'Zebra 100%', data: 'Stripes' });
    await add({ type: 'wifi', data: { ssid: 'ZEBRA-net', encryption: 'nopass' } });
    const names = async (query: string) =>
      (await get(`/api/qr?${query}`)).body.data.qrs.map(({ name }: { name: string }) => name);
    expect(await names('q=zebra')).toEqual(['ZEBRA-net', 'Zebra 100%']);
    expect(await names('q=STRIPES')).toEqual(['Zebra 100%']);
    expect(await names('q=0%25')).toEqual(['Zebra 100%']);
    expect(await names('q=zebra&type=wifi')).toEqual(['ZEBRA-net']);
    expect((await get('/api/qr?q=z')).status).toBe(400);
    expect((await get('/api/qr?type=sound')).body.field).toBe('type');
  });

  test('does not search the passwords of Wi-Fi networks', async () => {
    await add({ type: 'wifi', data: { ssid: 'Office', password: 'hunter2-secret' } });
    expect((await get('/api/qr?q=hunter2')).body.data.result).toBe(0);
  });
});

describe('a preview', () => {
  test('draws without storing, and returns the content of the code', async () => {
    const before = (await get('/api/qr')).body.data.result;
    const { body } = await post('/api/qr/preview', { type: 'link', data: 'https://example.com/' });
    expect(body.data).toEqual({
      svg: expect.stringMatching(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="320"/),
      encoded: expect.stringMatching(new RegExp(`^${server.origin}/qr/`)),
      correction: 'Q',
      size: 29,
      problem: null,
      warnings: [],
    });
    expect((await get('/api/qr')).body.data.result).toBe(before);
  });

  test('warns about a style that some scanners do not read', async () => {
    const body = { type: 'text', data: 'x', foreground: '#999999' };
    const { data } = (await post('/api/qr/preview', body)).body;
    expect([data.problem, data.warnings.map(({ code }: { code: string }) => code)]).toEqual([
      null,
      ['low_contrast'],
    ]);
  });

  test('shows a style that does not scan, with the reason', async () => {
    const { body } = await post('/api/qr/preview', { type: 'text', data: 'x', foreground: '#FFFFFE' });
    expect(body.data.svg).toContain('#FFFFFE');
    expect(body.data.problem).toEqual({
      field: 'foreground',
      code: 'low_contrast',
      message: expect.stringContaining('contrast'),
    });
  });

  test('starts from an existing code', async () => {
    const { id, link } = await add({ type: 'link', data: 'https://example.com/', custom: 'preview-me' });
    const { body } = await post('/api/qr/preview', { id, modules: 'dots' });
    expect(body.data.encoded).toBe(link);
    expect((await post('/api/qr/preview', { id: 99_999 })).body).toMatchObject({
      code: 'unknown_qr',
      field: 'id',
    });
  });
});

describe('permissions', () => {
  test('somebody else’s code is not found', async () => {
    const { id } = await add({});
    const other = await secondAccount(server);
    for (const [method, path] of [
      ['GET', `/api/qr/${id}`],
      ['PUT', `/api/qr/${id}/update`],
      ['DELETE', `/api/qr/${id}/delete`],
    ] as const) {
      expect(
        (await server.request(method, path, { key: other.key, ...(method !== 'GET' && { body: {} }) }))
          .status,
      ).toBe(404);
    }
    expect((await server.request('GET', '/api/qr', { key: other.key })).body.data.result).toBe(0);
  });

  test('a read-only key may preview and list, and nothing else', async () => {
    const made = await post('/api/key/add', { name: 'Reader', scopes: ['qr:read'] });
    const key = made.body.data.api_key;
    expect((await server.request('GET', '/api/qr', { key })).status).toBe(200);
    expect(
      (await server.request('POST', '/api/qr/preview', { key, body: { type: 'text', data: 'x' } })).status,
    ).toBe(200);
    const refused = await server.request('POST', '/api/qr/add', { key, body: { type: 'text', data: 'x' } });
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
  });
});
