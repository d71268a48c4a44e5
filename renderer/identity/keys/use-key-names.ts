import { useI18n } from 'vue-i18n';

/** Automatic names given by the server and the desktop app: `Firefox on Linux`, `Waypost on Windows`. */
const onSystem = /^(.{1,60}) on (Windows|macOS|Linux|ChromeOS|Android|iOS|iPadOS)$/;

/** Display names of keys and sessions: automatically assigned names are translated. */
export function useKeyNames(): (name: string | null | undefined) => string {
  const { t } = useI18n();
  return (name) => {
    if (!name || name === 'Unknown device') return t('keys.names.unknown');
    if (name === 'Primary key') return t('keys.primary.title');
    const [, program, system] = onSystem.exec(name) ?? [];
    return program && system ? t('keys.names.onSystem', { program, system }) : name;
  };
}
