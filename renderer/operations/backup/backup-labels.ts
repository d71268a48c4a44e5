import { useI18n } from 'vue-i18n';
import type { Backup } from '../../../server/contract/backups.ts';
import { fileSize } from '../../ui/file-size.ts';
import { useFormat } from '../../ui/use-format.ts';

/** What a backup is called and what is in it, in words. */
export function useBackupLabels() {
  const { t } = useI18n();
  const format = useFormat();

  /** `12.4 MB`, `500 links`, `50,000 clicks`, `3 files`: what there is none of is left out. */
  function facts({ size, contents }: Backup): string[] {
    const counted = (['users', 'links', 'clicks', 'files'] as const).flatMap((name) => {
      const count = contents?.[name] ?? 0;
      return count === 0 ? [] : t(`backup.contents.${name}`, { count: format.number(count) }, count);
    });
    return [...(size === null ? [] : [fileSize(size, format.region.value)]), ...counted];
  }

  return { facts, timestamp: format.timestamp };
}
