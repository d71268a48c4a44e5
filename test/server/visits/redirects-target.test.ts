import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLanguages } from '../../../server/platform/text/languages.ts';
import { readUserAgent } from '../../../server/platform/text/user-agent.ts';
import {
  asksNotToCount,
  forwardedQuery,
  parametersQuery,
  safeDestination,
  withQuery,
} from '../../../server/visits/redirects/destinations.ts';
import { readTarget } from '../../../server/visits/redirects/target.ts';

describe('the target of a request line', () => {
  test.each([
    ['/abc', { alias: 'abc', query: '', preview: false }],
    ['/abc/', { alias: 'abc', query: '', preview: false }],
    ['/abc?x=1', { alias: 'abc', query: 'x=1', preview: false }],
    ['/abc+', { alias: 'abc', query: '', preview: true }],
    ['/abc%2B?x', { alias: 'abc', query: 'x', preview: true }],
    ['/', { alias: '', query: '', preview: false }],
    ['/?a', { alias: '', query: 'a', preview: false }],
    ['/caf%C3%A9', { alias: 'café', query: '', preview: false }],
    ['/cafe%CC%81', { alias: 'café', query: '', preview: false }],
    ['/docs/start+', { alias: 'docs/start', query: '', preview: true }],
    ['/%61bc', { alias: 'abc', query: '', preview: false }],
  ])('%s is read', (target, expected) => {
    expect(readTarget(target)).toEqual(expected);
  });

  test.each([
    '/a//b',
    '/a/b%2fc',
    '//evil.example',
    '/%',
    '/%zz',
    '/%ff',
    '/%c3%28',
    '/a%2fb',
    '/a%5cb',
    '/a%00',
    '*',
    `/${'a'.repeat(2000)}`,
  ])('%s is invalid', (target) => {
    expect(readTarget(target)).toBeUndefined();
  });

  test('never throws, whatever comes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readTarget(`/${text}`)));
  });
});

describe('a destination', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example',
    'https://user:pw@a.example',
    'nonsense',
    '',
    'file:///etc/passwd',
  ])('%s is not sent to a browser', (text) => {
    expect(safeDestination(text)).toBeUndefined();
  });

  test('that is sent parses to http or https and has no control characters (T-19)', () => {
    const anything = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(anything, fc.string({ unit: 'binary' }), (text, addition) => {
        const destination = safeDestination(text);
        if (!destination) return;
        const location = new URL(withQuery(destination.href, addition)).href;
        expect(location).toMatch(/^https?:\/\/[\u0021-\u007e]+$/);
      }),
    );
  });

  test('keeps its own query unchanged, and its fragment last', () => {
    expect(withQuery('https://a.example/?sig=%20a+b#top', 'x=1')).toBe(
      'https://a.example/?sig=%20a+b&x=1#top',
    );
    expect(withQuery('https://a.example/', 'x=1')).toBe('https://a.example/?x=1');
    expect(withQuery('https://a.example/?', 'x=1')).toBe('https://a.example/?x=1');
    expect(withQuery('https://a.example/#a?b', 'x=1')).toBe('https://a.example/?x=1#a?b');
    expect(withQuery('https://a.example/', '')).toBe('https://a.example/');
  });

  test('gets encoded parameters', () => {
    expect(
      parametersQuery([
        { name: 'a b', value: 'ü&=' },
        { name: 'c', value: '' },
      ]),
    ).toBe('a%20b=%C3%BC%26%3D&c=');
  });
});

test('our own marker is not forwarded, everything else is', () => {
  expect(forwardedQuery('a=1&notrack&b=2&notrack=1')).toBe('a=1&b=2');
  expect(asksNotToCount('a&notrack=1')).toBe(true);
  expect(asksNotToCount('xnotrack')).toBe(false);
});

test('languages are in order of preference', () => {
  expect(readLanguages('en;q=0.5, de-AT, fr;q=0.9, *;q=0.1, xx;q=0')).toEqual(['de-at', 'fr', 'en']);
  expect(readLanguages('')).toEqual([]);
  expect(readLanguages('!!!;;;,,,')).toEqual([]);
});

test.each([
  ['de-DE-u-co-phonebk', ['de-de']],
  ['ar-EG-u-nu-latn, en;q=0.5', ['ar-eg', 'en']],
  ['de-x-foo', ['de']],
  ['zh-Hant-TW-a-bb-x-1;q=0.5', ['zh-hant-tw']],
  ['de-u', []],
  ['x-foo', []],
])('the language of %s is read without its extensions', (header, languages) => {
  expect(readLanguages(header)).toEqual(languages);
});

describe('a user agent', () => {
  test.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
      'Mobile',
      ['iPhone', 'Mobile'],
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
      'Tablet',
      ['iPad', 'Tablet'],
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      'Edge',
      'Windows',
      'Desktop',
      ['Windows', 'Desktop'],
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'Chrome',
      'ChromeOS',
      'Desktop',
      ['ChromeOS', 'Desktop'],
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36',
      'Samsung Internet',
      'Android',
      'Mobile',
      ['Android', 'Mobile'],
    ],
  ])('%s is read', (header, browser, os, device, devices) => {
    expect(readUserAgent(header)).toMatchObject({
      bot: false,
      previewBot: false,
      browser,
      os,
      device,
      devices,
    });
  });

  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  test.each([
    [`${phone} Mobile/15E148 Instagram 391.0.0.30.85 (iPhone15,2; iOS 18_6; en_GB)`, true],
    [`${phone} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.40.98;FBDV/iPhone15,2]`, true],
    [`${phone} Mobile/15E148 musical_ly_35.3.0 JsSdk/2.0 NetType/WIFI Channel/App Store`, true],
    [`${phone} Mobile/15E148 Safari Line/14.9.0`, true],
    [`${phone} Mobile/15E148 [LinkedInApp]/9.30`, true],
    [`${phone} Mobile/15E148 [Pinterest/iOS]`, true],
    [`${phone} Version/18.6 Mobile/15E148 Safari/604.1`, false],
    [`${phone} CriOS/141.0.0.0 Mobile/15E148 Safari/604.1`, false],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0.0;]',
      true,
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36 [FBAN/x]', false],
  ])('of an app with its own browser is recognized on phones: %s', (header, inApp) => {
    expect(readUserAgent(header)).toMatchObject({ inApp, bot: false });
  });

  test('of a preview fetcher is distinguished from other bots', () => {
    expect(readUserAgent('facebookexternalhit/1.1')).toMatchObject({ bot: true, previewBot: true });
    expect(readUserAgent('WhatsApp/2.23.20.0')).toMatchObject({ bot: true, previewBot: true });
    expect(readUserAgent('Mozilla/5.0 (compatible; Googlebot/2.1)')).toMatchObject({
      bot: true,
      previewBot: false,
    });
  });

  test('can have any content', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (header) => void readUserAgent(header)));
  });
});
