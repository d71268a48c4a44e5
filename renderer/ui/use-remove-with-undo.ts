import { useI18n } from 'vue-i18n';
import { useInstanceStore } from '../api/instance.ts';
import { useConfirm } from './use-confirm.ts';
import { useFormat } from './use-format.ts';
import { useDoneToast, useFailureToast, useUndoToast } from './use-toasts.ts';

export interface Named {
  readonly id: number;
  readonly name: string;
}

interface Options<Thing extends Named> {
  /**
   * Message prefix: `<labels>.deleted`, `<labels>.confirm`, and `<labels>.several` if multiple rows can be selected.
   */
  readonly labels: string;
  /** The instance feature that restores these records. */
  readonly feature?: string;
  readonly remove: (id: number) => Promise<unknown>;
  /** Omit if no instance supports it. */
  readonly restore?: (id: number) => Promise<unknown>;
  /** Reloads the affected data. */
  readonly reload: () => Promise<void>;
  /** What will be lost if there is no undo; defaults to `<labels>.confirm.description`. */
  readonly describe?: (things: readonly Thing[]) => string;
}

/**
 * Returns `remove(things)`: deletes one or more records and offers undo, or asks for confirmation if the instance does
 * not support it. Resolves to whether all were deleted; if one fails, those before it are deleted and can be restored.
 */
export function useRemoveWithUndo<Thing extends Named = Named>(options: Options<Thing>) {
  const { labels, feature = 'restore', remove, restore, reload } = options;
  const { t } = useI18n();
  const store = useInstanceStore();
  const confirm = useConfirm();
  const format = useFormat();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();

  /** A message with the name of a single record, or the count of several. */
  function sentence(ofOne: string, ofSeveral: string, things: readonly Thing[]): string {
    const [thing, ...others] = things;
    if (thing && others.length === 0) return t(ofOne, { name: thing.name });
    return t(ofSeveral, { n: format.number(things.length) }, things.length);
  }

  return async (chosen: Thing | readonly Thing[]): Promise<boolean> => {
    const things = [chosen].flat() as readonly Thing[];
    const canRestore = restore !== undefined && store.can(feature);
    if (!canRestore) {
      const isSure = await confirm({
        title: sentence(`${labels}.confirm.title`, `${labels}.several.confirm`, things),
        description: options.describe?.(things) ?? t(`${labels}.confirm.description`),
        action: t(`${labels}.confirm.action`),
      });
      if (!isSure) return false;
    }
    const gone: Thing[] = [];
    try {
      for (const thing of things) {
        await remove(thing.id);
        gone.push(thing);
      }
    } catch (error) {
      showFailure(error);
    }
    if (gone.length === 0) return false;
    void reload();
    const message = sentence(`${labels}.deleted`, `${labels}.several.deleted`, gone);
    if (!canRestore) showDone(message);
    else {
      offerUndo(message, async () => {
        for (const { id } of gone) await restore?.(id);
        await reload();
      });
    }
    return gone.length === things.length;
  };
}
