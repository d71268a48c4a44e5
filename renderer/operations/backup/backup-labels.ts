import { useI18n } from 'vue-i18n';
import type { Backup } from '../../../server/contract/backups.ts';
import { fileSize } from '../../ui/file-size.ts';
import { useFormat } from '../../ui/use-format.ts';

/** Display names and content summaries of backups. */
export function useBackupLabels() {
  const { t } = useI18n();
  const format = useFormat();

  /** `12.4 MB`, `500 links`, `50,000 clicks`, `3 files`; zero counts are omitted. */
  function facts({ size, contents }: Backup): string[] {
    const counted = (['users', 'links', 'clicks', 'files'] as const).flatMap((name) => {
      const count = contents?.[name] ?? 0;
      return count === 0 ? [] : t(`backup.contents.${name}`, { count: format.number(count) }, count);
    });
    return [...(size === null ? [] : [fileSize(size, format.region.value)]), ...counted];
  }

  return { facts, timestamp: format.timestamp };
}
