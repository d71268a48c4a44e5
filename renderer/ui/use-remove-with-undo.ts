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
   * Where the labels stand: `<labels>.deleted`, `<labels>.confirm`, and `<labels>.several` where several can be chosen.
   */
  readonly labels: string;
  /** The instance's feature that restores these records. */
  readonly feature?: string;
  readonly remove: (id: number) => Promise<unknown>;
  /** Absent where no instance can. */
  readonly restore?: (id: number) => Promise<unknown>;
  /** Fetches again what changed. */
  readonly reload: () => Promise<void>;
  /** What is lost, where there is no way back; otherwise `<labels>.confirm.description`. */
  readonly describe?: (things: readonly Thing[]) => string;
}

/**
 * Returns `remove(things)`: deletes one or several and offers the way back, or asks first where the instance has none.
 * Resolves to whether all are gone; when one fails, those before it are gone and can be brought back.
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

  /** A sentence about one thing by its name, about several by their number. */
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
