import { onScopeDispose, shallowRef } from 'vue';
import { exportClicks, exportLinkClicks } from '../../../server/contract/click-export.ts';
import type { QueryInput } from '../../../server/contract/endpoint.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useRole } from '../../api/use-role.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useFailureToast } from '../../ui/use-toasts.ts';
import { useStatsView } from './stats-view.ts';

/** The clicks to export: of one link, or of the links matching a query. */
export type ClickSubject = { readonly linkId: number } | LinkQuery;
type LinkQuery = Pick<QueryInput<typeof exportClicks>, 'member' | 'campaign' | 'channel' | 'domain'>;

const types = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;
export type ClickFormat = keyof typeof types;

/** Exports the individual clicks counted by the page's statistics to a file, page by page. `underWay` cancels it. */
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
      // The comparison does not affect which clicks are exported.
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
        // Prevents an endless loop if the server returns the same cursor again.
      } while (after !== null && after !== before);
      await saveFile(new Blob(parts, { type: `${types[format]};charset=utf-8` }), fileName);
    } catch (error) {
      showFailure(error);
    } finally {
      underWay.value = undefined;
    }
  }

  /**
   * Whether the role permits the export and the server supports it; older servers would silently ignore the filters.
   * For a link, the page decides by the right to edit it.
   */
  function canExport(subject: ClickSubject | undefined): subject is ClickSubject {
    if (subject === undefined || !store.can('click-export')) return false;
    if (!('linkId' in subject) && !mayAll('edit')) return false;
    const isPlain = 'linkId' in subject || Object.keys(subject).every((name) => name === 'member');
    return store.can('click-export-filters') || (isPlain && (view?.filters.value.length ?? 0) === 0);
  }

  return { underWay, save, canExport };
}
