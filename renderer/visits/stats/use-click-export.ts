import { onScopeDispose, shallowRef } from 'vue';
import { exportClicks, exportLinkClicks } from '../../../server/contract/click-export.ts';
import type { QueryInput } from '../../../server/contract/endpoint.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useRole } from '../../api/use-role.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useFailureToast } from '../../ui/use-toasts.ts';
import { useStatsView } from './stats-view.ts';

/** Whose clicks are exported: those of one link, or of the links that a query chooses. */
export type ClickSubject = { readonly linkId: number } | LinkQuery;
type LinkQuery = Pick<QueryInput<typeof exportClicks>, 'member' | 'campaign' | 'channel' | 'domain'>;

const types = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;
export type ClickFormat = keyof typeof types;

/** Saves the single clicks that the statistics of the page count as a file, part by part. `underWay` ends it. */
export function useClickExport() {
  const store = useInstanceStore();
  const { mayAll } = useRole();
  const showFailure = useFailureToast();
  const view = useStatsView();
  const underWay = shallowRef<AbortController>();
  onScopeDispose(() => underWay.value?.abort());

  async function save(subject: ClickSubject, format: ClickFormat): Promise<void> {
    const control = new AbortController();
    underWay.value = control;
    try {
      const parts: string[] = [];
      let fileName = '';
      let after: number | null | undefined;
      let before: number | null | undefined;
      // The comparison is no choice of clicks.
      const { compare: _, comparefrom: __, compareto: ___, ...shown } = view?.query.value ?? {};
      do {
        before = after;
        const { signal } = control;
        const query = { ...shown, format, inline: '1' as const, ...(after && { after: String(after) }) };
        const { data } =
          'linkId' in subject
            ? await call(exportLinkClicks, { params: { id: subject.linkId }, query, signal })
            : await call(exportClicks, { query: { ...query, ...subject }, signal });
        parts.push(data.content);
        fileName = data.filename;
        after = data.next;
        // A server that names the same part again would never end.
      } while (after !== null && after !== before);
      await saveFile(new Blob(parts, { type: `${types[format]};charset=utf-8` }), fileName);
    } catch (error) {
      showFailure(error);
    } finally {
      underWay.value = undefined;
    }
  }

  /**
   * Whether the role allows it, and the server can; one that is older would leave the filters aside without a word.
   * Whether a link may be edited, its page knows.
   */
  function canExport(subject: ClickSubject | undefined): subject is ClickSubject {
    if (subject === undefined || !store.can('click-export')) return false;
    if (!('linkId' in subject) && !mayAll('edit')) return false;
    const isPlain = 'linkId' in subject || Object.keys(subject).every((name) => name === 'member');
    return store.can('click-export-filters') || (isPlain && (view?.filters.value.length ?? 0) === 0);
  }

  return { underWay, save, canExport };
}
