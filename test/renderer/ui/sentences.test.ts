import { beforeEach, describe, expect, it } from 'vitest';
import { showLanguage } from '../../../renderer/language.ts';
import { addSentences, sentencesReady, translations } from '../../../renderer/ui/sentences.ts';

/** A page whose sentences can be fetched in all languages but Spanish. */
const page = (section: string) => ({
  english: { [section]: { hello: 'hello' } },
  others: {
    de: async () => ({ [section]: { [section]: { hello: 'hallo' } } }),
    fr: async () => ({ [section]: { [section]: { hello: 'bonjour' } } }),
    es: () => Promise.reject(new TypeError('Failed to fetch')),
    pt: async () => ({ [section]: { [section]: { hello: 'olá' } } }),
    ar: async () => ({ [section]: { [section]: { hello: 'مرحبا' } } }),
  },
});

describe('the sentences of a page', () => {
  let i18n: ReturnType<typeof translations>['global'];
  beforeEach(async () => {
    i18n = translations().global;
    await showLanguage('en');
  });

  it('are available once it is loaded', () => {
    addSentences(page('first'));
    expect(i18n.t('first.hello')).toBe('hello');
    // A translator that is made later knows them, too.
    expect(translations().global.t('first.hello')).toBe('hello');
  });

  it('are shown in a language selected afterwards', async () => {
    addSentences(page('before'));
    await showLanguage('de');
    expect(i18n.t('before.hello')).toBe('hallo');
  });

  it('are waited for in the language selected before', async () => {
    await showLanguage('fr');
    addSentences(page('after'));
    await sentencesReady();
    expect(i18n.t('after.hello')).toBe('bonjour');
  });

  it('are waited for while the language itself is loading', async () => {
    const shown = showLanguage('de');
    addSentences(page('meanwhile'));
    await Promise.all([shown, sentencesReady()]);
    expect(i18n.t('meanwhile.hello')).toBe('hallo');
  });

  it('are shown in English if loading fails', async () => {
    addSentences(page('unreachable'));
    await showLanguage('es');
    addSentences(page('further'));
    await sentencesReady();
    expect([i18n.t('unreachable.hello'), i18n.t('further.hello')]).toEqual(['hello', 'hello']);
    expect(document.documentElement.lang).toBe('es');
  });

  it('are requested again with the next page if loading failed', async () => {
    let isReachable = false;
    const late = page('late');
    addSentences({
      ...late,
      others: { ...late.others, de: () => (isReachable ? late.others.de() : late.others.es()) },
    });
    await showLanguage('de');
    expect(i18n.t('late.hello')).toBe('hello');
    await sentencesReady();
    expect(i18n.t('late.hello')).toBe('hello');
    isReachable = true;
    await sentencesReady();
    expect(i18n.t('late.hello')).toBe('hallo');
  });

  it('are those of the language selected last', async () => {
    addSentences(page('quick'));
    await Promise.all([showLanguage('de'), showLanguage('fr')]);
    expect(i18n.t('quick.hello')).toBe('bonjour');
    expect(document.documentElement.lang).toBe('fr');
    await Promise.all([showLanguage('de'), showLanguage('en')]);
    expect(i18n.t('quick.hello')).toBe('hello');
    expect(document.documentElement.lang).toBe('en');
  });
});
