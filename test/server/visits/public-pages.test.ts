import { gzipSync } from 'node:zlib';
import { Window } from 'happy-dom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { hostileText } from '../../support/hostile-texts.ts';
import { type PublicPage, picturesFor, visitAllPages } from '../../support/public-pages.ts';
import { expectValidHtml } from '../../support/valid-html.ts';

let server: TestApp;
const pages: PublicPage[] = [];
const hostile: PublicPage[] = [];

/** Words that pack badly, as real texts do. */
function plainText(): (longest: number) => string {
  let state = 7;
  const letter = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return 'abcdefghijklmnopqrstuvwxyz     ÄöüßñéČ日本語العربية'.charAt(state % 50);
  };
  return (longest) => `T${Array.from({ length: Math.max(0, longest - 2) }, letter).join('')}t`;
}

beforeAll(async () => {
  server = await startApp(await picturesFor());
  pages.push(...(await visitAllPages(server, 'p', plainText())));
  server.clock.advance(120_000);
  hostile.push(...(await visitAllPages(server, 'h', hostileText())));
}, 120_000);
afterAll(() => server.close());

const named = (name: string, from = pages) => {
  const found = from.find((page) => page.name === name);
  if (!found) throw new Error(`there is no page ${name}`);
  return found;
};

/** Names of the table below; the last test holds it to what there is. */
const names = [
  ...[
    'landing',
    'unknown address',
    'wrong method',
    'unknown host',
    'switched off',
    'not open yet',
    'used up',
  ],
  ...[
    'password',
    'wrong password',
    'preview',
    'no form here',
    'card',
    'pixels',
    'splash with a script',
    'splash',
  ],
  ...['own splash', 'frame', 'overlay message', 'overlay contact', 'overlay newsletter', 'overlay poll'],
  ...['overlay coupon', 'overlay image', 'thanks', 'not taken', 'campaign list', 'file password'],
  ...[
    'wrong file password',
    'hidden file',
    'file',
    'file used up',
    'bio',
    'code text',
    'code wifi',
    'code email',
  ],
  'profile',
  ...['code vcard', 'code event', 'code geo', 'code sms', 'code phone'],
];

test('the table has every page', () => {
  expect(pages.map(({ name }) => name).sort()).toEqual(names.toSorted());
});

describe.each(names)('the page %s', (name) => {
  test('is under 20 kB compressed, with a language and a direction', () => {
    const { reply } = named(name);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.status).toBeLessThan(500);
    expect(gzipSync(reply.body).length).toBeLessThan(20_000);
    expect(reply.body).toMatch(/^<!doctype html>\n<html lang="[a-z]{2}" dir="(ltr|rtl)"/);
    expect(reply.body).toMatch(/<title>[^<]+<\/title>/);
  });

  test('has a policy that allows only what it needs', () => {
    const policy = String(named(name).reply.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|allow-same-origin/);
    // The host answers /admin, too.
    expect(policy).toContain('sandbox');
    expect(named(name).reply.headers['x-content-type-options']).toBe('nosniff');
  });

  test('requests nothing from other servers', () => {
    const { reply, foreign } = named(name);
    const loaded = [
      ...reply.body.matchAll(
        /<(?:img|script|iframe|link rel="(?!canonical)[^"]*"|source|video|audio|embed|object)\b[^>]*?\b(?:src|href|data)="([^"]*)"/g,
      ),
      ...reply.body.matchAll(/url\(([^)]*)\)|@import\s+([^;]*)/g),
    ].map(([, one, other]) => one ?? other ?? '');
    const others = loaded.filter((address) => !/^(\/(?!\/)|#|'?data:)/.test(address));
    if (foreign === undefined) expect(others).toEqual([]);
    else expect(others.length).toBeGreaterThan(0);
  });

  test('is valid HTML, with any text in it', async () => {
    await expectValidHtml(named(name).reply.body);
    await expectValidHtml(named(name, hostile).reply.body);
  });

  test('has the same elements and attributes with hostile texts (T-18)', () => {
    expect(shapeOf(named(name, hostile).reply.body)).toEqual(shapeOf(named(name).reply.body));
  });

  test('only links to web pages, mail and telephone', () => {
    for (const { reply } of [named(name), named(name, hostile)]) {
      for (const [, address = ''] of reply.body.matchAll(/\b(?:href|src|action|formaction)="([^"]*)"/g)) {
        expect(address).toMatch(/^(https?:\/\/|\/(?!\/)|#|mailto:|tel:|sms:|geo:)/);
      }
    }
  });
});

/** All elements of a page with the names of their attributes; paragraphs of a text are as many as it has lines. */
function shapeOf(body: string): string[] {
  const window = new Window({ settings: { disableJavaScriptEvaluation: true, disableCSSFileLoading: true } });
  try {
    const parsed = new window.DOMParser().parseFromString(body, 'text/html');
    return [...parsed.querySelectorAll('*')].map(
      (element) =>
        `${element.tagName} ${[...element.attributes]
          .map(({ name }) => name)
          .sort()
          .join(' ')}`,
    );
  } finally {
    void window.happyDOM.close();
  }
}
