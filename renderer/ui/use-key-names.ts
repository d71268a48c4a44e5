import { useI18n } from 'vue-i18n';

/** Cmd takes the role of Ctrl there, and has the same symbol in all languages. */
const isMac = /Macintosh/.test(navigator.userAgent);

/**
 * Returns what to show on a key cap (`UKbd`) for a key: the names that differ by language (a German keyboard has Strg)
 * are ours, the others those of Nuxt UI.
 */
export function useKeyNames(): (key: string) => string {
  const { t } = useI18n();
  return (key) => {
    if (key === 'escape') return t('ui.keys.escape');
    if ((key === 'meta' || key === 'ctrl') && !isMac) return t('ui.keys.control');
    return key;
  };
}
