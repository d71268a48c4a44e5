import { afterEach, describe, expect, it } from 'vitest';
import { ApiFailure, fieldErrors } from '../../../renderer/api/failure.ts';
import { catalogue } from '../../../renderer/catalogue.ts';
import { componentTexts, showLanguage } from '../../../renderer/language.ts';
import { failures as arFailures } from '../../../renderer/translations/ar/failures.ts';
import { messages as ar } from '../../../renderer/translations/ar/messages.ts';
import { failures as deFailures } from '../../../renderer/translations/de/failures.ts';
import { messages as de } from '../../../renderer/translations/de/messages.ts';
import { failures as esFailures } from '../../../renderer/translations/es/failures.ts';
import { messages as es } from '../../../renderer/translations/es/messages.ts';
import { failures as frFailures } from '../../../renderer/translations/fr/failures.ts';
import { messages as fr } from '../../../renderer/translations/fr/messages.ts';
import { failures as ptFailures } from '../../../renderer/translations/pt/failures.ts';
import { messages as pt } from '../../../renderer/translations/pt/messages.ts';
import { translations } from '../../../renderer/ui/sentences.ts';
import { languageOf } from '../../../renderer/ui/use-language.ts';
import { addressesOtherwise, hasLoosePunctuation } from '../../support/wording.ts';

/** All keys with their text: `ui.copy.name`. */
function leaves(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const here = path ? `${path}.${key}` : key;
    return typeof value === 'string' ? [[here, value] as [string, string]] : leaves(value as object, here);
  });
}

const names = (text: string) => [...new Set(text.match(/\{[^}]+\}/g))].sort();
const forms = (text: string) => text.split(' | ').length;
const english = leaves(catalogue.en);
const all = { de, fr, es, pt, ar };
const refusals = { de: deFailures, fr: frFailures, es: esFailures, pt: ptFailures, ar: arFailures };
const others = ['de', 'fr', 'es', 'pt', 'ar'] as const;

afterEach(() => showLanguage('en'));

it('keeps French punctuation on the same line as its word', () => {
  const loose = leaves({ ...fr, refusals: frFailures }).filter(([, text]) => hasLoosePunctuation(text));
  expect(loose.map(([key]) => key)).toEqual([]);
});

it.each(others)('addresses its reader in one way in %s', (language) => {
  const said = leaves({ ...all[language], refusals: refusals[language] });
  expect(said.filter(([, text]) => addressesOtherwise(language, text))).toEqual([]);
});

describe.each(others)('the translation %s', (language) => {
  async function shown() {
    const i18n = translations().global;
    // A copy: the translator adds the sentences of pages that are loaded later.
    i18n.setLocaleMessage(language, structuredClone(all[language]));
    await showLanguage(language);
    return { i18n, texts: new Map(leaves(all[language])) };
  }

  it('has every sentence, with the same placeholders', async () => {
    const { texts } = await shown();
    expect([...texts.keys()].sort()).toEqual(english.map(([key]) => key).sort());
    const wrong = english.filter(([key, text]) => {
      const other = texts.get(key) ?? '';
      return other.trim() === '' || names(other).join() !== names(text).join();
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  it('has as many plural forms as its grammar needs', async () => {
    const { texts } = await shown();
    const wrong = english.filter(([key, text]) => {
      const wanted = forms(text) > 1 && language === 'ar' ? 6 : forms(text);
      return forms(texts.get(key) ?? '') !== wanted;
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  it('has text in every form', async () => {
    const { i18n, texts } = await shown();
    // One number for each form: compiling and formatting all sentences takes a while.
    const numbers = language === 'ar' ? [1, 2, 3, 11, 100, 0] : [1, 2];
    for (const [key, text] of texts) {
      const values = Object.fromEntries(names(text).map((name) => [name.slice(1, -1), 'x']));
      for (const count of numbers.slice(0, forms(text))) expect(i18n.t(key, values, count), key).not.toBe('');
    }
  });

  it('tells the page its language and direction', async () => {
    await shown();
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual([
      language,
      language === 'ar' ? 'rtl' : 'ltr',
    ]);
    expect(componentTexts.value?.code).toBe(language);
  });

  it('shows its own sentence for an error code, and the server’s for unknown codes', async () => {
    const server = 'This alias is already taken. Choose another one.';
    expect(new ApiFailure('refused', server, { code: 'alias_taken' }).message).toBe(server);
    await shown();
    const failure = new ApiFailure('refused', server, { code: 'alias_taken', field: 'custom' });
    expect(failure.message).not.toBe(server);
    expect(fieldErrors(failure)).toEqual([{ name: 'custom', message: failure.message }]);
    expect(new ApiFailure('refused', 'Of a newer server.', { code: 'of_tomorrow' }).message).toBe(
      'Of a newer server.',
    );
  });
});

describe('the sentences for error codes', () => {
  const codes = [...new Set(others.flatMap((language) => Object.keys(refusals[language])))].sort();

  it.each(others)(
    'cover the same codes in %s as in other languages, with the same placeholders',
    (language) => {
      const said: Readonly<Record<string, string>> = refusals[language];
      expect(Object.keys(said).sort()).toEqual(codes);
      const fillings = (text = '') => names(text).join();
      const wrong = codes.filter((code) => fillings(said[code]) !== fillings(deFailures[code]));
      expect(wrong).toEqual([]);
    },
  );

  it('include the provider’s reason, and are the server’s if there is none', async () => {
    await showLanguage('de');
    const server = 'The provider does not work: no keys.';
    const facts = { code: 'sso_misconfigured', field: 'issuer' };
    const told = new ApiFailure('refused', server, { ...facts, data: { reason: 'no keys $&' } });
    expect(told.message).toBe('Der Anbieter funktioniert nicht: no keys $&.');
    expect(fieldErrors(told)).toEqual([{ name: 'issuer', message: told.message }]);
    expect(new ApiFailure('refused', server, facts).message).toBe(server);
  });

  it('distinguish a full plan from a missing feature, by the field', async () => {
    await showLanguage('de');
    const told = (field: string) =>
      new ApiFailure('refused', 'No.', { code: 'plan_required', field }).message;
    expect(told('links')).toBe(deFailures['plan_required.links']);
    expect(told('export')).toBe(deFailures.plan_required);
  });
});

describe('the language of the page', () => {
  it.each([
    [['fr-CA', 'en'], 'fr'],
    [['nl', 'de-AT'], 'de'],
    [['PT-br'], 'pt'],
    [['ja'], 'en'],
    [[], 'en'],
  ])('is the first supported one of %j: %s', (tags, language) => {
    expect(languageOf(tags)).toBe(language);
  });

  it('has different Arabic forms for one, two, few and many', async () => {
    const i18n = translations().global;
    i18n.setLocaleMessage('ar', ar);
    await showLanguage('ar');
    const said = [0, 1, 2, 7, 11, 100].map((count) => i18n.t('ui.usedBy.more', count));
    expect(new Set(said.map((text) => text.replaceAll(/[\d\u0660-\u0669]/g, ''))).size).toBeGreaterThan(3);
  });
});
