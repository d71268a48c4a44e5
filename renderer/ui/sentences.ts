import { createI18n } from 'vue-i18n';
import type { Language } from '../../server/contract/languages.ts';

type Sentences = Readonly<Record<string, object>>;
type Translated = Exclude<Language, 'en'>;

/** The messages of one folder. */
interface Part {
  readonly english: Sentences;
  /** Loads the same keys in another language. */
  readonly others: Readonly<Record<Translated, () => Promise<Readonly<Record<string, Sentences>>>>>;
}

/** The messages of all modules loaded so far. */
const parts = new Set<Part>();
let translator = newTranslator();
let spoken: Language = 'en';
/** Translations being loaded for modules that were loaded after the language was set. */
let pending: Promise<unknown> = Promise.resolve();
/** Translations that failed to load, by language. */
const missing = new Map<Translated, Set<Part>>();

/** Creates the page's translator, with the messages of the modules loaded so far; each test creates its own. */
export function translations(): ReturnType<typeof newTranslator> {
  translator = newTranslator();
  spoken = 'en';
  return translator;
}

/** Registers the messages of a module; build/page-sentences.ts inserts the call into each of those. */
export function addSentences(part: Part): void {
  parts.add(part);
  translator.global.mergeLocaleMessage('en', part.english);
  if (spoken !== 'en') pending = Promise.all([pending, learn(part, spoken)]);
}

/**
 * Resolves when the translations of all loaded modules are available. Translations that fail to load are shown in
 * English and retried on the next call.
 */
export async function sentencesReady(): Promise<void> {
  await pending;
  const language = spoken;
  if (language === 'en') return;
  await Promise.all([...(missing.get(language) ?? [])].map((part) => learn(part, language)));
}

/**
 * Switches to a language: loads the translations of all modules so far, and from now on of each new module. Waits for
 * `alongside` as well; if either fails, the language stays unchanged. Returns the result of `alongside`, or undefined
 * if another language was chosen in the meantime.
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
  // A loose type, since languages are loaded on demand.
  const messages: Record<string, Sentences> = { en };
  return createI18n<false>({
    legacy: false,
    locale: 'en',
    fallbackLocale: 'en',
    messages,
    pluralRules: { ar: arabicForm, fr: frenchForm },
  });
}

/** The index of the Arabic plural form for `count`: zero, one, two, few, many, other, in CLDR order. */
function arabicForm(count: number, forms: number): number {
  const order = ['zero', 'one', 'two', 'few', 'many', 'other'];
  return Math.min(order.indexOf(arabicPlurals.select(count)), forms - 1);
}
const arabicPlurals = new Intl.PluralRules('ar');

/** French uses the singular for zero, too; if there are three forms, the first is for zero. */
function frenchForm(count: number, forms: number): number {
  return forms === 2 ? Number(count >= 2) : Math.min(count, forms - 1);
}
