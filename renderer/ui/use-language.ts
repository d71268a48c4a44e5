import { useLocalStorage } from '@vueuse/core';
import { computed } from 'vue';
import { type Language, languages } from '../../server/contract/languages.ts';
import { useInstanceStore } from '../api/instance.ts';

/** What each language calls itself: whoever looks for theirs may not read the one that is shown. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  ar: 'العربية',
};

/** The first of these tags (BCP 47) that there is a language for; English where there is none. */
export function languageOf(tags: readonly string[]): Language {
  const wanted = tags.map((tag) => tag.toLowerCase().split('-', 1)[0]);
  return wanted.map((tag) => languages.find((known) => known === tag)).find(Boolean) ?? 'en';
}

/**
 * The language of the page: the one of the account, else the one last used on this device, else the browser's or the
 * system's. The device remembers it, so that the page to sign in on speaks it, too.
 */
export function useLanguage() {
  const store = useInstanceStore();
  const device = useLocalStorage<string>('waypost-language', '');
  const browser = languageOf(navigator.languages);
  const chosen = computed(() => store.account?.language || device.value);
  const language = computed<Language>(() => languages.find((tag) => tag === chosen.value) ?? browser);
  return { language, device };
}
