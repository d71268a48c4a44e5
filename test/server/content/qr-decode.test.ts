import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eyeShapes, frameShapes, moduleShapes } from '../../../server/contract/qr.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { qrScanners } from '../../support/qr-scanners.ts';
import { pairs, some, times } from '../../support/trials.ts';

/**
 * Everything that can be chosen for a code is drawn by the running server, fetched from the code's public address as a
 * visitor would, and read by two decoders that share no code with it or with each other. In `npm test` each choice is
 * tried at least once; `npm run test:faults` tries each with each.
 */
let server: TestApp;
const logos: Record<string, string> = {};
const scanners = qrScanners();
beforeAll(async () => {
  // The address is in the codes: with the port of the run in it, each run would draw other ones.
  server = await startApp({ baseUrl: 'http://localhost:8420' });
  const flat = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer();
  logos.square = dataAddress(await flat(300, 300, '#e11d48'));
  logos.wide = dataAddress(await flat(600, 200, '#111111'));
  logos.tall = dataAddress(await flat(150, 600, '#2563eb'));
  logos.transparent = dataAddress(await flat(200, 200, '#00000000'));
});
// Each test has a minute's budget of requests of its own.
beforeEach(() => server.clock.advance(60_000));
afterAll(async () => {
  await server.close();
  await scanners.close();
});

const dataAddress = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;

interface Drawn {
  link: string;
  encoded: string;
}

async function make(fields: Record<string, unknown>): Promise<Drawn> {
  const body = { type: 'link', data: 'https://example.com/menu', ...fields };
  const made = await server.request('POST', '/api/qr/add', { body });
  expect(made.body).toMatchObject({ error: 0 });
  const { data } = (await server.request('GET', `/api/qr/${made.body.id}`)).body;
  return { link: data.link, encoded: data.encoded };
}

