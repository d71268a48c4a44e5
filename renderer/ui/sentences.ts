import { createI18n } from 'vue-i18n';
import type { Language } from '../../server/contract/languages.ts';

type Sentences = Readonly<Record<string, object>>;
type Translated = Exclude<Language, 'en'>;

/** The sentences of one folder. */
interface Part {
  readonly english: Sentences;
  /** Fetches a file with the same keys in another language. */
  readonly others: Readonly<Record<Translated, () => Promise<Readonly<Record<string, Sentences>>>>>;
}

/** All that have been loaded with the pages so far. */
const parts = new Set<Part>();
let translator = newTranslator();
let spoken: Language = 'en';
/** What is being fetched for pages that were loaded after the language was chosen. */
let pending: Promise<unknown> = Promise.resolve();
/** What could not be fetched, by language. */
const missing = new Map<Translated, Set<Part>>();

/**
 * The translator of one loaded page; tests make one of their own. It knows the sentences of the modules that are
 * loaded.
 */
export function translations(): ReturnType<typeof newTranslator> {
  translator = newTranslator();
  spoken = 'en';
  return translator;
}

/** Takes up the sentences of a module that has been loaded; build/page-sentences.ts puts the call in front of those. */
export function addSentences(part: Part): void {
  parts.add(part);
  translator.global.mergeLocaleMessage('en', part.english);
  if (spoken !== 'en') pending = Promise.all([pending, learn(part, spoken)]);
}

/**
 * When everything that has been loaded can be said in the language of the page. A part that cannot be fetched is said
 * in English, rather than not shown at all, and asked for again the next time that this is called.
 */
export async function sentencesReady(): Promise<void> {
  await pending;
  const language = spoken;
  if (language === 'en') return;
  await Promise.all([...(missing.get(language) ?? [])].map((part) => learn(part, language)));
}

/**
 * Fetches what has been loaded in this language, and from now on with each page. `alongside` is fetched at the same
 * time; when it fails, the page stays as it is. Undefined, too, when another language was chosen meanwhile.
 */
export async function speak<Result>(
  language: Language,
  alongside: Promise<Result>,
): Promise<Result | undefined> {
  spoken = language;
  try {
    const learnt = language === 'en' ? [] : Array.from(parts, (part) => learn(part, language));
    const [result] = await Promise.all([alongside, ...learnt]);
    if (spoken !== language) return undefined;
    translator.global.locale.value = language;
    return result;
  } catch (error) {
    if (spoken === language) spoken = translator.global.locale.value as Language;
    throw error;
  }
}

async function learn(part: Part, language: Translated): Promise<void> {
  const { global } = translator;
  const unknown = missing.get(language) ?? new Set();
  missing.set(language, unknown);
  const file = await part.others[language]().catch(() => undefined);
  if (!file) {
    unknown.add(part);
    return;
  }
  unknown.delete(part);
  for (const sentences of Object.values(file)) global.mergeLocaleMessage(language, sentences);
}

function newTranslator() {
  const en: Sentences = Object.assign({}, ...Array.from(parts, ({ english }) => english));
  // Which languages there will be is not known to its types: each comes when it is first shown.
  const messages: Record<string, Sentences> = { en };
  return createI18n<false>({
    legacy: false,
    locale: 'en',
    fallbackLocale: 'en',
    messages,
    pluralRules: { ar: arabicForm, fr: frenchForm },
  });
}

/** Which of a text's forms says `count` in Arabic: none, one, two, few, many, other, in the order of CLDR. */
function arabicForm(count: number, forms: number): number {
  const order = ['zero', 'one', 'two', 'few', 'many', 'other'];
  return Math.min(order.indexOf(arabicPlurals.select(count)), forms - 1);
}
const arabicPlurals = new Intl.PluralRules('ar');

/** French says the singular of nothing, too; where there are three forms, the first is for nothing. */
function frenchForm(count: number, forms: number): number {
  return forms === 2 ? Number(count >= 2) : Math.min(count, forms - 1);
}
