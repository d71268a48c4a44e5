import { useReload } from '../../api/use-reload.ts';
import { useReloadOn } from '../../api/use-reload-on.ts';
import type { PagedList } from '../../ui/use-paged-list.ts';
import { useRecordPage } from '../../ui/use-record-page.ts';
import { useRemoveWithUndo } from '../../ui/use-remove-with-undo.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** What a form is opened with: a record to edit, or (without an id) a template for a new one. */
export interface Start<Details> {
  readonly id?: number;
  readonly details: Details;
}

interface Options<Row extends Named> {
  /** Also the prefix of the messages. */
  readonly resource: 'overlays' | 'splash';
  /** The plan feature. */
  readonly feature: 'overlay' | 'splash';
  readonly list: Pick<PagedList, 'result' | 'refresh' | 'isWhole'>;
  readonly remove: (id: number) => Promise<unknown>;
  readonly restore: (id: number) => Promise<unknown>;
  /** What deleting a record affects, if it cannot be undone. */
  readonly describe: (row: Row) => string;
}

/**
 * Shared behavior of the overlay and splash page lists. Links show their names, and deleting one changes the links that
 * use it.
 */
export function useInterstitials<Row extends Named, Details>(options: Options<Row>) {
  const { resource, feature, list, remove, restore } = options;
  const reload = useReload();
  useReloadOn(resource, ['links']);
  return useRecordPage<Row, Start<Details>>({
    list,
    feature,
    remove: useRemoveWithUndo<Row>({
      labels: resource,
      feature: 'restore-pages',
      remove,
      restore,
      reload: () => reload(resource, 'links'),
      describe: (rows) => rows.map(options.describe).join(' '),
    }),
  });
}
