import type { Page } from 'playwright';

/**
 * Has the page speak English with accents and 40 % longer, so that words that are in no catalogue stay plain and a
 * layout that is made for English breaks. Placeholders, links to other sentences and plural forms are kept.
 */
export async function speakPseudo(page: Page): Promise<void> {
  await page.evaluate(() => {
    interface Translator {
      getLocaleMessage(language: string): unknown;
      setLocaleMessage(language: string, messages: unknown): void;
      mergeLocaleMessage(language: string, messages: unknown): void;
    }
    interface App {
      _context: { provides: Record<symbol, { global?: Translator } | undefined> };
    }
    const root = [...document.querySelectorAll('*')].find((element) => '__vue_app__' in element);
    const provided = (root as unknown as { __vue_app__?: App })?.__vue_app__?._context.provides ?? {};
    const translator = Object.getOwnPropertySymbols(provided)
      .map((name) => provided[name]?.global)
      .find((one) => one !== undefined && 'setLocaleMessage' in one);
    if (!translator) throw new Error('the page has no translator');
    const accents: Readonly<Record<string, string>> = {
      ...{ a: 'á', c: 'ç', e: 'é', i: 'í', n: 'ñ', o: 'ö', u: 'ü', y: 'ý' },
      ...{ A: 'Å', C: 'Ç', E: 'É', I: 'Î', N: 'Ñ', O: 'Ø', U: 'Û' },
    };
    const form = (text: string) => {
      const words = text.replace(
        /(\{[^}]*\}|@:?[\w.]+)|([a-zA-Z])/g,
        (_, kept, letter) => kept ?? accents[letter] ?? letter,
      );
      const letters = text.replace(/\{[^}]*\}/g, '').trim().length;
      return letters === 0 ? words : `${words}${'~'.repeat(Math.ceil(letters * 0.4))}`;
    };
    const pseudo = (value: unknown): unknown => {
      if (typeof value === 'string') return value.split(' | ').map(form).join(' | ');
      // Steps are a list of sentences.
      if (Array.isArray(value)) return value.map(pseudo);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, pseudo(each)]));
    };
    if (document.documentElement.dataset.pseudo) return;
    document.documentElement.dataset.pseudo = 'yes';
    translator.setLocaleMessage('en', pseudo(translator.getLocaleMessage('en')));
    // What is loaded with further parts of the page.
    const merge = translator.mergeLocaleMessage;
    translator.mergeLocaleMessage = (language, messages) => merge(language, pseudo(messages));
  });
}
