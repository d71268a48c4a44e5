import type { Locale, Messages } from '@nuxt/ui';
import { type ShallowRef, shallowRef } from 'vue';
import type { Language } from '../server/contract/languages.ts';
import { speakFailures } from './api/failure.ts';
import type { Translation } from './translations/translation.ts';
import { retriedImport } from './ui/retried-import.ts';
import { speak } from './ui/sentences.ts';

const translationsOf: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ translation: Translation }>>> =
  {
    de: retriedImport(() => import('./translations/de/translation.ts')),
    fr: retriedImport(() => import('./translations/fr/translation.ts')),
    es: retriedImport(() => import('./translations/es/translation.ts')),
    pt: retriedImport(() => import('./translations/pt/translation.ts')),
    ar: retriedImport(() => import('./translations/ar/translation.ts')),
  };

/** Translation of Nuxt UI's own texts; undefined for English, its default. */
export const componentTexts: ShallowRef<Locale<Messages> | undefined> = shallowRef();

/**
 * Switches the UI to a language. Throws if its translations cannot be loaded: the language then stays unchanged, and
 * loading is retried on the next navigation, or when the server is back.
 */
export async function showLanguage(language: Language): Promise<void> {
  const fetched = language === 'en' ? {} : translationsOf[language]();
  const spoken = await speak<{ translation?: Translation }>(language, Promise.resolve(fetched));
  if (!spoken) return;
  const { translation } = spoken;
  speakFailures(translation?.failures ?? {});
  componentTexts.value = translation?.components;
  document.documentElement.lang = language;
  document.documentElement.dir = translation?.components.dir ?? 'ltr';
}
