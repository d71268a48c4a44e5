import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileDownloadPage, fileTextsFor } from '../../../server/content/files/pages.ts';
import { filled, html } from '../../../server/platform/text/markup.ts';
import { sizeText } from '../../../server/visits/redirects/pages/size-text.ts';
import { catalogue, textsFor } from '../../../server/visits/redirects/pages/texts.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';
import { addressesOtherwise, hasLoosePunctuation } from '../../support/wording.ts';

const others = Object.entries(catalogue).filter(([tag]) => tag !== 'en');

/** Every text of a catalogue by its path: `password.title`. */
function texts(of: object, prefix = ''): [string, string][] {
  return Object.entries(of).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + name, value]] : texts(value, `${prefix}${name}.`),
  );
}
const english = texts(catalogue.en ?? {});
const places = (text: string) => (text.match(/\{[a-z]+\}/g) ?? []).sort();

/** Words that are the same in both languages. */
const sameAsEnglish = new Set([
  ...['es file.units', 'pt file.units', 'de file.units', 'de qr.website', 'pt qr.website'],
  ...['contact', 'destination', 'message', 'mobile', 'note', 'organization'].map((name) => `fr qr.${name}`),
  'fr preview.destination',
  'fr bio.code',
]);

describe.each(others)('the texts in %s', (tag, translated) => {
  const found = texts(translated);

  test('are the same as in English, no more and no fewer', () => {
    expect(found.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
  });

  test.each(english)('have a translation of %s with the same placeholders', (path, text) => {
    const translation = found.find(([name]) => name === path)?.[1] ?? '';
    expect(translation.trim()).toBe(translation);
    expect(translation).not.toBe('');
    expect(places(translation)).toEqual(places(text));
    if (path === 'language') expect(translation).toBe(tag);
    else if (path === 'direction') expect(translation).toBe(tag === 'ar' ? 'rtl' : 'ltr');
    else if (!sameAsEnglish.has(`${tag} ${path}`)) expect(translation).not.toBe(text);
  });

  test('end with punctuation where the English ones do', () => {
    for (const [path, text] of english) {
      const translation = found.find(([name]) => name === path)?.[1] ?? '';
      expect([path, translation.endsWith('.')]).toEqual([path, text.endsWith('.')]);
    }
  });

  test('address their reader in one way', () => {
    expect(found.filter(([, text]) => addressesOtherwise(tag, text))).toEqual([]);
  });

  test('contain no English words', () => {
    const words = /\b(the|this|that|your|with|from|have|what|address|password|again|here)\b/i;
    for (const [path, text] of found) expect([path, words.test(text)]).toEqual([path, false]);
  });
});

test('keep the double punctuation of French on the line of its word', () => {
  expect(texts(catalogue.fr ?? {}).filter(([, text]) => hasLoosePunctuation(text))).toEqual([]);
});

test('are in the first supported language of the visitor', () => {
  expect(textsFor(['nl', 'pt-br', 'en']).language).toBe('pt');
  expect(textsFor(['nl', 'en-gb', 'de']).language).toBe('en');
  expect(textsFor(['nl', 'xx']).language).toBe('en');
  expect(textsFor([]).language).toBe('en');
});

test('a filled-in text escapes the text and its values', () => {
  const markup = filled('<i>{owner}</i> & {other}', { owner: '<b>"', other: html`<u>${'<'}</u>` });
  expect(markup.markup).toBe('&lt;i&gt;&lt;b&gt;&quot;&lt;/i&gt; &amp; <u>&lt;</u>');
  expect(filled('{a} {missing}', { a: '{b}', b: 'never' }).markup).toBe('{b} ');
});

test.each([
  ['en', 999, '999 B'],
  ['en', 1_450_000, '1.5 MB'],
  ['de', 1_450_000, '1,5 MB'],
  ['fr', 23_400, '23,4 ko'],
  ['fr', 234_000_000_000, '234 Go'],
])('a size in %s: %d bytes are %s', (language, bytes, text) => {
  expect(sizeText(bytes, textsFor([language]))).toBe(text);
});

test("a file's page uses the words for files", () => {
  const file = { password_hash: 'some', alias: 'a' } as Parameters<typeof fileDownloadPage>[1];
  const { body } = fileDownloadPage(fileTextsFor(['ar']), file);
  expect(body).toContain('<html lang="ar" dir="rtl">');
  expect(body).toContain('ملف لك');
});

describe('a page', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp();
  });
  afterAll(() => server.close());

  test.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de', 'ltr', 'Link nicht gefunden'],
    ['ar', 'ar', 'rtl', 'الرابط غير موجود'],
    ['nl, fr;q=0.8, en;q=0.9', 'en', 'ltr', 'Link not found'],
    ['', 'en', 'ltr', 'Link not found'],
  ])('for Accept-Language %j is in %s', async (header, language, direction, title) => {
    const { body, headers } = await visit(server, '/nothing', { headers: { 'Accept-Language': header } });
    expect(body).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(body).toContain(title);
    expect(headers.vary).toBe('Accept-Language');
  });

  test('about a list names its owner as the language requires', async () => {
    const { id } = (
      await server.request('POST', '/api/campaign/add', { body: { name: 'Fair', public: true } })
    ).body;
    const path = `/u/anna/list-${id}`;
    const { body } = await visit(server, path, { headers: { 'Accept-Language': 'es' } });
    expect(body).toContain('<p>Enlaces de <bdi>Anna Berg</bdi></p>');
    expect(body).toContain('Aquí todavía no hay enlaces.');
  });
});