async function fetchImage(link: string, ending: string): Promise<Buffer> {
  const answer = await fetch(server.origin + new URL(link).pathname + ending);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function modulesOf(link: string): Promise<number> {
  const svg = (await fetchImage(link, '.svg')).toString();
  return Number(/viewBox="0 0 ([\d.]+) /.exec(svg)?.[1]);
}

async function expectToScan({ link, encoded }: Drawn, endings = ['.png']): Promise<void> {
  const modules = await modulesOf(link);
  for (const ending of endings) {
    expect(await scanners.read(await fetchImage(link, ending), modules)).toEqual({
      zxing: encoded,
      jsqr: encoded,
    });
  }
}

describe('every shape of module and eye scans', () => {
  const combinations = pairs(moduleShapes, eyeShapes).map(
    ([modules, eyes], turn) => [modules, eyes, turn] as const,
  );

  test.each(combinations)(
    '%s modules with %s eyes, without a logo or with one',
    async (modules, eyes, turn) => {
      for (const logo of some([null, logos.square], { from: turn, short: 1 })) {
        await expectToScan(await make({ modules, eyes, pupils: eyes, logo }));
      }
    },
  );
});

test.each(eyeShapes)('%s eyes with every shape inside scan', async (eyes) => {
  for (const pupils of some(eyeShapes, { from: eyeShapes.indexOf(eyes) + 1, short: 1 }))
    await expectToScan(await make({ modules: 'dots', eyes, pupils }));
});

describe('every frame scans', () => {
  const combinations = pairs(frameShapes, moduleShapes).map(
    ([frame, modules], turn) => [frame, modules, turn] as const,
  );

  test.each(combinations)(
    '%s around %s modules, at sizes that the page offers',
    async (frame, modules, turn) => {
      const drawn = await make({ frame, modules, caption: 'Unser Menü – Меню', logo: logos.square });
      await expectToScan(
        drawn,
        some(['256', '1024', '20mm', '50mm'], { from: turn, short: 1 }).map((size) => `.png?size=${size}`),
      );
    },
  );
});

describe('accepted colors scan', () => {
  const grounds = ['#FFFFFF', '#FEF3C7', '#DBEAFE', 'transparent'];
  const inks = ['#000000', '#7C2D12', '#1D4ED8', '#B91C1C', '#6D28D9', '#0F766E', '#767676'];

  test.each(pairs(inks, grounds))('%s on %s', async (foreground, background) => {
    await expectToScan(
      await make({ foreground, background, modules: 'dots', eyes: 'circle', frame: 'bottom' }),
    );
  });

  const gradients = [
    { type: 'linear', from: '#7C3AED', to: '#DB2777', angle: 45 },
    { type: 'linear', from: '#000000', to: '#DC2626', angle: 200 },
    { type: 'radial', from: '#0F766E', to: '#1E3A8A' },
  ];

  test.each(gradients)('gradient %j', async (gradient) => {
    for (const modules of some(moduleShapes, { from: 2 * gradients.indexOf(gradient), short: 2 })) {
      await expectToScan(await make({ gradient, modules, eyecolor: '#B91C1C', pupilcolor: '#111827' }));
    }
  });
});

describe('every accepted logo and level scans', () => {
  test.each(['square', 'wide', 'tall', 'transparent'])('a %s logo at small and large sizes', async (name) => {
    const sizes = some([10, 15, 20, 25, 30], { from: name.length, short: 3 });
    for (const [turn, logosize] of sizes.entries()) {
      for (const modules of some(['dots', 'vertical'], { from: turn + name.length, short: 1 })) {
        await expectToScan(await make({ logo: logos[name], logosize, modules }));
      }
    }
  });

  test.each(['L', 'M', 'Q', 'H'])(
    'level %s, without a logo and with the largest allowed',
    async (correction) => {
      await expectToScan(await make({ correction }));
      let taken = 0;
      for (let logosize = 30; logosize >= 10; logosize -= 4) {
        const body = { type: 'link', data: 'https://example.com/', correction, logo: logos.square, logosize };
        const reply = await server.request('POST', '/api/qr/add', { body });
        // What some scanners do not read is drawn with a warning; what none reads is refused for the same reason.
        const [reason] = reply.status === 400 ? [reply.body] : reply.body.warnings;
        if (reason) {
          expect(reason).toMatchObject({ code: 'logo_too_large', field: expect.any(String) });
          continue;
        }
        taken += 1;
        if (taken > times({ short: 1, long: 10 })) break;
        const { data } = (await server.request('GET', `/api/qr/${reply.body.id}`)).body;
        await expectToScan(data);
      }
      expect(taken > 0).toBe(correction !== 'L');
    },
  );

  test.each([2, 4, 10])('a quiet zone of %s modules', async (margin) => {
    await expectToScan(await make({ margin, frame: 'border', modules: 'rounded' }));
  });
});

describe('every content scans', () => {
  const contents: [type: string, data: Record<string, unknown>][] = [
    ['text', { text: 'Grüße, 世界 🌍\nsecond line' }],
    ['text', { text: 'x'.repeat(900) }],
    ['phone', { phone: '+49 30 1234' }],
    ['sms', { phone: '+49301234', message: 'Hi; there' }],
    ['email', { email: 'us@example.com', subject: 'Größe', message: 'A\nB' }],
    ['wifi', { ssid: 'Café "Wi-Fi"', password: 'p;a:s,s\\w' }],
    ['geo', { latitude: 52.5163, longitude: 13.3777, label: 'Tor' }],
    [
      'vcard',
      {
        firstname: 'Zoë',
        lastname: 'Quinn',
        organization: 'Müller, Söhne & Co',
        phone: '+49 30 1234',
        mobile: '+49 170 1234',
        email: 'zoe@example.com',
        website: 'https://example.com/zoe',
        street: 'Main Street 1',
        city: 'Berlin',
        zip: '10115',
        country: 'Germany',
        note: 'Line 1\nLine 2',
      },
    ],
    ['event', { title: 'Launch', start: '2027-05-01 10:00', end: '2027-05-01 12:00', location: 'Hall' }],
    ['link', { url: `https://example.com/${'path/'.repeat(60)}` }],
  ];

  test.each(contents)('%s %j', async (type, data) => {
    const forms = [
      { logo: null, size: 1024 },
      { logo: logos.square, size: 1500 },
    ];
    const from = contents.findIndex(([, other]) => other === data);
    for (const { logo, size } of some(forms, { from, short: 1 })) {
      await expectToScan(await make({ type, data, dynamic: false, logo }), [`.png?size=${size}`]);
    }
  });
});

describe('vector renderings', () => {
  const fields = () => ({
    modules: 'leaf',
    eyes: 'leaf',
    frame: 'bubble',
    gradient: { type: 'linear', from: '#7C3AED', to: '#BE185D', angle: 30 },
    logo: logos.square,
  });

  test('SVG scans, at its stated size', async () => {
    const { link, encoded } = await make(fields());
    const svg = await fetchImage(link, '.svg?size=700');
    expect(svg.toString()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="700" height="\d/);
    expect(await scanners.read(svg, await modulesOf(link))).toEqual({ zxing: encoded, jsqr: encoded });
    expect((await fetchImage(link, '.svg?size=40mm')).toString()).toContain('width="40mm"');
  });

  test('a small PNG is as large as a scanner needs', async () => {
    const { link, encoded } = await make({ type: 'text', data: 'x'.repeat(300) });
    const png = await fetchImage(link, '.png?size=64');
    expect((await sharp(png).metadata()).width).toBeGreaterThan(64);
    expect(await scanners.read(png, await modulesOf(link))).toEqual({ zxing: encoded, jsqr: encoded });
  });

  test('a PNG in millimeters has 300 dots per inch, and says so', async () => {
    const { link } = await make(fields());
    const meta = await sharp(await fetchImage(link, '.png?size=50mm')).metadata();
    expect([meta.width, meta.density]).toEqual([Math.round((50 / 25.4) * 300), 300]);
  });
});
