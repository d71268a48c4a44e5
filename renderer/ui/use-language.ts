import { useLocalStorage } from '@vueuse/core';
import { computed } from 'vue';
import { type Language, languages } from '../../server/contract/languages.ts';
import { useInstanceStore } from '../api/instance.ts';

/** Native names of the languages: users looking for theirs may not understand the current one. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  ar: 'العربية',
};

/** The first supported language among these BCP 47 tags; English if there is none. */
export function languageOf(tags: readonly string[]): Language {
  const wanted = tags.map((tag) => tag.toLowerCase().split('-', 1)[0]);
  return wanted.map((tag) => languages.find((known) => known === tag)).find(Boolean) ?? 'en';
}

/**
 * The UI language: the account's, else the last one used on this device, else the browser's or the system's. Stored on
 * the device, so that the sign-in page uses it too.
 */
export function useLanguage() {
  const store = useInstanceStore();
  const device = useLocalStorage<string>('waypost-language', '');
  const browser = languageOf(navigator.languages);
  const chosen = computed(() => store.account?.language || device.value);
  const language = computed<Language>(() => languages.find((tag) => tag === chosen.value) ?? browser);
  return { language, device };
}
