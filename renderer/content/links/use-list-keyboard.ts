import type { Ref } from 'vue';
import { useI18n } from 'vue-i18n';
import type { Link } from '../../../server/contract/links.ts';
import { useLinkForm } from '../../ui/use-link-form.ts';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import type { LinkSelection } from './link-selection.ts';

interface Options {
  readonly active: Ref<number | undefined>;
  readonly linkAt: (index: number | undefined) => Link | undefined;
  readonly selection: LinkSelection;
  readonly moveTo: (index: number) => void;
  /** Deletes the selected links, or else the active one. */
  readonly remove: () => void;
  /** Cycles the selection: the first rows, then all, then none. */
  readonly tickMany: () => void;
}

/**
 * Shortcuts of the list: J and K move, X and A select, E edits, Delete deletes, Esc clears the selection. Enter is
 * handled by the row.
 */
export function useListKeyboard({ active, linkAt, selection, moveTo, remove, tickMany }: Options): void {
  const { t } = useI18n();
  const form = useLinkForm();

  useShortcuts(() => {
    const link = linkAt(active.value);
    const canEdit = link !== undefined && link.state !== 'trashed';
    return [
      { keys: 'j', label: t('links.keys.down'), run: () => moveTo((active.value ?? -1) + 1) },
      { keys: 'k', label: t('links.keys.up'), run: () => moveTo((active.value ?? 1) - 1) },
      {
        keys: 'x',
        label: t('links.keys.select'),
        run: () => link && active.value !== undefined && selection.toggle(link.id, active.value),
      },
      { keys: 'a', label: t('links.keys.selectMany'), run: tickMany },
      { keys: 'e', label: t('links.keys.edit'), run: () => canEdit && form.open({ linkId: link.id }) },
      { keys: 'delete', label: t('links.keys.delete'), run: remove },
      {
        keys: 'escape',
        label: t('links.keys.clear'),
        run: () => {
          if (selection.isEmpty.value) active.value = undefined;
          else selection.clear();
        },
      },
    ];
  });
}
