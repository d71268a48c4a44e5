import { useReload } from '../../api/use-reload.ts';
import { useReloadOn } from '../../api/use-reload-on.ts';
import type { PagedList } from '../../ui/use-paged-list.ts';
import { useRecordPage } from '../../ui/use-record-page.ts';
import { useRemoveWithUndo } from '../../ui/use-remove-with-undo.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** What a form starts from: one that is changed, or (without an id) one that is like another. */
export interface Start<Details> {
  readonly id?: number;
  readonly details: Details;
}

interface Options<Row extends Named> {
  /** Also where the labels stand. */
  readonly resource: 'overlays' | 'splash';
  /** The plan's switch. */
  readonly feature: 'overlay' | 'splash';
  readonly list: Pick<PagedList, 'result' | 'refresh' | 'isWhole'>;
  readonly remove: (id: number) => Promise<unknown>;
  readonly restore: (id: number) => Promise<unknown>;
  /** What is lost with one where there is no way back. */
  readonly describe: (row: Row) => string;
}

/**
 * The pages of overlays and of splash pages: links show their names, and deleting one changes the links that use it.
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
